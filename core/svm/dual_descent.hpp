// The linear support vector machine on compressed rows, one multiplier of the dual after the other.
//
//     minimise  (l2 / 2) |w|^2 + sum c loss(y f),   f = w.x + b,   loss = max(0, 1 - y f) or its square
//
//     w = sum c y alpha x / l2,   0 <= alpha, of the hinge <= 1,   balanced: s = sum c y alpha = 0
//
// The intercept is free, so multipliers have to balance. An augmented Lagrangian of the dual keeps them near
// that: b = b0 + s / r is one more coordinate of w, and b0 moves to b when the multipliers have settled more
// than they are out of balance. Rows whose multiplier stays at a bound are left out until the others have
// settled. Hsieh, Chang, Lin, Keerthi and Sundararajan (2008), "A dual coordinate descent method for
// large-scale linear SVM".
#pragma once

#include <cstdint>
#include <vector>

#include "base/csr.hpp"
#include "base/interrupt.hpp"

namespace assay {

// Rows with a side y = +-1 and a share c of the weight each.
template <class Index>
struct DualRows {
    Compressed<Index> matrix;
    const double* y;
    const double* c;
    bool squared;  // which hinge
};

struct DualState {
    double* alpha;  // (rows)
    double* w;      // (columns)
    double b, b0;
};

struct DualOptions {
    double l2, r;
    double tolerance;         // of violation and imbalance, both sums of shares times scores
    std::int64_t most_steps;  // looks at a row
};

struct DualResult {
    std::int64_t steps;
    double violation, imbalance;
};

// From `state`, whose w and b are those of its multipliers.
template <class Index>
DualResult dual_descent(const DualRows<Index>& rows, const DualOptions& options, InterruptCheck& pause,
                        DualState& state);

}  // namespace assay
