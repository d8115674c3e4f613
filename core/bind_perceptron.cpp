// What Python sees of perceptron.hpp.
#include "arrays.hpp"
#include "perceptron.hpp"
#include "signals.hpp"

namespace {

std::int64_t perceptron_epoch(In<double> z, In<std::int32_t> codes, In<double> size,
                              Maybe<std::int64_t> order, double seen, Out<double> weights, Out<double> late,
                              Out<double> longest) {
    require(z.ndim() == 2 && weights.ndim() == 2 && weights.shape(0) > 0,
            "rows and weights must be matrices");
    const auto count = static_cast<std::int64_t>(z.shape(0)), width = static_cast<std::int64_t>(z.shape(1)),
               classes = static_cast<std::int64_t>(weights.shape(0));
    require_size(codes, count);
    require_size(size, count);
    require_size(weights, classes * width);
    require_size(late, classes * width);
    require_size(longest, classes * width);
    require(within(codes.data(), count, 0, classes == 1 ? 2 : classes), "codes must name a class");
    if (order) {
        require_size(*order, count);
        require(within<std::int64_t>(order->data(), count, 0, count), "there is no such row");
    }
    const assay::Visits visits{z.data(), codes.data(), size.data(), order ? order->data() : nullptr,
                               count,    width};
    nb::gil_scoped_release release;
    assay::Pause pause(check_signals);
    return assay::perceptron_epoch(visits, classes, seen, pause, weights.data(), late.data(), longest.data());
}

}  // namespace

void bind_perceptron(nb::module_& m) {
    m.def("perceptron_epoch", &perceptron_epoch, nb::arg("z"), nb::arg("codes"), nb::arg("size"),
          nb::arg("order").none(), nb::arg("seen"), nb::arg("weights").noconvert(),
          nb::arg("late").noconvert(), nb::arg("longest").noconvert());
}
