// With the other bind_*.cpp the only file that knows Python: arrays in, raw pointers to the kernels, GIL
// released.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "coordinate.hpp"
#include "leaves.hpp"
#include "moments.hpp"
#include "replicates.hpp"
#include "scores.hpp"
#include "softmax.hpp"

void bind_cells(nb::module_& m);
void bind_counts(nb::module_& m);
void bind_em(nb::module_& m);
void bind_features(nb::module_& m);
void bind_filled(nb::module_& m);
void bind_folds(nb::module_& m);
void bind_grid(nb::module_& m);
void bind_kmeans(nb::module_& m);
void bind_near(nb::module_& m);
void bind_network(nb::module_& m);
void bind_newton(nb::module_& m);
void bind_passes(nb::module_& m);
void bind_hinge(nb::module_& m);
void bind_perceptron(nb::module_& m);
void bind_ratings(nb::module_& m);
void bind_single_layer(nb::module_& m);
void bind_smo(nb::module_& m);
void bind_sparse(nb::module_& m);
void bind_steps(nb::module_& m);
void bind_text(nb::module_& m);
void bind_words(nb::module_& m);

namespace {

assay::Cells cells_of(const assay::Rows& rows, const In<std::int32_t>& cell, const Maybe<double>& weight,
                      const In<double>& center) {
    require(center.ndim() == 2, "center must be cells x features");
    assay::Cells cells;
    cells.cell = cell.data();
    cells.weight = weight ? weight->data() : nullptr;
    cells.center = center.data();
    cells.count = static_cast<std::int64_t>(center.shape(0));
    require_size(cell, rows.count);
    if (weight) require_size(*weight, rows.count);
    require_size(center, cells.count * rows.width());
    require(within(cell.data(), rows.count, std::numeric_limits<std::int32_t>::min(), cells.count),
            "a class or group lies beyond the number of them");
    return cells;
}

// Sizes of the outputs of a pass: total and sum per cell, scatter in matrices of `pool` cells (0: per cell).
void require_sums(const assay::Rows& rows, const assay::Cells& cells, std::int64_t pool, std::int64_t times,
                  const Out<double>& total, const Out<double>& sum, const Out<double>& scatter) {
    const std::int64_t width = rows.width();
    require(pool >= 0 && (pool == 0 || cells.count % pool == 0), "pool must divide the number of cells");
    require_size(total, times * cells.count);
    require_size(sum, times * cells.count * width);
    require_size(scatter, times * (pool ? cells.count / pool * width : cells.count) * width);
}

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

void diagonal_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center, int threads,
                      Out<double> total, Out<double> sum, Out<double> square,
                      std::optional<Out<double>> present) {
    const auto rows = rows_of(x, std::nullopt, std::nullopt);
    const auto cells = cells_of(rows, cell, weight, center);
    require_sums(rows, cells, 0, 1, total, sum, square);
    if (present) require_size(*present, cells.count * rows.width());
    nb::gil_scoped_release release;
    assay::diagonal_moments(rows, cells, threads, total.data(), sum.data(), square.data(),
                            present ? present->data() : nullptr);
}

void full_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center, std::int64_t pool,
                  Maybe<double> fill, Maybe<std::int32_t> indicators, int threads, Out<double> total,
                  Out<double> sum, Out<double> product) {
    const auto rows = rows_of(x, fill, indicators);
    const auto cells = cells_of(rows, cell, weight, center);
    require(pool > 0, "pool must be at least 1");
    require_sums(rows, cells, pool, 1, total, sum, product);
    nb::gil_scoped_release release;
    assay::full_moments(rows, cells, pool, threads, total.data(), sum.data(), product.data());
}

