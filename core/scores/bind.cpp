// What Python sees of scores: scores of rows, their posteriors, mistakes of a grid of settings.

#include <limits>

#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "scores/grid.hpp"
#include "scores/scores.hpp"

namespace {

assay::Shape shape_of(const assay::Rows& rows, const In<double>& vectors, const In<double>& bias) {
    require(vectors.ndim() == 3, "parameters must be models x classes x features");
    const assay::Shape shape{vectors.extent(0), vectors.extent(1), vectors.extent(2)};
    require(shape.width == rows.width() && shape.models > 0, "the model has other features than the table");
    require_size(bias, shape.models * shape.classes);
    return shape;
}

// Scores of several forms side by side have an axis of their own.
assay::Sheets sheets_of(const assay::Pairs& pairs, const assay::Shape& shape, const Out<double>& out,
                        std::optional<Out<std::int32_t>>& best, std::optional<Out<std::int64_t>>& unusable) {
    assay::Sheets sheets;
    sheets.scores = out.data();
    if (out.ndim() == 3) sheets.forms = out.extent(0);
    require(sheets.forms > 0 && shape.classes % sheets.forms == 0,
            "the classes of all forms must be as many");
    if (!best) return sheets;
    require(unusable.has_value() && shape.classes > 0, "the rows that cannot be normalised must be counted");
    require_size(*best, sheets.forms * pairs.count);
    require_size(*unusable, sheets.forms);
    sheets.best = best->data();
    sheets.unusable = unusable->data();
    return sheets;
}

assay::Pairs pairs_of(const assay::Rows& table, const Maybe<std::int64_t>& rows,
                      const Maybe<std::int32_t>& models, const assay::Shape& shape, const Out<double>& out) {
    assay::Pairs pairs;
    pairs.rows = data_of(rows);
    pairs.models = data_of(models);
    pairs.count = rows ? rows->count() : table.count;
    require_size(models, pairs.count);
    require_size(out, pairs.count * shape.classes);
    require(!rows || within<std::int64_t>(pairs.rows, pairs.count, 0, table.count), "there is no such row");
    require(!models || within<std::int32_t>(pairs.models, pairs.count, 0, shape.models),
            "there is no such model");
    return pairs;
}

void linear_scores(Table x, Maybe<std::int64_t> which, Maybe<std::int32_t> models, Maybe<double> fill,
                   Maybe<std::int32_t> indicators, In<double> center, In<double> weights, In<double> bias,
                   int threads, Out<double> out, std::optional<Out<std::int32_t>> best,
                   std::optional<Out<std::int64_t>> unusable) {
    const auto rows = rows_of(x, fill, indicators);
    const auto shape = shape_of(rows, weights, bias);
    const auto pairs = pairs_of(rows, which, models, shape, out);
    require_size(center, shape.models * shape.width);
    const auto sheets = sheets_of(pairs, shape, out, best, unusable);
    nb::gil_scoped_release release;
    assay::linear_scores(rows, pairs, shape, center.data(), weights.data(), bias.data(), threads, sheets);
}

void diagonal_scores(Table x, Maybe<std::int64_t> which, Maybe<std::int32_t> models, Maybe<double> fill,
                     Maybe<std::int32_t> indicators, In<double> mean, In<double> precision, In<double> bias,
                     bool marginal, int threads, Out<double> out, std::optional<Out<std::int32_t>> best,
                     std::optional<Out<std::int64_t>> unusable) {
    const auto rows = rows_of(x, fill, indicators);
    const auto shape = shape_of(rows, mean, bias);
    const auto pairs = pairs_of(rows, which, models, shape, out);
    require_size(precision, shape.models * shape.classes * shape.width);
    const auto sheets = sheets_of(pairs, shape, out, best, unusable);
    nb::gil_scoped_release release;
    assay::diagonal_scores(rows, pairs, shape, mean.data(), precision.data(), bias.data(), marginal, threads,
                           sheets);
}

void quadratic_scores(Table x, Maybe<std::int64_t> which, Maybe<std::int32_t> models, Maybe<double> fill,
                      Maybe<std::int32_t> indicators, In<double> mean, In<double> whitener, In<double> bias,
                      bool triangular, int threads, Out<double> out, std::optional<Out<std::int32_t>> best,
                      std::optional<Out<std::int64_t>> unusable) {
    const auto rows = rows_of(x, fill, indicators);
    const auto shape = shape_of(rows, mean, bias);
    const auto pairs = pairs_of(rows, which, models, shape, out);
    require(whitener.ndim() == 4, "the whitener must be models x classes x features x directions");
    const auto inner = whitener.extent(3);
    require_size(whitener, shape.models * shape.classes * shape.width * inner);
    require(!triangular || inner == shape.width, "a triangular whitener is square");
    const auto sheets = sheets_of(pairs, shape, out, best, unusable);
    nb::gil_scoped_release release;
    assay::quadratic_scores(rows, pairs, shape, inner, triangular, mean.data(), whitener.data(), bias.data(),
                            threads, sheets);
}

std::int64_t normalize_scores(Out<double> scores, int threads, Out<std::int32_t> best) {
    require(scores.ndim() == 2 && scores.shape(1) > 0, "scores must be rows x classes");
    require_size(best, scores.extent(0));
    const auto count = scores.extent(0), classes = scores.extent(1);
    nb::gil_scoped_release release;
    return assay::normalize_scores(scores.data(), count, classes, threads, best.data());
}

void log_losses(In<double> scores, In<std::int32_t> codes, double floor, int threads, Out<double> out) {
    require(scores.ndim() == 2 && scores.shape(1) > 0, "scores must be rows x classes");
    const auto count = scores.extent(0), classes = scores.extent(1);
    require_size(codes, count);
    require_size(out, count);
    require(within(codes.data(), count, 0, classes), "codes must name a class");
    nb::gil_scoped_release release;
    assay::log_losses(scores.data(), codes.data(), count, classes, floor, threads, out.data());
}

void posteriors(In<double> log_posterior, int threads, Out<double> out) {
    require_size(out, log_posterior.count());
    nb::gil_scoped_release release;
    assay::posteriors(log_posterior.data(), log_posterior.count(), threads, out.data());
}

assay::GridCells cells_of(const assay::Rows& rows, const In<std::int64_t>& first,
                          const In<std::int64_t>& source, const In<std::int32_t>& fold,
                          const In<std::int32_t>& own, const Maybe<double>& weight, std::int64_t folds,
                          std::int64_t classes) {
    const std::int64_t count = fold.count();
    require(first.count() == count + 1 && own.count() == count && first.data()[0] == 0,
            "the arrays do not fit together");
    for (std::int64_t c = 0; c < count; ++c)
        require(first.data()[c] <= first.data()[c + 1], "cells must follow each other");
    require_size(source, first.data()[count]);
    require(within<std::int64_t>(source.data(), source.count(), 0, rows.count), "there is no such row");
    require(within(fold.data(), count, 0, folds) && within(own.data(), count, 0, classes),
            "there is no such fold or class");
    require_size(weight, rows.count);
    return {count, first.data(), source.data(), fold.data(), own.data(), data_of(weight)};
}

// What a grid of settings shares, with the arrays that it lies in.
struct GridBases {
    In<std::int32_t> settings;
    In<double> turn, start, share, bias;

