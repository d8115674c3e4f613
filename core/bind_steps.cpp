// What Python sees of cholesky.hpp and taught.hpp: the parts of a Newton step.
#include "arrays.hpp"
#include "cholesky.hpp"
#include "taught.hpp"

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

assay::Steps steps_of(const In<double>& moved, const In<double>& bent, const In<double>& inverse,
                      const In<std::int64_t>& which, const Out<double>& q) {
    require(moved.ndim() == 3 && q.ndim() == 2, "steps must be steps x models x numbers");
    const auto steps = static_cast<std::int64_t>(moved.shape(0)),
               models = static_cast<std::int64_t>(moved.shape(1)),
               size = static_cast<std::int64_t>(moved.shape(2)),
               count = static_cast<std::int64_t>(which.size());
    require_size(bent, steps * models * size);
    require_size(inverse, steps * models);
    require_size(q, count * size);
    require(within<std::int64_t>(which.data(), count, 0, models), "there is no such model");
    return {moved.data(), bent.data(), inverse.data(), steps, models, size};
}

void free_of_steps(In<double> moved, In<double> bent, In<double> inverse, In<std::int64_t> which,
                   Out<double> q, Out<double> share) {
    const auto steps = steps_of(moved, bent, inverse, which, q);
    const auto count = static_cast<std::int64_t>(which.size());
    require_size(share, steps.steps * count);
    assay::free_of_steps(steps, which.data(), count, q.data(), share.data());
}

void with_steps(In<double> moved, In<double> bent, In<double> inverse, In<std::int64_t> which,
                In<double> share, Out<double> q) {
    const auto steps = steps_of(moved, bent, inverse, which, q);
    const auto count = static_cast<std::int64_t>(which.size());
    require_size(share, steps.steps * count);
    assay::with_steps(steps, which.data(), count, share.data(), q.data());
}

}  // namespace

void bind_steps(nb::module_& m) {
    m.def("factor_size", &assay::factor_size, nb::arg("size"));
    m.def("cholesky_factors", &cholesky_factors, nb::arg("matrices"), nb::arg("diagonals"),
          nb::arg("threads"), nb::arg("factors").noconvert(), nb::arg("good").noconvert());
    m.def("cholesky_solve", &cholesky_solve, nb::arg("factors"), nb::arg("which"), nb::arg("threads"),
          nb::arg("right").noconvert());
    m.def("free_of_steps", &free_of_steps, nb::arg("moved"), nb::arg("bent"), nb::arg("inverse"),
          nb::arg("which"), nb::arg("q").noconvert(), nb::arg("share").noconvert());
    m.def("with_steps", &with_steps, nb::arg("moved"), nb::arg("bent"), nb::arg("inverse"), nb::arg("which"),
          nb::arg("share"), nb::arg("q").noconvert());
}
