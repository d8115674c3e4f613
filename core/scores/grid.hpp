// How often a grid of settings is wrong: rows of one class and one fold under every model that did not see
// the fold, each model under every setting.
//
// A basis serves several settings, whose class scores differ by the share of every direction alone:
//
//     score = bias[s, k] - 1/2 sum_j share[j, s] u_j^2,    u = start + (x - center) turn.
//
// Lines are settings with scores level[k] + slope[k] · (x - center). Only verdicts are counted, so products
// are taken in single precision with a bound of what they may be off; the rows it leaves in doubt are taken
// again in double precision. Bound: with n = max(width, inner) + 8 roundings of 2^-24 on the way to any
// number, g = n 2^-24 / (1 - n 2^-24) and a = |x - center| (sum_j share |turn_j|^2)^1/2 + (sum_j share
// start_j^2)^1/2, the error of u is a vector whose length, by the shares, is at most g a (Cauchy and
// Minkowski), so
//
//     |score - its value| <= g (sqrt(q) a + g a^2 + q + |bias|),    q the computed sum of squares,
//
// and lines are off by g (|slope| |x - center| + |level|). A quarter is added for the arithmetic of the
// bound.
#pragma once

#include <cstdint>

#include "base/interrupt.hpp"
#include "base/table.hpp"

namespace assay {

// Cell c holds rows source[first[c] .. first[c + 1]) of the table: those of fold[c] and class own[c].
struct GridCells {
    std::int64_t count = 0;
    const std::int64_t *first = nullptr, *source = nullptr;
    const std::int32_t *fold = nullptr, *own = nullptr;
    const double* weight = nullptr;  // of every row of the table; null: 1
};

// Models that test a fold, (folds, each); -1: none.
struct GridTests {
    std::int64_t folds = 0, each = 0;
    const std::int32_t* model = nullptr;
};

struct GridModels {
    std::int64_t models = 0, classes = 0, width = 0, inner = 0, bases = 0, most = 0, lines = 0;
    const std::int32_t* settings = nullptr;           // of every basis, at most `most`
    const double *center = nullptr, *unit = nullptr;  // width; unit: powers of two, near 1 / deviation
    const double* turn = nullptr;                     // models x bases x classes x width x inner
    const double* start = nullptr;                    // models x bases x classes x inner
    const double* share = nullptr;                    // models x bases x classes x inner x most
    const double* bias = nullptr;                     // models x bases x most x classes; -inf: never seen
    const double *slope = nullptr, *level = nullptr;  // models x lines x classes (x width)

    std::int64_t slots() const { return bases * most + lines; }
};

// OUT sums[fold, test, class, slot] = sum of w and of w^2 over the rows that are wrong, where slot b * most +
// s is setting s of basis b, and lines follow. A class that stands first wins where scores are equal. Returns
// the number of rows without any finite score.
std::int64_t grid_mistakes(const Rows& table, const GridCells& cells, const GridTests& tests,
                           const GridModels& models, int threads, InterruptCheck& pause, double* sums);

}  // namespace assay
