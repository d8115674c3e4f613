// What Python sees of base/csr.hpp: a matrix that is checked when it is made, and products with it.
#include "python/csr_array.hpp"

namespace {

struct SparseMatrix {
    AnyKept kept;

    void products(In<double> right, bool squared, int threads, Out<double> out) const {
        std::visit(
            [&](const auto& found) {
                const auto& matrix = found.matrix;
                require(right.ndim() == 2 && out.ndim() == 2, "both sides must have rows");
                const auto count = static_cast<std::int64_t>(right.shape(0));
                require_size(right, count * matrix.columns);
                require(static_cast<std::int64_t>(out.shape(0)) == count, "as many rows out as in");
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

}  // namespace

void bind_sparse(nb::module_& m) {
    nb::class_<SparseMatrix>(m, "SparseMatrix")
        .def("__init__", &make<std::int32_t>, nb::arg("first").noconvert(), nb::arg("column").noconvert(),
             nb::arg("value"), nb::arg("columns"))
        .def("__init__", &make<std::int64_t>, nb::arg("first").noconvert(), nb::arg("column").noconvert(),
             nb::arg("value"), nb::arg("columns"))
        .def("products", &SparseMatrix::products, nb::arg("right"), nb::arg("squared"), nb::arg("threads"),
             nb::arg("out").noconvert());
}
