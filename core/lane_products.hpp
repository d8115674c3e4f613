// Products with rows that lie eight side by side: group g of eight holds feature j at z[(g * width + j) * 8
// ...]. Included by leaves.cpp alone. Tiles are as large as the registers allow; each number is the same sum
// in the same order whatever tile it falls into.
#pragma once

#include <cstdint>

#include "lanes.hpp"

namespace assay {
namespace {

// Scores of `Models` models for `Groups` groups: s[m * stride + row] = weights[m] · z[row].
template <int Models, int Groups>
ASSAY_INLINE void score_tile(const double* __restrict z, std::int64_t width, const double* __restrict weights,
                             double* __restrict s, std::int64_t stride) {
    Eight sum[Models][Groups];
    for (int m = 0; m < Models; ++m)
        for (int g = 0; g < Groups; ++g) clear(sum[m][g]);
    for (std::int64_t j = 0; j < width; ++j)
        for (int g = 0; g < Groups; ++g) {
            Eight v;
            load(z + (g * width + j) * 8, v);
            for (int m = 0; m < Models; ++m) add_scaled(sum[m][g], weights[m * width + j], v);
        }
    for (int m = 0; m < Models; ++m)
        for (int g = 0; g < Groups; ++g) store(sum[m][g], s + m * stride + g * 8);
}

template <int Models, int Groups>
ASSAY_INLINE void score_strip(const double* z, std::int64_t groups, std::int64_t width, const double* weights,
                              double* s, std::int64_t stride) {
    std::int64_t g = 0;
    for (; g + Groups <= groups; g += Groups)
        score_tile<Models, Groups>(z + g * width * 8, width, weights, s + g * 8, stride);
    for (; g < groups; ++g) score_tile<Models, 1>(z + g * width * 8, width, weights, s + g * 8, stride);
}

void lane_scores(const double* z, std::int64_t groups, std::int64_t width, const double* weights,
                 std::int64_t models, double* s, std::int64_t stride) {
    std::int64_t m = 0;
    for (; m + 6 <= models; m += 6)
        score_strip<6, 1>(z, groups, width, weights + m * width, s + m * stride, stride);
    weights += m * width, s += m * stride;
    if (models - m == 5) score_strip<5, 1>(z, groups, width, weights, s, stride);
    if (models - m == 4) score_strip<4, 1>(z, groups, width, weights, s, stride);
    if (models - m == 3) score_strip<3, 2>(z, groups, width, weights, s, stride);
    if (models - m == 2) score_strip<2, 2>(z, groups, width, weights, s, stride);
    if (models - m == 1) score_strip<1, 4>(z, groups, width, weights, s, stride);
}

// sums[(m * width + j) * 4 ...] += a[m] * z[j] over rows, four at a time; a[m] of group g lies at
// a[m * a_step + g * a_group].
template <int Models, int Columns>
ASSAY_INLINE void product_tile(const double* __restrict a, std::int64_t a_step, std::int64_t a_group,
                               const double* __restrict z, std::int64_t groups, std::int64_t width,
                               double* __restrict sums) {
    Four sum[Models][Columns];
    for (int m = 0; m < Models; ++m)
        for (int j = 0; j < Columns; ++j) sum[m][j] = load_four(sums + (m * width + j) * 4);
    for (std::int64_t g = 0; g < groups; ++g)
        for (int half = 0; half < 8; half += 4) {
            Four r[Models];
            for (int m = 0; m < Models; ++m) r[m] = load_four(a + m * a_step + g * a_group + half);
            for (int j = 0; j < Columns; ++j) {
                const Four v = load_four(z + (g * width + j) * 8 + half);
                for (int m = 0; m < Models; ++m) sum[m][j] += r[m] * v;
            }
        }
    for (int m = 0; m < Models; ++m)
        for (int j = 0; j < Columns; ++j) store_four(sum[m][j], sums + (m * width + j) * 4);
}

template <int Columns>
ASSAY_INLINE void product_columns(const double* a, std::int64_t a_step, std::int64_t a_group,
                                  std::int64_t models, const double* z, std::int64_t groups,
                                  std::int64_t width, double* sums) {
    std::int64_t m = 0;
    for (; m + 3 <= models; m += 3)
        product_tile<3, Columns>(a + m * a_step, a_step, a_group, z, groups, width, sums + m * width * 4);
    a += m * a_step, sums += m * width * 4;
    if (models - m == 2) product_tile<2, Columns>(a, a_step, a_group, z, groups, width, sums);
    if (models - m == 1) product_tile<1, Columns>(a, a_step, a_group, z, groups, width, sums);
}

void lane_products(const double* a, std::int64_t a_step, std::int64_t a_group, std::int64_t models,
                   const double* z, std::int64_t groups, std::int64_t width, std::int64_t first,
                   double* sums) {
    std::int64_t j = first;
    for (; j + 4 <= width; j += 4)
        product_columns<4>(a, a_step, a_group, models, z + j * 8, groups, width, sums + j * 4);
    z += j * 8, sums += j * 4;
    if (width - j == 3) product_columns<3>(a, a_step, a_group, models, z, groups, width, sums);
    if (width - j == 2) product_columns<2>(a, a_step, a_group, models, z, groups, width, sums);
    if (width - j == 1) product_columns<1>(a, a_step, a_group, models, z, groups, width, sums);
}

// out = factor[row] * z.
void scale_lanes(const double* __restrict z, const double* __restrict factor, std::int64_t groups,
                 std::int64_t width, double* __restrict out) {
    for (std::int64_t g = 0; g < groups; ++g, factor += 8)
        for (std::int64_t j = 0; j < width; ++j, z += 8, out += 8)
            for (int l = 0; l < 8; ++l) out[l] = factor[l] * z[l];
}

}  // namespace
}  // namespace assay
