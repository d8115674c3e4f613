#include "network/single_layer.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "simd/vector_ops.hpp"

namespace assay {
namespace {

// Activations become outputs.
void put_out(Output output, std::vector<double>& a) {
    switch (output) {
        case Output::linear:
            return;
        case Output::step:
            for (double& v : a) v = v > 0 ? 1.0 : 0.0;
            return;
        case Output::sign:
            for (double& v : a) v = v > 0 ? 1.0 : -1.0;
            return;
        case Output::sigmoid:  // by tanh, which neither overflows nor divides
            for (double& v : a) v = std::tanh(0.5 * v) * 0.5 + 0.5;
            return;
        case Output::softmax: {
            const double most = *std::max_element(a.begin(), a.end());
            double total = 0;
            for (double& v : a) total += v = std::exp(v - most);
            for (double& v : a) v /= total;
        }
    }
}

// Outputs y and targets t become slopes: m = y - t, its sign for the absolute error; and unless the loss is
// cross-entropy m y (1 - y) behind a sigmoid, y [m - sum_j m_j y_j] behind softmax.
void take_slopes(const Layer& layer, std::int32_t code, std::vector<double>& y) {
    const auto target = [&](std::size_t k) {
        return code == (layer.units > 1 ? static_cast<std::int32_t>(k) : 1) ? 1.0 : layer.low;
    };
    const bool bent = layer.loss != Loss::cross_entropy;
    const auto missed = [&](std::size_t k) {
        const double miss = y[k] - target(k);
        return layer.loss != Loss::absolute_error ? miss : miss > 0 ? 1.0 : miss < 0 ? -1.0 : 0.0;
    };
    double inner = 0;
    if (bent && layer.output == Output::softmax)
        for (std::size_t k = 0; k < y.size(); ++k) inner += missed(k) * y[k];
    for (std::size_t k = 0; k < y.size(); ++k) {
        const double miss = missed(k);
        if (bent && layer.output == Output::sigmoid)
            y[k] = miss * y[k] * (1.0 - y[k]);
        else if (bent && layer.output == Output::softmax)
            y[k] = (miss - inner) * y[k];
        else
            y[k] = miss;
    }
}

}  // namespace

void single_layer_steps(const Layer& layer, const double* z, const std::int32_t* codes, const double* rates,
                        std::int64_t count, InterruptCheck& pause, double* weights) {
    const std::int64_t size = layer.units * layer.width;
    std::vector<double> slope(static_cast<std::size_t>(layer.units));
    for (std::int64_t row = 0; row < count; ++row, z += layer.width) {
        vector_ops().dots(z, weights, layer.units, layer.width, slope.data());
        put_out(layer.output, slope);
        take_slopes(layer, codes[row], slope);
        if (layer.decay)
            for (std::int64_t k = 0; k < layer.units; ++k)
                for (std::int64_t j = 0; j < layer.width; ++j) weights[k * layer.width + j] *= layer.decay[j];
        for (std::int64_t k = 0; k < layer.units; ++k)
            vector_ops().add_multiple(-(rates[row] * slope[static_cast<std::size_t>(k)]), z, layer.width,
                                      weights + k * layer.width);
        pause.after(2 * size);
    }
}

}  // namespace assay
