// What Python sees of softmax.hpp and coordinate_descent.hpp.

#include "logistic/coordinate_descent.hpp"
#include "logistic/softmax.hpp"
#include "python/arrays.hpp"

namespace {

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

void bind_softmax(nb::module_& m) {
    m.def("standardized_rows", &standardized_rows, nb::arg("x"), nb::arg("rows").none(), nb::arg("first"),
          nb::arg("fill").none(), nb::arg("indicators").none(), nb::arg("center"), nb::arg("unit"),
          nb::arg("out").noconvert());
    m.def("softmax_residuals", &softmax_residuals, nb::arg("scores").noconvert(), nb::arg("codes"),
          nb::arg("weight").none(), nb::arg("loss").noconvert());
    m.def("softmax_posteriors", &softmax_posteriors, nb::arg("scores").noconvert());
    m.def("coordinate_descent", &coordinate_descent, nb::arg("hessian"), nb::arg("gradient"),
          nb::arg("start"), nb::arg("l1"), nb::arg("sweeps"), nb::arg("tol"), nb::arg("out").noconvert());
}
