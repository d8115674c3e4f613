// What earlier steps taught about second derivatives, by the recursion of Nocedal (1980): q = g is freed of
// the steps, from the last to the first, then divided by the second derivatives, and the steps are put back.
#pragma once

#include <cstdint>

namespace assay {

// Steps of many models, `size` numbers each: what they moved, what that did to the gradient, and the inverse
// product of the two, 0 where nothing was learned.
struct Steps {
    const double *moved, *bent, *inverse;  // steps x models x size; steps x models
    std::int64_t steps, models, size;
};

// q (count x size), of the models that `which` names, freed of the steps; their shares (steps x count).
void free_of_steps(const Steps& steps, const std::int64_t* which, std::int64_t count, double* q,
                   double* share);

// Steps put back.
void with_steps(const Steps& steps, const std::int64_t* which, std::int64_t count, const double* share,
                double* q);

}  // namespace assay
