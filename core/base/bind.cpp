// What Python sees of base: compressed rows, checked when they are made, and products with them.

#include <climits>

#include "base/offset_csr.hpp"
#include "base/offset_csr_mapped.hpp"
#include "python/csr_array.hpp"
#include "python/interrupt.hpp"
#include "python/standardize.hpp"

namespace {

struct SparseMatrix {
    AnyKept kept;

    void products(In<double> right, bool squared, int threads, Out<double> out) const {
        std::visit(
            [&](const auto& found) {
                const auto& matrix = found.matrix;
                require(right.ndim() == 2 && out.ndim() == 2, "both sides must have rows");
                const auto count = right.extent(0);
                require_size(right, count * matrix.columns);
                require(out.extent(0) == count, "as many rows out as in");
                require_size(out, count * matrix.rows);
                nb::gil_scoped_release release;
                assay::sparse_products(matrix, right.data(), count, squared, threads, out.data());
            },
            kept);
    }
};

template <class Index>
void make(SparseMatrix* at, In<Index> first, In<Index> column, In<double> value, std::int64_t columns) {
    new (at) SparseMatrix{Kept<Index>(std::move(first), std::move(column), std::move(value), columns)};
}

// None where the rows have more than `most` entries.
template <class T>
std::optional<assay::OffsetCsr<T>> fill_rows(Table x, Maybe<std::int64_t> which, Maybe<double> fill,
                                             Maybe<std::int32_t> indicators, In<std::int64_t> columns,
                                             In<double> center, In<double> unit, double limit,
                                             std::int64_t most) {
    const auto source = standard_of(rows_of(x, fill, indicators), columns, center, unit, limit);
    const auto count = which ? which->count() : source.table.count;
    if (which)
        require(within<std::int64_t>(which->data(), count, 0, source.table.count), "there is no such row");
    require(source.width() <= INT_MAX, "there are too many columns");
    assay::OffsetCsr<T> out;
    bool few = false;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        few = assay::fill_rows<T>(source, data_of(which), count, most, pause, out);
    }
    if (!few) return std::nullopt;
    return out;
}

void require_rows(const assay::OffsetCsr<double>& filled, const In<std::int64_t>& which) {
    require(within<std::int64_t>(which.data(), which.count(), 0, filled.rows()), "there is no such row");
}

void scores(const assay::OffsetCsr<double>& filled, In<std::int64_t> which, In<double> b, Out<double> out) {
    const auto count = which.count();
    require_rows(filled, which);
    require_size(b, filled.width + 1);
    require_size(out, count);
    nb::gil_scoped_release release;
    assay::filled_scores(filled, which.data(), count, b.data(), out.data());
}

void sums(const assay::OffsetCsr<double>& filled, In<std::int64_t> which, In<double> r, Out<double> out) {
    const auto count = which.count();
    require_rows(filled, which);
    require(r.ndim() == 2, "factors must have rows");
    const auto models = r.extent(0);
    require_size(r, models * count);
    require_size(out, models * (filled.width + 1));
    nb::gil_scoped_release release;
    assay::filled_sums(filled, which.data(), count, r.data(), models, out.data());
}

void dense(const assay::OffsetCsr<double>& filled, In<std::int64_t> which, Out<double> out) {
    const auto count = which.count();
    require_rows(filled, which);
    require_size(out, count * (filled.width + 1));
    nb::gil_scoped_release release;
    assay::filled_dense(filled, which.data(), count, out.data());
}

assay::OffsetCsr<double> map_filled(const assay::OffsetCsr<double>& filled, In<std::int64_t> which,
                                    In<std::int64_t> columns, In<double> factor, In<double> shift) {
    const auto count = which.count(), width = static_cast<std::int64_t>(columns.size());
    require(within<std::int64_t>(which.data(), count, 0, filled.rows()), "there is no such row");
    require(within<std::int64_t>(columns.data(), width, 0, filled.width), "there is no such column");
    require_size(factor, width);
    require_size(shift, width);
    std::vector<std::int32_t> place(static_cast<std::size_t>(filled.width), -1);
    for (std::int64_t j = 0; j < width; ++j) {
        require(place[columns.data()[j]] < 0, "a column is there twice");
        place[columns.data()[j]] = static_cast<std::int32_t>(j);
    }
    assay::OffsetCsr<double> out;
    nb::gil_scoped_release release;
    assay::map_filled(filled, which.data(), count, place.data(), factor.data(), shift.data(), width, out);
    return out;
}

template <class T>
nb::class_<assay::OffsetCsr<T>> bind(nb::module_& m, const char* name, const char* maker) {
    using OffsetCsr = assay::OffsetCsr<T>;
    nb::class_<OffsetCsr> bound(m, name);
    bound.def_prop_ro("shape", [](const OffsetCsr& filled) { return std::pair(filled.rows(), filled.width); })
        .def_prop_ro("entries", [](const OffsetCsr& filled) { return filled.first.back(); });
    m.def(maker, &fill_rows<T>, "x"_a, "which"_a.none(), "fill"_a.none(), "indicators"_a.none(), "columns"_a,
          "center"_a, "unit"_a, "limit"_a, "most"_a);
    return bound;
}

}  // namespace

void bind_base(nb::module_& m) {
    nb::class_<SparseMatrix>(m, "SparseMatrix")
        .def("__init__", &make<std::int32_t>, "first"_a.noconvert(), "column"_a.noconvert(), "value"_a,
             "columns"_a)
        .def("__init__", &make<std::int64_t>, "first"_a.noconvert(), "column"_a.noconvert(), "value"_a,
             "columns"_a)
        .def("products", &SparseMatrix::products, "right"_a, "squared"_a, "threads"_a, "out"_a.noconvert());

    bind<double>(m, "FilledRows", "fill_rows")
        .def("scores", &scores, "which"_a, "b"_a, "out"_a.noconvert())
        .def("sums", &sums, "which"_a, "r"_a, "out"_a.noconvert())
        .def("dense", &dense, "which"_a, "out"_a.noconvert());
    bind<float>(m, "NarrowFilledRows", "fill_narrow_rows");
    m.def("map_filled", &map_filled, "filled"_a, "which"_a, "columns"_a, "factor"_a, "shift"_a);
}
