// See simd.hpp; compiled once per instruction set.
#include "neighbors/simd.hpp"

#include "neighbors/integer_simd.hpp"
#include "neighbors/pattern_loops.hpp"
#include "simd/distances.hpp"

namespace assay {
namespace {

std::int64_t near_sweep(const float* __restrict rows, std::int64_t groups, std::int64_t depth,
                        const float* __restrict panel, const float* __restrict limit, Hit* __restrict hits) {
    std::int64_t found = 0;
    for (std::int64_t g = 0; g < groups; ++g) {
        TileSums<Floats> sum = {};
        add_products(rows + g * depth * kTileRows, panel, depth, sum);
        found += list_tile(sum, limit, g * kTileRows, hits + found);
    }
    return found;
}

template <class Term, class T>
void distances_to(const double* q, const T* x, const std::int32_t* source, std::int64_t count,
                  std::int64_t width, std::int64_t, double* out) {
    constexpr std::int64_t kAhead = 4, kLine = 64 / static_cast<std::int64_t>(sizeof(T)), kMost = 8 * kLine;
    for (std::int64_t i = 0; i < count; ++i) {
        if (source && i + kAhead < count)  // rows from anywhere are asked for in time
            for (std::int64_t j = 0; j < width && j < kMost; j += kLine)
                __builtin_prefetch(x + source[i + kAhead] * width + j);
        out[i] = sum_of<Term>(q, x + (source ? source[i] : i) * width, width);
    }
}

// The first `numeric` columns by their differences, the others by whether they differ; columns in which one
// of the two is NaN are left out, and the others stand for them.
template <class T>
void mixed_to(const double* q, const T* x, const std::int32_t* source, std::int64_t count, std::int64_t width,
              std::int64_t numeric, double* out) {
    for (std::int64_t i = 0; i < count; ++i) {
        const T* __restrict row = x + (source ? source[i] : i) * width;
        double sum = 0.0, seen = 0.0;
        for (std::int64_t j = 0; j < width; ++j) {
            const double b = static_cast<double>(row[j]), d = __builtin_fabs(q[j] - b);
            const bool known = d == d;
            seen += known ? 1.0 : 0.0;
            sum += !known ? 0.0 : j < numeric ? d : d > 0.0 ? 1.0 : 0.0;
        }
        const double whole = static_cast<double>(width);
        out[i] = seen > 0.0 ? sum * (whole / seen) : whole;
    }
}

template <class T>
constexpr DistanceLoops<T> distance_loops = {
    .squares = distances_to<Squares, T>,
    .absolutes = distances_to<Absolutes, T>,
    .mismatches = distances_to<Mismatches, T>,
    .mixed = mixed_to<T>,
};

}  // namespace

const NeighborsSimd ASSAY_TABLE(neighbors_simd) = {
    .near_sweep = near_sweep,
    .whole_sweep = whole_sweep_here,
    .near_rows = kTileRows,
    .near_columns = kTileColumns,
    .distances32 = distance_loops<float>,
    .distances64 = distance_loops<double>,
    .patterns = pattern_loops,
};

}  // namespace assay
