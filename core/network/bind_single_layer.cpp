// What Python sees of network/single_layer.hpp.
#include <nanobind/stl/string.h>

#include <string>

#include "network/single_layer.hpp"
#include "python/arrays.hpp"
#include "python/interrupt.hpp"

namespace {

assay::Output output_of(const std::string& name) {
    if (name == "linear") return assay::Output::linear;
    if (name == "step") return assay::Output::step;
    if (name == "sign") return assay::Output::sign;
    if (name == "sigmoid") return assay::Output::sigmoid;
    require(name == "softmax", "there is no such output");
    return assay::Output::softmax;
}

void single_layer_steps(In<double> z, In<std::int32_t> codes, In<double> rates, Maybe<double> decay,
                        std::string output, bool cross_entropy, double low, Out<double> weights) {
    require(z.ndim() == 2 && weights.ndim() == 2 && weights.shape(0) > 0,
            "rows and weights must be matrices");
    const auto count = static_cast<std::int64_t>(z.shape(0)), width = static_cast<std::int64_t>(z.shape(1)),
               units = static_cast<std::int64_t>(weights.shape(0));
    require_size(codes, count);
    require_size(rates, count);
    require_size(weights, units * width);
    if (decay) require_size(*decay, width);
    require(within(codes.data(), count, 0, units == 1 ? 2 : units), "codes must name a class");
    const assay::Layer layer{units,         width, output_of(output),
                             cross_entropy, low,   decay ? decay->data() : nullptr};
    nb::gil_scoped_release release;
    assay::InterruptCheck pause(check_interrupt);
    assay::single_layer_steps(layer, z.data(), codes.data(), rates.data(), count, pause, weights.data());
}

}  // namespace

void bind_single_layer(nb::module_& m) {
    m.def("single_layer_steps", &single_layer_steps, nb::arg("z"), nb::arg("codes"), nb::arg("rates"),
          nb::arg("decay").none(), nb::arg("output"), nb::arg("cross_entropy"), nb::arg("low"),
          nb::arg("weights").noconvert());
}
