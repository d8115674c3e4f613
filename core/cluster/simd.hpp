// Vector loops of k-means.
#pragma once

#include <cstdint>

#include "simd/dispatch.hpp"

namespace assay {

// Bounds in single precision: sums rounded away from what they bound, and by how much one must lie below
// another to be less for certain.
constexpr float kFloatUp = 1.0f + 0x1p-22f, kFloatDown = 1.0f - 0x1p-22f;
constexpr float kFloatMargin = 1.000001f, kFloatLeast = 1e-30f;

// k-means: squared distances of rows source[i] to centres labels[i]; a row about a point, times its weight,
// cut into two parts (cluster/exact_sums.hpp).
template <class T>
struct AssignmentLoops {
    void (*squares_to_own)(const T* x, std::int64_t width, const std::int32_t* source,
                           const std::int32_t* labels, std::int64_t count, const double* centers,
                           double* out);
    void (*cut_row)(const T* x, const double* center, double weight, std::int64_t width,
                    const double* high_cut, const double* low_cut, double* high, double* low);
};

struct ClusterSimd {
    std::int64_t tile_rows, tile_columns;

    // Keys bias + x · centre of rows source[0..count) of x with the centres of panels of `tile_rows`, number
    // d of them side by side: the least, where it is (the first of several), and the second least. `room`
    // holds depth * tile_columns numbers.
    void (*nearest_two)(const float* x, std::int64_t depth, const std::int32_t* source, std::int64_t count,
                        const float* panels, const float* bias, std::int64_t panel_count, float* room,
                        float* last, float* best, float* second, std::int32_t* where);

    // Bounds of rows first, first + 1, ... moved on: upper += drift[label], lower -= others[label]. Rows
    // whose upper bound is not below the lower one, or half[label], are listed and counted; `listed` has room
    // for `count`.
    std::int64_t (*list_doubtful)(std::int64_t first, std::int64_t count, const std::int32_t* labels,
                                  const float* drift, const float* others, const float* half, float* upper,
                                  float* lower, std::int32_t* listed);

    AssignmentLoops<float> groups32;
    AssignmentLoops<double> groups64;
};

ASSAY_SIMD(ClusterSimd, cluster_simd)

}  // namespace assay
