// The only file, with bind_folds.cpp, that knows Python: arrays in, raw pointers to the kernels, GIL
// released.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "leaves.hpp"
#include "moments.hpp"
#include "replicates.hpp"
#include "scores.hpp"

namespace nb = nanobind;
using nb::ndarray;

template <class T>
using In = ndarray<const T, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = ndarray<T, nb::c_contig, nb::device::cpu>;
using Table = ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Maybe = std::optional<In<T>>;

void bind_folds(nb::module_& m);

namespace {

assay::Rows rows_of(const Table& table, const Maybe<double>& fill, const Maybe<std::int32_t>& indicators) {
    assay::Rows rows;
    if (table.dtype() == nb::dtype<double>())
        rows.f64 = static_cast<const double*>(table.data());
    else if (table.dtype() == nb::dtype<float>())
        rows.f32 = static_cast<const float*>(table.data());
    else
        throw std::invalid_argument("the table must be float64 or float32");
    rows.count = static_cast<std::int64_t>(table.shape(0));
    rows.columns = static_cast<std::int64_t>(table.shape(1));
    rows.row_stride = table.stride(0);
    rows.column_stride = table.stride(1);
    // A table of one row or one column may report any stride for the axis that is never walked.
    if (rows.columns <= 1) rows.column_stride = 1;
    if (rows.count <= 1 && rows.column_stride == 1) rows.row_stride = rows.columns;
    if (fill) rows.fill = fill->data();
    if (indicators) {
        rows.indicators = indicators->data();
        rows.indicator_count = static_cast<std::int64_t>(indicators->size());
    }
    return rows;
}

assay::Cells cells_of(const In<std::int32_t>& cell, const Maybe<double>& weight, const In<double>& center) {
    assay::Cells cells;
    cells.cell = cell.data();
    cells.weight = weight ? weight->data() : nullptr;
    cells.center = center.data();
    cells.count = static_cast<std::int64_t>(center.shape(0));
    return cells;
}

assay::Pairs pairs_of(const assay::Rows& table, const Maybe<std::int64_t>& rows,
                      const Maybe<std::int32_t>& models) {
    assay::Pairs pairs;
    pairs.rows = rows ? rows->data() : nullptr;
    pairs.models = models ? models->data() : nullptr;
    pairs.count = rows ? static_cast<std::int64_t>(rows->size()) : table.count;
    return pairs;
}

void diagonal_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center, int threads,
                      Out<double> total, Out<double> sum, Out<double> square,
                      std::optional<Out<double>> present) {
    const auto rows = rows_of(x, std::nullopt, std::nullopt);
    const auto cells = cells_of(cell, weight, center);
    nb::gil_scoped_release release;
    assay::diagonal_moments(rows, cells, threads, total.data(), sum.data(), square.data(),
                            present ? present->data() : nullptr);
}

void full_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center, std::int64_t pool,
                  Maybe<double> fill, Maybe<std::int32_t> indicators, int threads, Out<double> total,
                  Out<double> sum, Out<double> product) {
    const auto rows = rows_of(x, fill, indicators);
    const auto cells = cells_of(cell, weight, center);
    nb::gil_scoped_release release;
    assay::full_moments(rows, cells, pool, threads, total.data(), sum.data(), product.data());
}

void replicate_moments(Table x, In<std::int32_t> cell, Maybe<double> weight, In<double> center,
                       In<std::uint16_t> multiplicity, std::int64_t pool, int threads, Out<double> total,
                       Out<double> drawn, Out<double> sum, Out<double> product) {
    const auto rows = rows_of(x, std::nullopt, std::nullopt);
    const auto cells = cells_of(cell, weight, center);
    const auto replicates = static_cast<std::int64_t>(multiplicity.shape(0));
    nb::gil_scoped_release release;
    assay::replicate_moments(rows, cells, multiplicity.data(), replicates, pool, threads, total.data(),
                             drawn.data(), sum.data(), product.data());
}

void out_of_bag(In<std::uint16_t> multiplicity, Out<std::int32_t> replicate, Out<std::int64_t> row) {
    const auto replicates = static_cast<std::int64_t>(multiplicity.shape(0));
    nb::gil_scoped_release release;
    assay::out_of_bag(multiplicity.data(), replicates, static_cast<std::int64_t>(multiplicity.shape(1)),
                      replicate.data(), row.data());
}

void linear_scores(Table x, Maybe<std::int64_t> which, Maybe<std::int32_t> models, Maybe<double> fill,
                   Maybe<std::int32_t> indicators, In<double> center, In<double> weights, In<double> bias,
                   int threads, Out<double> out) {
    const auto rows = rows_of(x, fill, indicators);
    const auto pairs = pairs_of(rows, which, models);
    const assay::Shape shape{(std::int64_t)weights.shape(0), (std::int64_t)weights.shape(1),
                             (std::int64_t)weights.shape(2)};
    nb::gil_scoped_release release;
    assay::linear_scores(rows, pairs, shape, center.data(), weights.data(), bias.data(), threads, out.data());
}

