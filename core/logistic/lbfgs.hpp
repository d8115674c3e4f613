// The memory of L-BFGS, by the two loops of Nocedal (1980): backward over the steps from the last to the
// first, then a division by second derivatives, then forward.
#pragma once

#include <cstdint>

namespace assay {

// Steps of many models, `size` numbers each: s = change of the weights, y = change of the gradient,
// rho = 1 / s'y, 0 where nothing was learned.
struct Steps {
    const double *s, *y, *rho;  // steps x models x size; steps x models
    std::int64_t steps, models, size;
};

// q -= alpha y of every step, q (count x size) of the models that `which` names; `share` (steps x count) is
// alpha.
void two_loop_backward(const Steps& steps, const std::int64_t* which, std::int64_t count, double* q,
                       double* share);

// q += (alpha - beta) s of every step.
void two_loop_forward(const Steps& steps, const std::int64_t* which, std::int64_t count, const double* share,
                      double* q);

}  // namespace assay
