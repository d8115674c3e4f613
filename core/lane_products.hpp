// Products with rows that lie eight side by side: group g of eight holds feature j at z[(g * width + j) * 8
// ...]. Included by leaves.cpp alone. Tiles are as large as the registers allow; each number is the same sum
// in the same order whatever tile it falls into.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace assay {
namespace {

// Scores of `Models` models for `Groups` groups: s[m * stride + row] = weights[m] · z[row]. Of weights and
// rows, the fewer wait in registers for the others.
template <class T, int Models, int Groups>
ASSAY_INLINE void score_tile(const T* __restrict z, std::int64_t width, const T* __restrict weights,
                             T* __restrict s, std::int64_t stride) {
    using Vector = typename Lane<T>::Vector;
    constexpr int kEach = Lane<T>::kOfEight, kVectors = Groups * kEach;
    Vector sum[Models][kVectors];
    for (int m = 0; m < Models; ++m)
        for (int v = 0; v < kVectors; ++v) sum[m][v] = every(T(0));
    const auto rows = [&](std::int64_t j, int v) __attribute__((always_inline)) {
        return load_lanes(z + ((v / kEach) * width + j) * 8 + (v % kEach) * Lane<T>::kCount);
    };
    for (std::int64_t j = 0; j < width; ++j)
        if constexpr (Models < kVectors) {
            Vector w[Models];
            for (int m = 0; m < Models; ++m) w[m] = every(weights[m * width + j]);
            for (int v = 0; v < kVectors; ++v) {
                const Vector x = rows(j, v);
                for (int m = 0; m < Models; ++m) sum[m][v] += w[m] * x;
            }
        } else {
            Vector x[kVectors];
            for (int v = 0; v < kVectors; ++v) x[v] = rows(j, v);
            for (int m = 0; m < Models; ++m) {
                const Vector w = every(weights[m * width + j]);
                for (int v = 0; v < kVectors; ++v) sum[m][v] += w * x[v];
            }
        }
    for (int m = 0; m < Models; ++m)
        for (int v = 0; v < kVectors; ++v) store_lanes(sum[m][v], s + m * stride + v * Lane<T>::kCount);
}

template <class T, int Models, int Groups>
ASSAY_INLINE void score_strip(const T* z, std::int64_t groups, std::int64_t width, const T* weights, T* s,
                              std::int64_t stride) {
    std::int64_t g = 0;
    for (; g + Groups <= groups; g += Groups)
        score_tile<T, Models, Groups>(z + g * width * 8, width, weights, s + g * 8, stride);
    for (; g < groups; ++g) score_tile<T, Models, 1>(z + g * width * 8, width, weights, s + g * 8, stride);
}

template <class T>
void lane_scores(const T* z, std::int64_t groups, std::int64_t width, const T* weights, std::int64_t models,
                 T* s, std::int64_t stride) {
    constexpr int kWide = sizeof(double) / sizeof(T);  // as many registers as doubles fill
    std::int64_t m = 0;
    for (; m + 6 <= models; m += 6)
        score_strip<T, 6, kWide>(z, groups, width, weights + m * width, s + m * stride, stride);
    weights += m * width, s += m * stride;
    if (models - m == 5) score_strip<T, 5, kWide>(z, groups, width, weights, s, stride);
    if (models - m == 4) score_strip<T, 4, kWide>(z, groups, width, weights, s, stride);
    if (models - m == 3) score_strip<T, 3, 2 * kWide>(z, groups, width, weights, s, stride);
    if (models - m == 2) score_strip<T, 2, 2 * kWide>(z, groups, width, weights, s, stride);
    if (models - m == 1) score_strip<T, 1, 4 * kWide>(z, groups, width, weights, s, stride);
}

// sums[(m * width + j) * kCount ...] += a[m] * z[j] over rows, a vector of them at a time; a[m] of group g
// lies at a[m * a_step + g * a_group].
template <class T, int Models, int Columns>
ASSAY_INLINE void product_tile(const T* __restrict a, std::int64_t a_step, std::int64_t a_group,
                               const T* __restrict z, std::int64_t groups, std::int64_t width,
                               T* __restrict sums) {
    using Vector = typename Lane<T>::Vector;
    constexpr int kCount = Lane<T>::kCount;
    Vector sum[Models][Columns];
    for (int m = 0; m < Models; ++m)
        for (int j = 0; j < Columns; ++j) sum[m][j] = load_lanes(sums + (m * width + j) * kCount);
    for (std::int64_t g = 0; g < groups; ++g)
        for (int at = 0; at < 8; at += kCount) {
            Vector r[Models];
            for (int m = 0; m < Models; ++m) r[m] = load_lanes(a + m * a_step + g * a_group + at);
            for (int j = 0; j < Columns; ++j) {
                const Vector v = load_lanes(z + (g * width + j) * 8 + at);
                for (int m = 0; m < Models; ++m) sum[m][j] += r[m] * v;
            }
        }
    for (int m = 0; m < Models; ++m)
        for (int j = 0; j < Columns; ++j) store_lanes(sum[m][j], sums + (m * width + j) * kCount);
}

template <class T, int Columns>
ASSAY_INLINE void product_columns(const T* a, std::int64_t a_step, std::int64_t a_group, std::int64_t models,
                                  const T* z, std::int64_t groups, std::int64_t width, T* sums) {
    constexpr int kCount = Lane<T>::kCount;
    std::int64_t m = 0;
    for (; m + 3 <= models; m += 3)
        product_tile<T, 3, Columns>(a + m * a_step, a_step, a_group, z, groups, width,
                                    sums + m * width * kCount);
    a += m * a_step, sums += m * width * kCount;
    if (models - m == 2) product_tile<T, 2, Columns>(a, a_step, a_group, z, groups, width, sums);
    if (models - m == 1) product_tile<T, 1, Columns>(a, a_step, a_group, z, groups, width, sums);
}

template <class T>
void lane_products(const T* a, std::int64_t a_step, std::int64_t a_group, std::int64_t models, const T* z,
                   std::int64_t groups, std::int64_t width, std::int64_t first, T* sums) {
    constexpr int kCount = Lane<T>::kCount;
    std::int64_t j = first;
    for (; j + 4 <= width; j += 4)
        product_columns<T, 4>(a, a_step, a_group, models, z + j * 8, groups, width, sums + j * kCount);
    z += j * 8, sums += j * kCount;
    if (width - j == 3) product_columns<T, 3>(a, a_step, a_group, models, z, groups, width, sums);
    if (width - j == 2) product_columns<T, 2>(a, a_step, a_group, models, z, groups, width, sums);
    if (width - j == 1) product_columns<T, 1>(a, a_step, a_group, models, z, groups, width, sums);
}

// out = factor[row] * z.
template <class T>
void scale_lanes(const T* __restrict z, const T* __restrict factor, std::int64_t groups, std::int64_t width,
                 T* __restrict out) {
    for (std::int64_t g = 0; g < groups; ++g, factor += 8)
        for (std::int64_t j = 0; j < width; ++j, z += 8, out += 8)
            for (int l = 0; l < 8; ++l) out[l] = factor[l] * z[l];
}

}  // namespace
}  // namespace assay