void diagonal_scores(Table x, Maybe<std::int64_t> which, Maybe<std::int32_t> models, Maybe<double> fill,
                     Maybe<std::int32_t> indicators, In<double> mean, In<double> precision, In<double> bias,
                     bool marginal, int threads, Out<double> out) {
    const auto rows = rows_of(x, fill, indicators);
    const auto pairs = pairs_of(rows, which, models);
    const assay::Shape shape{(std::int64_t)mean.shape(0), (std::int64_t)mean.shape(1),
                             (std::int64_t)mean.shape(2)};
    nb::gil_scoped_release release;
    assay::diagonal_scores(rows, pairs, shape, mean.data(), precision.data(), bias.data(), marginal, threads,
                           out.data());
}

void quadratic_scores(Table x, Maybe<std::int64_t> which, Maybe<std::int32_t> models, Maybe<double> fill,
                      Maybe<std::int32_t> indicators, In<double> mean, In<double> whitener, In<double> bias,
                      bool triangular, int threads, Out<double> out) {
    const auto rows = rows_of(x, fill, indicators);
    const auto pairs = pairs_of(rows, which, models);
    const assay::Shape shape{(std::int64_t)mean.shape(0), (std::int64_t)mean.shape(1),
                             (std::int64_t)mean.shape(2)};
    const auto inner = static_cast<std::int64_t>(whitener.shape(3));
    nb::gil_scoped_release release;
    assay::quadratic_scores(rows, pairs, shape, inner, triangular, mean.data(), whitener.data(), bias.data(),
                            threads, out.data());
}

std::int64_t normalize_scores(Out<double> scores, int threads, Out<std::int32_t> best) {
    const auto count = static_cast<std::int64_t>(scores.shape(0)),
               classes = static_cast<std::int64_t>(scores.shape(1));
    nb::gil_scoped_release release;
    return assay::normalize_scores(scores.data(), count, classes, threads, best.data());
}

void posteriors(In<double> log_posterior, int threads, Out<double> out) {
    nb::gil_scoped_release release;
    assay::posteriors(log_posterior.data(), static_cast<std::int64_t>(log_posterior.size()), threads,
                      out.data());
}

}  // namespace

NB_MODULE(_core, m) {
    m.def("isa", [] { return assay::isa(); });
    m.doc() = "Compiled kernels; see core/*.hpp for what each computes.";
    m.def("diagonal_moments", &diagonal_moments, nb::arg("x"), nb::arg("cell"), nb::arg("weight").none(),
          nb::arg("center"), nb::arg("threads"), nb::arg("total"), nb::arg("sum"), nb::arg("square"),
          nb::arg("present").none());
    m.def("full_moments", &full_moments, nb::arg("x"), nb::arg("cell"), nb::arg("weight").none(),
          nb::arg("center"), nb::arg("pool"), nb::arg("fill").none(), nb::arg("indicators").none(),
          nb::arg("threads"), nb::arg("total"), nb::arg("sum"), nb::arg("product"));
    m.def("replicate_moments", &replicate_moments, nb::arg("x"), nb::arg("cell"), nb::arg("weight").none(),
          nb::arg("center"), nb::arg("multiplicity"), nb::arg("pool"), nb::arg("threads"), nb::arg("total"),
          nb::arg("drawn"), nb::arg("sum"), nb::arg("product"));
    m.def("out_of_bag", &out_of_bag, nb::arg("multiplicity"), nb::arg("replicate"), nb::arg("row"));
    m.def("linear_scores", &linear_scores, nb::arg("x"), nb::arg("rows").none(), nb::arg("models").none(),
          nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("center"), nb::arg("weights"),
          nb::arg("bias"), nb::arg("threads"), nb::arg("out"));
    m.def("diagonal_scores", &diagonal_scores, nb::arg("x"), nb::arg("rows").none(), nb::arg("models").none(),
          nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("mean"), nb::arg("precision"),
          nb::arg("bias"), nb::arg("marginal"), nb::arg("threads"), nb::arg("out"));
    m.def("quadratic_scores", &quadratic_scores, nb::arg("x"), nb::arg("rows").none(),
          nb::arg("models").none(), nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("mean"),
          nb::arg("whitener"), nb::arg("bias"), nb::arg("triangular"), nb::arg("threads"), nb::arg("out"));
    m.def("normalize_scores", &normalize_scores, nb::arg("scores"), nb::arg("threads"), nb::arg("best"));
    m.def("posteriors", &posteriors, nb::arg("log_posterior"), nb::arg("threads"), nb::arg("out"));
    bind_folds(m);
}
