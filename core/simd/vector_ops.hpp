// Vector operations that several rooms use.
#pragma once

#include <cstdint>

#include "simd/dispatch.hpp"

namespace assay {

struct VectorOps {
    // Rows source[0..count) of x in groups of eight, transposed: group g holds feature j of its rows at
    // t[(g * width + j) * 8 ...]; the last group repeats its last row.
    void (*transpose)(const double* x, const std::int64_t* source, std::int64_t count, std::int64_t width,
                      double* t);

    // Products of a row with the rows of a matrix, `count` of them.
    void (*dots)(const double* row, const double* matrix, std::int64_t count, std::int64_t width,
                 double* out);

    // sums += factor * values.
    void (*add_multiple)(double factor, const double* values, std::int64_t count, double* sums);

    // out = (row - center) * unit.
    void (*standardize)(const double* row, const double* center, const double* unit, std::int64_t width,
                        double* out);

    // exp(x) for x <= 0; 0 below the least normal number.
    void (*exp_all)(const double* x, std::int64_t count, double* out);

    // ln(x) for finite x of at least the least normal number.
    void (*log_all)(const double* x, std::int64_t count, double* out);
};

ASSAY_SIMD(VectorOps, vector_ops)

}  // namespace assay
