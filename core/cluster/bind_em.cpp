// What Python sees of cluster/em.hpp.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "cluster/em.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

std::pair<std::vector<double>, std::int32_t> em_steps(
    In<double> x, In<double> weight, Maybe<std::int32_t> codes, std::int32_t shape, double floor,
    std::int64_t steps, double gain, double rounding, double least, Out<double> shares, Out<double> means,
    Out<double> covariances, Out<double> whiteners, Out<double> log_determinants, Out<std::int64_t> floored) {
    require(x.ndim() == 2 && shares.ndim() == 2 && x.shape(1) > 0 && shares.shape(1) > 0,
            "rows and shares must be matrices");
    require(shape >= 0 && shape < 4, "there is no such shape");
    const assay::EmProblem problem{x.data(),
                                   weight.data(),
                                   codes ? codes->data() : nullptr,
                                   static_cast<std::int64_t>(x.shape(0)),
                                   static_cast<std::int64_t>(x.shape(1)),
                                   static_cast<std::int64_t>(shares.shape(0)),
                                   static_cast<std::int64_t>(shares.shape(1)),
                                   static_cast<assay::BlobShape>(shape),
                                   floor};
    require_size(weight, problem.count);
    if (codes) {
        require_size(*codes, problem.count);
        require(within(codes->data(), problem.count, 0, problem.classes), "codes must name a class");
    } else {
        require(problem.classes == 1, "several classes need codes");
    }
    require_size(means, problem.blobs * problem.width);
    require_size(covariances, problem.blobs * problem.spread());
    require_size(whiteners, problem.blobs * problem.spread());
    require_size(log_determinants, problem.blobs);
    require_size(floored, problem.blobs);
    const assay::EmBlobs blobs{shares.data(),           means.data(),  covariances.data(), whiteners.data(),
                               log_determinants.data(), floored.data()};
    std::vector<double> history;
    assay::EmEnd end;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        end = assay::em_steps(problem, steps, gain, rounding, least, pause, blobs, history);
    }
    return {std::move(history), static_cast<std::int32_t>(end)};
}

}  // namespace

void bind_em(nb::module_& m) {
    m.def("em_steps", &em_steps, nb::arg("x"), nb::arg("weight"), nb::arg("codes").none(), nb::arg("shape"),
          nb::arg("floor"), nb::arg("steps"), nb::arg("gain"), nb::arg("rounding"), nb::arg("least"),
          nb::arg("shares").noconvert(), nb::arg("means").noconvert(), nb::arg("covariances").noconvert(),
          nb::arg("whiteners").noconvert(), nb::arg("log_determinants").noconvert(),
          nb::arg("floored").noconvert());
}
