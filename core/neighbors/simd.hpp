// Vector loops of nearest neighbours.
#pragma once

#include <cstdint>

#include "neighbors/pattern_simd.hpp"
#include "simd/dispatch.hpp"

namespace assay {

// A pair of a sweep: its key, the row in the block and the column in the panel.
template <class Key>
struct HitOf {
    Key key;
    std::int32_t row, column;
};
using Hit = HitOf<float>;
using WholeHit = HitOf<std::int32_t>;

// The same sweep over small whole numbers, exact: every number of `rows` and `panel` is a pair of 16 bits
// each, and sums start with that of their column. Group g has pairs ends[g] to ends[g + 1], and `used` says
// which pairs of the panel they are.
typedef std::int64_t (*WholeSweep)(const std::int32_t* rows, const std::int32_t* used,
                                   const std::int64_t* ends, std::int64_t groups, const std::int32_t* panel,
                                   const std::int32_t* start, const std::int32_t* limit, WholeHit* hits);

// Distances of a row to rows source[0..count) of x (null: 0, 1, ...): the sum of squared differences, of
// absolute ones, the number of columns that differ, and the mixture of neighbors/loops.hpp.
template <class T>
struct DistanceLoops {
    typedef void (*To)(const double* row, const T* x, const std::int32_t* source, std::int64_t count,
                       std::int64_t width, std::int64_t numeric, double* out);
    To squares, absolutes, mismatches, mixed;
};

struct NeighborsSimd {
    // Products of rows, in groups of `near_rows` side by side, with a panel of `near_columns` columns; those
    // that do not exceed the limit of their row are listed, and counted.
    std::int64_t (*near_sweep)(const float* rows, std::int64_t groups, std::int64_t depth, const float* panel,
                               const float* limit, Hit* hits);
    WholeSweep whole_sweep;  // null where it would not be faster
    std::int64_t near_rows, near_columns;
    DistanceLoops<float> distances32;
    DistanceLoops<double> distances64;
    PatternLoops patterns;
};

ASSAY_SIMD(NeighborsSimd, neighbors_simd)

}  // namespace assay
