// Products with rows that lie eight side by side: group g of eight holds feature j at z[(g * width + j) * 8
// ...]. Tiles are as large as the registers allow; each number is the same sum
// in the same order whatever tile it falls into.
#pragma once

#include <cstdint>

#include "base/index.hpp"
#include "simd/vector.hpp"

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

// sums[(m * width + j) * kCount ...] += a[m * stride + row] * z[j] over rows, a vector of them at a time.
template <class T, int Models, int Columns>
ASSAY_INLINE void product_tile(const T* __restrict a, std::int64_t stride, const T* __restrict z,
                               std::int64_t groups, std::int64_t width, T* __restrict sums) {
    using Vector = typename Lane<T>::Vector;
    constexpr int kCount = Lane<T>::kCount;
    Vector sum[Models][Columns];
    for (int m = 0; m < Models; ++m)
        for (int j = 0; j < Columns; ++j) sum[m][j] = load_lanes(sums + (m * width + j) * kCount);
    for (std::int64_t g = 0; g < groups; ++g)
        for (int at = 0; at < 8; at += kCount) {
            Vector r[Models];
            for (int m = 0; m < Models; ++m) r[m] = load_lanes(a + m * stride + g * 8 + at);
            for (int j = 0; j < Columns; ++j) {
                const Vector v = load_lanes(z + (g * width + j) * 8 + at);
                for (int m = 0; m < Models; ++m) sum[m][j] += r[m] * v;
            }
        }
    for (int m = 0; m < Models; ++m)
        for (int j = 0; j < Columns; ++j) store_lanes(sum[m][j], sums + (m * width + j) * kCount);
}

template <class T, int Columns>
ASSAY_INLINE void product_columns(const T* a, std::int64_t stride, std::int64_t models, const T* z,
                                  std::int64_t groups, std::int64_t width, T* sums) {
    constexpr int kCount = Lane<T>::kCount;
    std::int64_t m = 0;
    for (; m + 3 <= models; m += 3)
        product_tile<T, 3, Columns>(a + m * stride, stride, z, groups, width, sums + m * width * kCount);
    a += m * stride, sums += m * width * kCount;
    if (models - m == 2) product_tile<T, 2, Columns>(a, stride, z, groups, width, sums);
    if (models - m == 1) product_tile<T, 1, Columns>(a, stride, z, groups, width, sums);
}

template <class T>
void lane_products(const T* a, std::int64_t stride, std::int64_t models, const T* z, std::int64_t groups,
                   std::int64_t width, T* sums) {
    constexpr int kCount = Lane<T>::kCount;
    std::int64_t j = 0;
    for (; j + 4 <= width; j += 4)
        product_columns<T, 4>(a, stride, models, z + j * 8, groups, width, sums + j * kCount);
    z += j * 8, sums += j * kCount;
    if (width - j == 3) product_columns<T, 3>(a, stride, models, z, groups, width, sums);
    if (width - j == 2) product_columns<T, 2>(a, stride, models, z, groups, width, sums);
    if (width - j == 1) product_columns<T, 1>(a, stride, models, z, groups, width, sums);
}

// out[j * rows + row] = factor[row] * z[j].
template <class T>
void lane_features(const T* __restrict z, const T* __restrict factor, std::int64_t groups, std::int64_t width,
                   T* __restrict out) {
    for (std::int64_t j = 0; j < width; ++j, out += groups * 8)
        for (std::int64_t g = 0; g < groups; ++g)
            for (int l = 0; l < 8; ++l) out[g * 8 + l] = factor[g * 8 + l] * z[(g * width + j) * 8 + l];
}

// Eight columns of eight rows, side by side for each row.
ASSAY_INLINE void turn_eight(const double* z, double* out, std::int64_t step) {
    for (int row = 0; row < 8; row += 4)
        for (int column = 0; column < 8; column += 4) {
            const double* from = z + column * 8 + row;
            const Four a = load_four(from), b = load_four(from + 8), c = load_four(from + 16),
                       d = load_four(from + 24);
            const Four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                       ba = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                       cd = __builtin_shufflevector(c, d, 0, 4, 2, 6),
                       dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
            double* to = out + row * step + column;
            store_four(__builtin_shufflevector(ab, cd, 0, 1, 4, 5), to);
            store_four(__builtin_shufflevector(ba, dc, 0, 1, 4, 5), to + step);
            store_four(__builtin_shufflevector(ab, cd, 2, 3, 6, 7), to + 2 * step);
            store_four(__builtin_shufflevector(ba, dc, 2, 3, 6, 7), to + 3 * step);
        }
}
ASSAY_INLINE void turn_eight(const float* z, float* out, std::int64_t step) {
    EightFloats r[8], s[8];
    for (int i = 0; i < 8; ++i) r[i] = load_lanes(z + i * 8);
    for (int i = 0; i < 8; i += 2) {
        s[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        s[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int h = 0; h < 2; ++h) {
            r[i + 2 * h] = __builtin_shufflevector(s[i + h], s[i + h + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            r[i + 2 * h + 1] = __builtin_shufflevector(s[i + h], s[i + h + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; ++i) {
        store_lanes(__builtin_shufflevector(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11), out + i * step);
        store_lanes(__builtin_shufflevector(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15),
                    out + (i + 4) * step);
    }
}

// out[(panel * rows + row) * columns + c] = column panel * columns + c of the row; 0 behind the last column.
template <class T>
void lane_panels(const T* z, std::int64_t groups, std::int64_t width, T* out) {
    constexpr std::int64_t kColumns = kPanelBytes / sizeof(T);
    for (std::int64_t first = 0; first < width; first += kColumns, out += groups * 8 * kColumns)
        for (std::int64_t g = 0; g < groups; ++g)
            for (std::int64_t c = 0; c < kColumns; c += 8) {
                const T* from = z + (g * width + first + c) * 8;
                T* to = out + g * 8 * kColumns + c;
                if (first + c + 8 <= width) {
                    turn_eight(from, to, kColumns);
                    continue;
                }
                for (int l = 0; l < 8; ++l)
                    for (std::int64_t i = 0; i < 8; ++i)
                        to[l * kColumns + i] = first + c + i < width ? from[i * 8 + l] : T(0);
            }
}

}  // namespace
}  // namespace assay