    GridBases(In<std::int32_t> settings_, In<double> turn_, In<double> start_, In<double> share_,
              In<double> bias_)
        : settings(settings_), turn(turn_), start(start_), share(share_), bias(bias_) {
        require(turn.ndim() == 5 && share.ndim() == 5, "a basis is models x bases x classes x width x inner");
    }

    assay::GridModels models(const In<double>& center, const In<double>& unit, const In<double>& slope,
                             const In<double>& level) const {
        require(slope.ndim() == 4, "a line is models x lines x classes x width");
        assay::GridModels m;
        m.models = turn.extent(0), m.bases = turn.extent(1), m.classes = turn.extent(2);
        m.width = turn.extent(3), m.inner = turn.extent(4);
        m.most = share.extent(4), m.lines = slope.extent(1);
        require_size(settings, m.bases);
        require(within(settings.data(), m.bases, 0, m.most + 1), "a basis has too many settings");
        require_size(start, m.models * m.bases * m.classes * m.inner);
        require_size(share, m.models * m.bases * m.classes * m.inner * m.most);
        require_size(bias, m.models * m.bases * m.most * m.classes);
        require_size(slope, m.models * m.lines * m.classes * m.width);
        require_size(level, m.models * m.lines * m.classes);
        require_size(center, m.width);
        require_size(unit, m.width);
        m.settings = settings.data(), m.center = center.data(), m.unit = unit.data();
        m.turn = turn.data(), m.start = start.data(), m.share = share.data(), m.bias = bias.data();
        m.slope = slope.data(), m.level = level.data();
        return m;
    }
};

std::int64_t grid_mistakes(Table table, Maybe<double> fill, Maybe<std::int32_t> indicators,
                           In<std::int64_t> first, In<std::int64_t> source, In<std::int32_t> fold,
                           In<std::int32_t> own, Maybe<double> weight, In<std::int32_t> tests,
                           In<double> center, In<double> unit, const GridBases& bases, In<double> slope,
                           In<double> level, int threads, Out<double> sums) {
    const assay::Rows rows = rows_of(table, fill, indicators);
    const assay::GridModels models = bases.models(center, unit, slope, level);
    require(models.width == rows.width(), "the models are of another width than the rows");
    require(tests.ndim() == 2 && within<std::int32_t>(tests.data(), tests.count(), -1, models.models),
            "there is no such model");
    const assay::GridTests tested{tests.extent(0), tests.extent(1), tests.data()};
    const auto cells = cells_of(rows, first, source, fold, own, weight, tested.folds, models.classes);
    require_size(sums, tested.folds * tested.each * models.classes * models.slots() * 2);
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    return assay::grid_mistakes(rows, cells, tested, models, threads, pause, sums.data());
}

}  // namespace

