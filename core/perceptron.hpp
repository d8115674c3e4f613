// One pass of the perceptron's rule.
#pragma once

#include <cstdint>

#include "pause.hpp"

namespace assay {

// Rows z (count x width) with their classes and the sizes of their steps; `order` is null: as they stand.
struct Visits {
    const double* z;
    const std::int32_t* code;
    const double* size;
    const std::int64_t* order;
    std::int64_t count, width;
};

// Visits every row: after a mistake the row, times its size, is added to the weights of its class and taken
// from the class it was given, and `late` gets the same times all sizes seen before. Weights are classes x
// width; one class means two, code 1 where the score is above 0. `longest` becomes the weights that went
// without a mistake for the most rows. Returns the number of mistakes.
std::int64_t perceptron_epoch(const Visits& visits, std::int64_t classes, double seen, Pause& pause,
                              double* weights, double* late, double* longest);

}  // namespace assay
