// What Python sees of cholesky.hpp.
#include "arrays.hpp"
#include "cholesky.hpp"

namespace {

void cholesky_factors(In<double> matrices, In<double> diagonals, int threads, Out<double> factors,
                      Out<bool> good) {
    require(matrices.ndim() == 3 && matrices.shape(1) == matrices.shape(2), "matrices must be square");
    const auto count = static_cast<std::int64_t>(matrices.shape(0)),
               size = static_cast<std::int64_t>(matrices.shape(1));
    require_size(diagonals, count * size);
    require_size(factors, count * assay::factor_size(size));
    require_size(good, count);
    nb::gil_scoped_release release;
    assay::cholesky_factors(matrices.data(), diagonals.data(), count, size, threads, factors.data(),
                            good.data());
}

void cholesky_solve(In<double> factors, In<std::int64_t> which, int threads, Out<double> right) {
    require(factors.ndim() == 2 && right.ndim() == 2, "factors and right-hand sides have a row each");
    const auto count = static_cast<std::int64_t>(which.size()),
               size = static_cast<std::int64_t>(right.shape(1));
    require_size(right, count * size);
    require(static_cast<std::int64_t>(factors.shape(1)) == assay::factor_size(size),
            "the arrays do not fit together");
    require(within<std::int64_t>(which.data(), count, 0, static_cast<std::int64_t>(factors.shape(0))),
            "there is no such factor");
    nb::gil_scoped_release release;
    assay::cholesky_solve(factors.data(), which.data(), count, size, threads, right.data());
}

}  // namespace

void bind_cholesky(nb::module_& m) {
    m.def("factor_size", &assay::factor_size, nb::arg("size"));
    m.def("cholesky_factors", &cholesky_factors, nb::arg("matrices"), nb::arg("diagonals"),
          nb::arg("threads"), nb::arg("factors").noconvert(), nb::arg("good").noconvert());
    m.def("cholesky_solve", &cholesky_solve, nb::arg("factors"), nb::arg("which"), nb::arg("threads"),
          nb::arg("right").noconvert());
}
