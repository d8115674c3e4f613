// What Python sees of counts/categories.hpp and counts/quantile_bins.hpp: arrays checked before raw pointers
// reach the kernels.
#include <limits>

#include "counts/categories.hpp"
#include "counts/quantile_bins.hpp"
#include "python/arrays.hpp"

namespace {

using Cells2 = ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;

template <class T>
assay::Cellwise<T> cellwise(const Cells2& table) {
    return {static_cast<const T*>(table.data()), static_cast<std::int64_t>(table.shape(0)),
            static_cast<std::int64_t>(table.shape(1)), table.stride(0), table.stride(1)};
}

// Calls work(a table of its own type).
template <class Work>
void with_type(const Cells2& table, Work&& work) {
    if (table.dtype() == nb::dtype<double>()) return work(cellwise<double>(table));
    if (table.dtype() == nb::dtype<float>()) return work(cellwise<float>(table));
    if (table.dtype() == nb::dtype<std::int64_t>()) return work(cellwise<std::int64_t>(table));
    if (table.dtype() == nb::dtype<std::int32_t>()) return work(cellwise<std::int32_t>(table));
    if (table.dtype() == nb::dtype<std::uint8_t>()) return work(cellwise<std::uint8_t>(table));
    throw std::invalid_argument("the table must be float64, float32, int64, int32 or uint8");
}

void require_offsets(const In<std::int64_t>& first, std::int64_t columns) {
    require_size(first, columns + 1);
    require(first.data()[0] == 0, "the first column starts at 0");
    for (std::int64_t j = 0; j < columns; ++j)
        require(first.data()[j] <= first.data()[j + 1], "columns must be in order");
}

assay::Levels levels_of(const In<std::int32_t>& codes, const In<std::int64_t>& first) {
    require(codes.ndim() == 2, "codes must be columns x rows");
    const auto columns = static_cast<std::int64_t>(codes.shape(0));
    require_offsets(first, columns);
    return {codes.data(), first.data(), static_cast<std::int64_t>(codes.shape(1)), columns};
}

void level_ranges(Cells2 x, int threads, Out<double> low, Out<double> high, Out<std::uint8_t> whole) {
    require_size(low, static_cast<std::int64_t>(x.shape(1)));
    require_size(high, static_cast<std::int64_t>(x.shape(1)));
    require_size(whole, static_cast<std::int64_t>(x.shape(1)));
    with_type(x, [&](const auto& table) {
        nb::gil_scoped_release release;
        assay::level_ranges(table, threads, low.data(), high.data(), whole.data());
    });
}

void table_codes(Cells2 x, In<double> low, In<std::int64_t> first, In<std::int32_t> codes, int threads,
                 Out<std::int32_t> out) {
    const auto columns = static_cast<std::int64_t>(x.shape(1));
    require_size(low, columns);
    require_offsets(first, columns);
    require_size(codes, first.data()[columns]);
    require_size(out, columns * static_cast<std::int64_t>(x.shape(0)));
    with_type(x, [&](const auto& table) {
        nb::gil_scoped_release release;
        assay::table_codes(table, low.data(), first.data(), codes.data(), threads, out.data());
    });
}

void count_levels(In<std::int32_t> codes, In<std::int64_t> first, In<std::int32_t> cell, int threads,
                  Out<std::int64_t> out) {
    const auto levels = levels_of(codes, first);
    require(out.ndim() == 2, "counts must be cells x levels");
    const auto cells = static_cast<std::int64_t>(out.shape(0));
    require_size(out, cells * first.data()[levels.columns]);
    require_size(cell, levels.rows);
    require(within(cell.data(), levels.rows, std::numeric_limits<std::int32_t>::min(), cells),
            "a class or group lies beyond the number of them");
    nb::gil_scoped_release release;
    const bool inside = assay::count_levels(levels, cell.data(), cells, threads, out.data());
    nb::gil_scoped_acquire acquire;
    require(inside, "a code lies beyond the levels of its column");
}

void count_weighted_levels(In<std::int32_t> codes, In<std::int64_t> first, In<std::int32_t> cell,
                           In<double> weight, int threads, Out<double> out) {
    const auto levels = levels_of(codes, first);
    require(out.ndim() == 2, "counts must be cells x levels");
    const auto cells = static_cast<std::int64_t>(out.shape(0));
    require_size(out, cells * first.data()[levels.columns]);
    require_size(cell, levels.rows);
    require_size(weight, levels.rows);
    require(within(cell.data(), levels.rows, std::numeric_limits<std::int32_t>::min(), cells),
            "a class or group lies beyond the number of them");
    nb::gil_scoped_release release;
    const bool inside =
        assay::count_weighted_levels(levels, cell.data(), weight.data(), cells, threads, out.data());
    nb::gil_scoped_acquire acquire;
    require(inside, "a code lies beyond the levels of its column");
}

void level_scores(In<std::int32_t> codes, In<std::int64_t> first, Maybe<std::int32_t> model, In<double> table,
                  In<double> bias, int threads, Out<double> out) {
    const auto levels = levels_of(codes, first);
    require(bias.ndim() == 2 && bias.shape(0) > 0, "the bias must be models x classes");
    const auto models = static_cast<std::int64_t>(bias.shape(0)),
               classes = static_cast<std::int64_t>(bias.shape(1));
    require_size(table, models * (first.data()[levels.columns] + levels.columns) * classes);
    require_size(out, levels.rows * classes);
    if (model) {
        require_size(*model, levels.rows);
        require(within<std::int32_t>(model->data(), levels.rows, 0, models), "there is no such model");
    }
    for (std::int64_t j = 0; j < levels.columns; ++j)
        require(within<std::int32_t>(codes.data() + j * levels.rows, levels.rows, assay::kUnseen,
                                     first.data()[j + 1] - first.data()[j]),
                "a code lies beyond the levels of its column");
    nb::gil_scoped_release release;
    assay::level_scores(levels, model ? model->data() : nullptr, classes, table.data(), bias.data(), threads,
                        out.data());
}

void count_bins(Table x, In<std::int64_t> cut, In<std::int32_t> codes, int threads, Out<std::int64_t> edges,
                Out<std::int64_t> out) {
    const auto rows = static_cast<std::int64_t>(x.shape(0)), columns = static_cast<std::int64_t>(x.shape(1)),
               cuts = static_cast<std::int64_t>(cut.size());
    require(out.ndim() == 3, "counts must be columns x bins x classes");
    const auto classes = static_cast<std::int64_t>(out.shape(2));
    require_size(out, columns * (cuts + 1) * classes);
    require_size(edges, columns);
    require_size(codes, rows);
    require(within<std::int32_t>(codes.data(), rows, 0, classes), "a class lies beyond the number of them");
    require(within<std::int64_t>(cut.data(), cuts, 0, rows), "a rank lies beyond the rows");
    for (std::int64_t i = 1; i < cuts; ++i) require(cut.data()[i - 1] < cut.data()[i], "ranks must ascend");
    const auto run = [&](const auto& table) {
        nb::gil_scoped_release release;
        return assay::count_bins(table, cut.data(), cuts, codes.data(), classes, threads, edges.data(),
                                 out.data());
    };
    bool finite;
    if (x.dtype() == nb::dtype<double>())
        finite = run(cellwise<double>(x));
    else if (x.dtype() == nb::dtype<float>())
        finite = run(cellwise<float>(x));
    else
        throw std::invalid_argument("the table must be float64 or float32");
    require(finite, "a value that is not finite has no bin");
}

}  // namespace

