// Vector loops of sums and squares.
#pragma once

#include <cstdint>

#include "simd/dispatch.hpp"

namespace assay {

struct MomentsSimd {
    // Sums and squares of (x - center[cell]) over a block of rows; negative cells are left out.
    void (*add_rows)(const double* x, std::int64_t count, std::int64_t width, const std::int32_t* cell,
                     const double* center, double* weight, double* sum, double* square);

    void (*add_weighted_rows)(const double* x, std::int64_t count, std::int64_t width,
                              const std::int32_t* cell, const double* row_weight, const double* center,
                              double* weight, double* sum, double* square);

    // (x - c) * scale into the row's place in every panel of eight columns; weight * (x - c) to the sum.
    void (*center_row)(const double* x, const double* c, std::int64_t width, double weight, double scale,
                       std::int64_t panel_stride, double* out, double* sum);

    // block (8 x 8) += left' right over the rows of two panels; only the first `halves` times four of its
    // rows.
    void (*add_block)(const double* left, const double* right, std::int64_t rows, int halves, double* block);
};

ASSAY_SIMD(MomentsSimd, moments_simd)

}  // namespace assay
