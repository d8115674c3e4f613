// What Python sees of scores.hpp.

#include "python/arrays.hpp"
#include "scores/scores.hpp"

namespace {

assay::Shape shape_of(const assay::Rows& rows, const In<double>& vectors, const In<double>& bias) {
    require(vectors.ndim() == 3, "parameters must be models x classes x features");
    const assay::Shape shape{static_cast<std::int64_t>(vectors.shape(0)),
                             static_cast<std::int64_t>(vectors.shape(1)),
                             static_cast<std::int64_t>(vectors.shape(2))};
    require(shape.width == rows.width() && shape.models > 0, "the model has other features than the table");
    require_size(bias, shape.models * shape.classes);
    return shape;
}

// Scores of several forms side by side have an axis of their own.
assay::Sheets sheets_of(const assay::Pairs& pairs, const assay::Shape& shape, const Out<double>& out,
                        std::optional<Out<std::int32_t>>& best, std::optional<Out<std::int64_t>>& unusable) {
    assay::Sheets sheets;
    sheets.scores = out.data();
    if (out.ndim() == 3) sheets.forms = static_cast<std::int64_t>(out.shape(0));
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
    pairs.rows = rows ? rows->data() : nullptr;
    pairs.models = models ? models->data() : nullptr;
    pairs.count = rows ? static_cast<std::int64_t>(rows->size()) : table.count;
    if (models) require_size(*models, pairs.count);
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
    const auto inner = static_cast<std::int64_t>(whitener.shape(3));
    require_size(whitener, shape.models * shape.classes * shape.width * inner);
    require(!triangular || inner == shape.width, "a triangular whitener is square");
    const auto sheets = sheets_of(pairs, shape, out, best, unusable);
    nb::gil_scoped_release release;
    assay::quadratic_scores(rows, pairs, shape, inner, triangular, mean.data(), whitener.data(), bias.data(),
                            threads, sheets);
}

std::int64_t normalize_scores(Out<double> scores, int threads, Out<std::int32_t> best) {
    require(scores.ndim() == 2 && scores.shape(1) > 0, "scores must be rows x classes");
    require_size(best, static_cast<std::int64_t>(scores.shape(0)));
    const auto count = static_cast<std::int64_t>(scores.shape(0)),
               classes = static_cast<std::int64_t>(scores.shape(1));
    nb::gil_scoped_release release;
    return assay::normalize_scores(scores.data(), count, classes, threads, best.data());
}

void log_losses(In<double> scores, In<std::int32_t> codes, double floor, int threads, Out<double> out) {
    require(scores.ndim() == 2 && scores.shape(1) > 0, "scores must be rows x classes");
    const auto count = static_cast<std::int64_t>(scores.shape(0)),
               classes = static_cast<std::int64_t>(scores.shape(1));
    require_size(codes, count);
    require_size(out, count);
    require(within(codes.data(), count, 0, classes), "codes must name a class");
    nb::gil_scoped_release release;
    assay::log_losses(scores.data(), codes.data(), count, classes, floor, threads, out.data());
}

void posteriors(In<double> log_posterior, int threads, Out<double> out) {
    require_size(out, static_cast<std::int64_t>(log_posterior.size()));
    nb::gil_scoped_release release;
    assay::posteriors(log_posterior.data(), static_cast<std::int64_t>(log_posterior.size()), threads,
                      out.data());
}

}  // namespace

void bind_scores(nb::module_& m) {
    m.def("linear_scores", &linear_scores, nb::arg("x"), nb::arg("rows").none(), nb::arg("models").none(),
          nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("center"), nb::arg("weights"),
          nb::arg("bias"), nb::arg("threads"), nb::arg("out").noconvert(),
          nb::arg("best").noconvert() = nb::none(), nb::arg("unusable").noconvert() = nb::none());
    m.def("diagonal_scores", &diagonal_scores, nb::arg("x"), nb::arg("rows").none(), nb::arg("models").none(),
          nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("mean"), nb::arg("precision"),
          nb::arg("bias"), nb::arg("marginal"), nb::arg("threads"), nb::arg("out").noconvert(),
          nb::arg("best").noconvert() = nb::none(), nb::arg("unusable").noconvert() = nb::none());
    m.def("quadratic_scores", &quadratic_scores, nb::arg("x"), nb::arg("rows").none(),
          nb::arg("models").none(), nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("mean"),
          nb::arg("whitener"), nb::arg("bias"), nb::arg("triangular"), nb::arg("threads"),
          nb::arg("out").noconvert(), nb::arg("best").noconvert() = nb::none(),
          nb::arg("unusable").noconvert() = nb::none());
    m.def("normalize_scores", &normalize_scores, nb::arg("scores").noconvert(), nb::arg("threads"),
          nb::arg("best").noconvert());
    m.def("log_losses", &log_losses, nb::arg("scores"), nb::arg("codes"), nb::arg("floor"),
          nb::arg("threads"), nb::arg("out").noconvert());
    m.def("posteriors", &posteriors, nb::arg("log_posterior"), nb::arg("threads"),
          nb::arg("out").noconvert());
}