void bind_scores(nb::module_& m) {
    m.def("linear_scores", &linear_scores, "x"_a, "rows"_a.none(), "models"_a.none(), "fill"_a.none(),
          "indicators"_a.none(), "center"_a, "weights"_a, "bias"_a, "threads"_a, "out"_a.noconvert(),
          "best"_a.noconvert() = nb::none(), "unusable"_a.noconvert() = nb::none());
    m.def("diagonal_scores", &diagonal_scores, "x"_a, "rows"_a.none(), "models"_a.none(), "fill"_a.none(),
          "indicators"_a.none(), "mean"_a, "precision"_a, "bias"_a, "marginal"_a, "threads"_a,
          "out"_a.noconvert(), "best"_a.noconvert() = nb::none(), "unusable"_a.noconvert() = nb::none());
    m.def("quadratic_scores", &quadratic_scores, "x"_a, "rows"_a.none(), "models"_a.none(), "fill"_a.none(),
          "indicators"_a.none(), "mean"_a, "whitener"_a, "bias"_a, "triangular"_a, "threads"_a,
          "out"_a.noconvert(), "best"_a.noconvert() = nb::none(), "unusable"_a.noconvert() = nb::none());
    m.def("normalize_scores", &normalize_scores, "scores"_a.noconvert(), "threads"_a, "best"_a.noconvert());
    m.def("log_losses", &log_losses, "scores"_a, "codes"_a, "floor"_a, "threads"_a, "out"_a.noconvert());
    m.def("posteriors", &posteriors, "log_posterior"_a, "threads"_a, "out"_a.noconvert());

    nb::class_<GridBases>(m, "GridBases")
        .def(nb::init<In<std::int32_t>, In<double>, In<double>, In<double>, In<double>>(), "settings"_a,
             "turn"_a, "start"_a, "share"_a, "bias"_a);
    m.def("grid_mistakes", &grid_mistakes, "table"_a, "fill"_a.none(), "indicators"_a.none(), "first"_a,
          "source"_a, "fold"_a, "own"_a, "weight"_a.none(), "tests"_a, "center"_a, "unit"_a, "bases"_a,
          "slope"_a, "level"_a, "threads"_a, "sums"_a.noconvert());
}
