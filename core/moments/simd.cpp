// See simd.hpp; compiled once per instruction set.
#include "moments/simd.hpp"

#include "base/index.hpp"
#include "simd/vector.hpp"

namespace assay {
namespace {

void add_rows(const double* __restrict x, std::int64_t count, std::int64_t width,
              const std::int32_t* __restrict cell, const double* __restrict center, double* __restrict weight,
              double* __restrict sum, double* __restrict square) {
    for (std::int64_t r = 0; r < count; ++r) {
        if (cell[r] < 0) continue;
        const std::int64_t at = cell[r] * width;
        const double* __restrict row = x + r * width;
        const double* __restrict c = center + at;
        double* __restrict s = sum + at;
        double* __restrict q = square + at;
        weight[cell[r]] += 1.0;
        for (std::int64_t j = 0; j < width; ++j) {
            const double d = row[j] - c[j];
            s[j] += d;
            q[j] += d * d;
        }
    }
}

void add_weighted_rows(const double* __restrict x, std::int64_t count, std::int64_t width,
                       const std::int32_t* __restrict cell, const double* __restrict row_weight,
                       const double* __restrict center, double* __restrict weight, double* __restrict sum,
                       double* __restrict square) {
    for (std::int64_t r = 0; r < count; ++r) {
        if (cell[r] < 0 || row_weight[r] == 0.0) continue;
        const std::int64_t at = cell[r] * width;
        const double* __restrict row = x + r * width;
        const double* __restrict c = center + at;
        double* __restrict s = sum + at;
        double* __restrict q = square + at;
        const double w = row_weight[r];
        weight[cell[r]] += w;
        for (std::int64_t j = 0; j < width; ++j) {
            const double d = row[j] - c[j];
            s[j] += w * d;
            q[j] += w * d * d;
        }
    }
}

void center_row(const double* __restrict x, const double* __restrict c, std::int64_t width, double weight,
                double scale, std::int64_t panel_stride, double* __restrict out, double* __restrict sum) {
    std::int64_t j = 0;
    for (; j + kLanes <= width; j += kLanes, out += panel_stride)
        for (std::int64_t l = 0; l < kLanes; ++l) {
            const double d = x[j + l] - c[j + l];
            sum[j + l] += weight * d;
            out[l] = d * scale;
        }
    for (std::int64_t l = 0; j < width && l < kLanes; ++l) {  // the last panel is padded with zeros
        const double d = j + l < width ? x[j + l] - c[j + l] : 0.0;
        if (j + l < width) sum[j + l] += weight * d;
        out[l] = d * scale;
    }
}

void add_block(const double* __restrict left, const double* __restrict right, std::int64_t rows, int halves,
               double* __restrict block) {
    for (int half = 0; half < halves; ++half) {  // four rows of the block at a time: eight accumulators
        Eight s0, s1, s2, s3, r;
        clear(s0), clear(s1), clear(s2), clear(s3);
        const double* l = left + half * 4;
        const double* q = right;
        for (std::int64_t i = 0; i < rows; ++i, l += kLanes, q += kLanes) {
            load(q, r);
            add_scaled(s0, l[0], r), add_scaled(s1, l[1], r), add_scaled(s2, l[2], r),
                add_scaled(s3, l[3], r);
        }
        // Added at the end, not begun with: a sum of short sums keeps a digit more than a long one.
        double* at = block + half * 4 * kLanes;
        add_to(at, s0), add_to(at + 8, s1), add_to(at + 16, s2), add_to(at + 24, s3);
    }
}

}  // namespace

const MomentsSimd ASSAY_TABLE(moments_simd) = {
    .add_rows = add_rows,
    .add_weighted_rows = add_weighted_rows,
    .center_row = center_row,
    .add_block = add_block,
};

}  // namespace assay
