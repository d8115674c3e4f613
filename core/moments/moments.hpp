// Grouped moments: weight, sum and scatter of (x - c) for every cell, in one pass over the rows.
#pragma once

#include <cstdint>

#include "base/table.hpp"

namespace assay {

struct Cells {
    const std::int32_t* cell = nullptr;  // IN  one per row; negative: the row is left out
    const double* weight = nullptr;      // IN  one per row, or null for ones
    const double* center = nullptr;      // IN  cells x width
    std::int64_t count = 0;
};

// Diagonal form. OUT weight (cells), sum and square (cells x width); with `present` (cells x width) not null,
// NaN entries are skipped and `present` receives the weight of the others.
void diagonal_moments(const Rows& table, const Cells& cells, int threads, double* weight, double* sum,
                      double* square, double* present);

// Full form. `pool` consecutive cells share one scatter matrix (1: every cell its own). OUT weight (cells),
// sum (cells x width), product (cells / pool x width x width, symmetric).
void full_moments(const Rows& table, const Cells& cells, std::int64_t pool, int threads, double* weight,
                  double* sum, double* product);

}  // namespace assay
