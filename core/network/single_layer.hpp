// Steps of a single layer of units, one for each row.
#pragma once

#include <cstdint>

#include "base/interrupt.hpp"

namespace assay {

enum class Output { linear, step, sign, sigmoid, softmax };
enum class Loss { squared_error, absolute_error, cross_entropy };

struct Layer {
    std::int64_t units, width;  // a single unit tells class 1 from class 0
    Output output;
    Loss loss;
    double low;           // target of the rows of other classes
    const double* decay;  // of each weight, before every step; null: none
};

// Rows z (count x width), each with its class and the size of its step, in this order:
//     U = U decay - rate slope z',   slope = the loss's derivative by the activations U z before the step.
void single_layer_steps(const Layer& layer, const double* z, const std::int32_t* codes, const double* rates,
                        std::int64_t count, InterruptCheck& pause, double* weights);

}  // namespace assay