void replicate_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center,
                       In<std::uint16_t> multiplicity, std::int64_t pool, int threads, Out<double> total,
                       Out<double> drawn, Out<double> sum, Out<double> product) {
    const auto rows = rows_of(x, std::nullopt, std::nullopt);
    const auto cells = cells_of(rows, cell, weight, center);
    require(multiplicity.ndim() == 2, "multiplicities must be replicates x rows");
    const auto replicates = static_cast<std::int64_t>(multiplicity.shape(0));
    require_size(multiplicity, replicates * rows.count);
    require_sums(rows, cells, pool, replicates, total, sum, product);
    require_size(drawn, replicates * cells.count);
    nb::gil_scoped_release release;
    assay::replicate_moments(rows, cells, multiplicity.data(), replicates, pool, threads, total.data(),
                             drawn.data(), sum.data(), product.data());
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

void standardized_rows(Table x, Maybe<std::int64_t> which, std::int64_t first, Maybe<double> fill,
                       Maybe<std::int32_t> indicators, In<double> center, In<double> unit, Out<double> out) {
    const auto rows = rows_of(x, fill, indicators);
    require(out.ndim() == 2 && static_cast<std::int64_t>(out.shape(1)) == rows.width() + 1,
            "the block has other columns than the table");
    const auto count = static_cast<std::int64_t>(out.shape(0));
    require_size(center, rows.width());
    require_size(unit, rows.width());
    if (which) require_size(*which, count);
    require(which ? within<std::int64_t>(which->data(), count, 0, rows.count)
                  : first >= 0 && first + count <= rows.count,
            "there is no such row");
    nb::gil_scoped_release release;
    assay::standardized_rows(rows, which ? which->data() : nullptr, first, count, center.data(), unit.data(),
                             out.data());
}

nb::tuple hinge_line(In<double> t, In<double> bent, In<double> c, double length) {
    const auto count = static_cast<std::int64_t>(t.size());
    require_size(bent, count);
    require_size(c, count);
    double sums[2];
    {
        nb::gil_scoped_release release;
        assay::leaves().hinge_line(t.data(), bent.data(), c.data(), count, length, sums);
    }
    return nb::make_tuple(sums[0], sums[1]);
}

void softmax_residuals(Out<double> scores, In<std::int32_t> codes, Maybe<double> weight, Out<double> loss) {
    require(scores.ndim() == 3 && scores.shape(1) > 0, "scores must be groups x classes x rows");
    const auto groups = static_cast<std::int64_t>(scores.shape(0)),
               classes = static_cast<std::int64_t>(scores.shape(1)),
               count = static_cast<std::int64_t>(scores.shape(2));
    require_size(codes, count);
    require_size(loss, groups);
    if (weight) require_size(*weight, count);
    require(within(codes.data(), count, 0, classes == 1 ? 2 : classes), "codes must name a class");
    nb::gil_scoped_release release;
    assay::softmax_residuals<double>(scores.data(), groups, classes, count, count, nullptr, codes.data(),
                                     weight ? weight->data() : nullptr, loss.data());
}

void softmax_posteriors(Out<double> scores) {
    require(scores.ndim() == 2 && scores.shape(0) > 0, "scores must be classes x rows");
    nb::gil_scoped_release release;
    const auto count = static_cast<std::int64_t>(scores.shape(1));
    assay::softmax_posteriors(scores.data(), static_cast<std::int64_t>(scores.shape(0)), count, count);
}

std::int64_t coordinate_descent(In<double> hessian, In<double> gradient, In<double> start, In<double> l1,
                                std::int64_t sweeps, double tol, Out<double> out) {
    const auto count = static_cast<std::int64_t>(gradient.size());
    require(hessian.ndim() == 2, "the second derivatives must be a square matrix");
    require_size(hessian, count * count);
    require_size(start, count);
    require_size(l1, count);
    require_size(out, count);
    nb::gil_scoped_release release;
    return assay::coordinate_descent(hessian.data(), gradient.data(), start.data(), l1.data(), count, sweeps,
                                     tol, out.data());
}

}  // namespace

NB_MODULE(_core, m) {
    const char* asked = std::getenv("ASSAY_ISA");
    if (asked && *asked && std::strcmp(asked, assay::isa()) != 0)
        throw std::runtime_error(std::string("ASSAY_ISA='") + asked +
                                 "' names no kernels that run on this machine; unset it, or use 'portable'.");
    m.def("isa", [] { return assay::isa(); });
    m.doc() = "Compiled kernels; see core/*.hpp for what each computes.";
    m.def("diagonal_moments", &diagonal_moments, nb::arg("x"), nb::arg("cell"), nb::arg("weight").none(),
          nb::arg("center"), nb::arg("threads"), nb::arg("total").noconvert(), nb::arg("sum").noconvert(),
          nb::arg("square").noconvert(), nb::arg("present").noconvert().none());
    m.def("full_moments", &full_moments, nb::arg("x"), nb::arg("cell"), nb::arg("weight").none(),
          nb::arg("center"), nb::arg("pool"), nb::arg("fill").none(), nb::arg("indicators").none(),
          nb::arg("threads"), nb::arg("total").noconvert(), nb::arg("sum").noconvert(),
          nb::arg("product").noconvert());
    m.def("replicate_moments", &replicate_moments, nb::arg("x"), nb::arg("cell"), nb::arg("weight").none(),
          nb::arg("center"), nb::arg("multiplicity"), nb::arg("pool"), nb::arg("threads"),
          nb::arg("total").noconvert(), nb::arg("drawn").noconvert(), nb::arg("sum").noconvert(),
          nb::arg("product").noconvert());
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
    m.def("standardized_rows", &standardized_rows, nb::arg("x"), nb::arg("rows").none(), nb::arg("first"),
          nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("center"), nb::arg("unit"),
          nb::arg("out").noconvert());
    m.def("softmax_residuals", &softmax_residuals, nb::arg("scores").noconvert(), nb::arg("codes"),
          nb::arg("weight").none(), nb::arg("loss").noconvert());
    m.def("softmax_posteriors", &softmax_posteriors, nb::arg("scores").noconvert());
    m.def("hinge_line", &hinge_line, nb::arg("t"), nb::arg("bent"), nb::arg("c"), nb::arg("length"));
    m.def("coordinate_descent", &coordinate_descent, nb::arg("hessian"), nb::arg("gradient"),
          nb::arg("start"), nb::arg("l1"), nb::arg("sweeps"), nb::arg("tol"), nb::arg("out").noconvert());
    bind_cells(m);
    bind_counts(m);
    bind_em(m);
    bind_features(m);
    bind_filled(m);
    bind_folds(m);
    bind_grid(m);
    bind_kmeans(m);
    bind_near(m);
    bind_network(m);
    bind_newton(m);
    bind_passes(m);
    bind_hinge(m);
    bind_perceptron(m);
    bind_ratings(m);
    bind_single_layer(m);
    bind_smo(m);
    bind_sparse(m);
    bind_steps(m);
    bind_text(m);
    bind_words(m);
}