void bind_counts(nb::module_& m) {
    m.def("level_ranges", &level_ranges, nb::arg("x"), nb::arg("threads"), nb::arg("low").noconvert(),
          nb::arg("high").noconvert(), nb::arg("whole").noconvert());
    m.def("table_codes", &table_codes, nb::arg("x"), nb::arg("low"), nb::arg("first"), nb::arg("codes"),
          nb::arg("threads"), nb::arg("out").noconvert());
    m.def("count_levels", &count_levels, nb::arg("codes"), nb::arg("first"), nb::arg("cell"),
          nb::arg("threads"), nb::arg("out").noconvert());
    m.def("count_weighted_levels", &count_weighted_levels, nb::arg("codes"), nb::arg("first"),
          nb::arg("cell"), nb::arg("weight"), nb::arg("threads"), nb::arg("out").noconvert());
    m.def("level_scores", &level_scores, nb::arg("codes"), nb::arg("first"), nb::arg("model").none(),
          nb::arg("table"), nb::arg("bias"), nb::arg("threads"), nb::arg("out").noconvert());
    m.def("count_bins", &count_bins, nb::arg("x"), nb::arg("cut"), nb::arg("codes"), nb::arg("threads"),
          nb::arg("edges").noconvert(), nb::arg("out").noconvert());
}
