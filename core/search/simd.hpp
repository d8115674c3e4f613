// Vector loops of a feature search.
#pragma once

#include <cstdint>

#include "simd/dispatch.hpp"

namespace assay {

constexpr std::int64_t kSearchRows = 16;  // rows of one class and fold, in a feature search, side by side

// A normal feature as rows of one class see it: what it adds to their margin over each of the other classes,
// constants + halves (x - means)^2 - half (x - mean)^2. The first `before` of the others come before the own
// class and win where scores are equal.
struct NormalTerms {
    double mean, half;
    std::int64_t rivals, before;
    const double *means, *halves, *constants;
};

// A feature that adds slopes (x - centers).
struct LinearTerms {
    std::int64_t rivals, before;
    const double *slopes, *centers;
};

// Loops of a feature search; see search/search.hpp. Margins over class k lie at k * stride. Hits are the
// rows (or their weights) whose every margin wins.
struct SearchSimd {
    void (*normal_add)(const double* x, std::int64_t rows, const NormalTerms& terms, double* margin,
                       std::int64_t stride);
    double (*normal_hits)(const double* x, std::int64_t rows, const NormalTerms& terms, const double* margin,
                          std::int64_t stride, const double* weight);
    void (*linear_add)(const double* x, std::int64_t rows, const LinearTerms& terms, double* margin,
                       std::int64_t stride);
    // With `moved`, x += factor moved first.
    double (*linear_hits)(double* x, const double* moved, double factor, std::int64_t rows,
                          const LinearTerms& terms, const double* margin, std::int64_t stride,
                          const double* weight);
    // Of margins a + b; b may be null.
    double (*sum_hits)(const double* a, const double* b, std::int64_t rows, std::int64_t rivals,
                       std::int64_t before, std::int64_t stride, const double* weight);
};

ASSAY_SIMD(SearchSimd, search_simd)

}  // namespace assay
