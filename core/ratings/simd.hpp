// Vector loops of recommendations; see ratings.hpp.
#pragma once

#include <cstdint>

#include "simd/dispatch.hpp"

namespace assay {

constexpr int kCritics = 16;  // critics side by side

// Sums over the items that a target (a) and sixteen critics (b) have both rated, kCritics of each: n, a, b,
// a^2, b^2, a b, and in double precision (a - b)^2; and what ratings/ratings.hpp makes of them.
struct RatingsSimd {
    // `panel` holds for every item sixteen codes and sixteen masks (-1: rated). `count` is even; sums of
    // squares must be whole numbers of 31 bits.
    void (*co_rated)(const std::int16_t* panel, const std::int32_t* item, const std::int16_t* code,
                     std::int64_t count, std::int32_t* sums);

    // The sums without the item of this row of a panel, which the target rated `code`; critics who did not
    // rate it have nothing in common with the target then.
    void (*without_item)(const std::int32_t* sums, const std::int16_t* row, std::int32_t code,
                         std::int32_t* out);

    // Similarities, 0 where there is no evidence: kind 0 is Euclidean, kind 1 Pearson. `rounding` is the
    // share of a sum of squares that is no variance.
    void (*whole[2])(const std::int32_t* sums, double overlap, double shrinkage, double unit, double rounding,
                     double* out);
    void (*real[2])(const double* sums, double overlap, double shrinkage, double unit, double rounding,
                    double* out);

    // Places of the values in [least, end), in order; returns how many. `count` is a whole number of
    // kCritics, `places` has room for one more.
    std::int64_t (*between)(const double* values, std::int64_t count, double least, double end,
                            std::int32_t* places);
};

ASSAY_SIMD(RatingsSimd, ratings_simd)

}  // namespace assay
