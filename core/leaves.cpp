// Compiled several times, each with the flags of one kind of processor and its own ASSAY_LEAVES name. Nothing
// here may use the standard library: a template instantiated with these flags could end up in code for any
// processor.
#include "leaves.hpp"

#include "cholesky_lanes.hpp"
#include "feature_lanes.hpp"
#include "grid_lanes.hpp"
#include "hinge_lanes.hpp"
#include "kmeans_lanes.hpp"
#include "lane_products.hpp"
#include "lanes.hpp"
#include "line_lanes.hpp"
#include "near_lanes.hpp"
#include "network_lanes.hpp"
#include "pattern_lanes.hpp"
#include "posterior_lanes.hpp"
#include "ratings_lanes.hpp"
#include "smo_lanes.hpp"
#include "softmax_lanes.hpp"
#include "whole_lanes.hpp"

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

// Four rows less `center`, padded by zeros; a run's last row is repeated to make four.
ASSAY_INLINE void gather(const double* x, const std::int64_t* source, std::int64_t count, std::int64_t width,
                         std::int64_t wide, const double* center, double* __restrict rows) {
    for (std::int64_t i = 0; i < kTogether; ++i) {
        const double* __restrict from = x + source[i < count ? i : count - 1] * width;
        double* __restrict to = rows + i * wide;
        for (std::int64_t j = 0; j < width; ++j) to[j] = from[j] - center[j];
    }
}

void linear_run(const double* __restrict x, const std::int64_t* __restrict source,
                const std::int32_t* __restrict place, std::int64_t count, std::int64_t width,
                std::int64_t classes, const double* __restrict center, const double* __restrict weights,
                const double* __restrict bias, double* __restrict rows, double* __restrict out) {
    const std::int64_t wide = whole_lanes(width);
    for (std::int64_t first = 0; first < count; first += kTogether) {
        const std::int64_t some = count - first < kTogether ? count - first : kTogether;
        gather(x, source + first, some, width, wide, center, rows);
        for (std::int64_t k = 0; k < classes; ++k) {
            Eight s0, s1, s2, s3, w, r;
            clear(s0), clear(s1), clear(s2), clear(s3);
            for (std::int64_t j = 0; j < wide; j += kLanes) {
                load(weights + k * wide + j, w);
                load(rows + j, r), add_product(s0, r, w);
                load(rows + wide + j, r), add_product(s1, r, w);
                load(rows + 2 * wide + j, r), add_product(s2, r, w);
                load(rows + 3 * wide + j, r), add_product(s3, r, w);
            }
            const double sums[kTogether] = {fold(s0), fold(s1), fold(s2), fold(s3)};
            for (std::int64_t i = 0; i < some; ++i) out[place[first + i] * classes + k] = bias[k] + sums[i];
        }
    }
}

ASSAY_INLINE void add_square(Eight& sum, const double* row, const Eight& mean, const Eight& precision) {
    Eight r;
    load(row, r);
    const Four low = r.low - mean.low, high = r.high - mean.high;
    sum.low += low * low * precision.low;
    sum.high += high * high * precision.high;
}

// Four rows at a time, read where they lie; only the columns after the last whole lanes are copied and
// padded.
void diagonal_run(const double* __restrict x, const std::int64_t* __restrict source,
                  const std::int32_t* __restrict place, std::int64_t count, std::int64_t width,
                  std::int64_t classes, const double* __restrict mean, const double* __restrict precision,
                  const double* __restrict bias, double* __restrict tail, double* __restrict out) {
    const std::int64_t wide = whole_lanes(width), whole = width / kLanes * kLanes;
    for (std::int64_t first = 0; first < count; first += kTogether) {
        const std::int64_t some = count - first < kTogether ? count - first : kTogether;
        const double* row[kTogether];
        for (std::int64_t i = 0; i < kTogether; ++i) {
            row[i] = x + source[first + (i < some ? i : some - 1)] * width;
            for (std::int64_t j = whole; j < width; ++j) tail[i * kLanes + j - whole] = row[i][j];
        }
        for (std::int64_t k = 0; k < classes; ++k) {
            Eight s0, s1, s2, s3, m, h;
            clear(s0), clear(s1), clear(s2), clear(s3);
            for (std::int64_t j = 0; j < whole; j += kLanes) {
                load(mean + k * wide + j, m), load(precision + k * wide + j, h);
                add_square(s0, row[0] + j, m, h), add_square(s1, row[1] + j, m, h);
                add_square(s2, row[2] + j, m, h), add_square(s3, row[3] + j, m, h);
            }
            if (whole < width) {
                load(mean + k * wide + whole, m), load(precision + k * wide + whole, h);
                add_square(s0, tail, m, h), add_square(s1, tail + kLanes, m, h);
                add_square(s2, tail + 2 * kLanes, m, h), add_square(s3, tail + 3 * kLanes, m, h);
            }
            const double sums[kTogether] = {fold(s0), fold(s1), fold(s2), fold(s3)};
            for (std::int64_t i = 0; i < some; ++i)
                out[place[first + i] * classes + k] = bias[k] - 0.5 * sums[i];
        }
    }
}

// The 4 x 4 transpose of four rows.
ASSAY_INLINE void turn(const double* a, const double* b, const double* c, const double* d, double* out) {
    Four r0, r1, r2, r3;
    __builtin_memcpy(&r0, a, sizeof(Four)), __builtin_memcpy(&r1, b, sizeof(Four));
    __builtin_memcpy(&r2, c, sizeof(Four)), __builtin_memcpy(&r3, d, sizeof(Four));
    const Four t0 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6),
               t1 = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
    const Four t2 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6),
               t3 = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
    const Four c0 = __builtin_shufflevector(t0, t2, 0, 1, 4, 5),
               c1 = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
    const Four c2 = __builtin_shufflevector(t0, t2, 2, 3, 6, 7),
               c3 = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
    __builtin_memcpy(out, &c0, sizeof(Four)), __builtin_memcpy(out + kLanes, &c1, sizeof(Four));
    __builtin_memcpy(out + 2 * kLanes, &c2, sizeof(Four)),
        __builtin_memcpy(out + 3 * kLanes, &c3, sizeof(Four));
}

void transpose(const double* __restrict x, const std::int64_t* __restrict source, std::int64_t count,
               std::int64_t width, double* __restrict t) {
    for (std::int64_t first = 0; first < count; first += kLanes, t += width * kLanes) {
        const double* row[kLanes];
        for (std::int64_t i = 0; i < kLanes; ++i)
            row[i] = x + source[first + i < count ? first + i : count - 1] * width;
        std::int64_t j = 0;
        for (; j + 4 <= width; j += 4) {
            turn(row[0] + j, row[1] + j, row[2] + j, row[3] + j, t + j * kLanes);
            turn(row[4] + j, row[5] + j, row[6] + j, row[7] + j, t + j * kLanes + 4);
        }
        for (; j < width; ++j)
            for (std::int64_t i = 0; i < kLanes; ++i) t[j * kLanes + i] = row[i][j];
    }
}

void subtract(const double* __restrict t, const double* __restrict mean, std::int64_t groups,
              std::int64_t width, double* __restrict out) {
    for (std::int64_t g = 0; g < groups; ++g)
        for (std::int64_t j = 0; j < width; ++j, t += kLanes, out += kLanes) {
            Eight v;
            load(t, v);
            const Four m = all(mean[j]);
            v.low -= m;
            v.high -= m;
            store(v, out);
        }
}

void add_squares(const double* __restrict d, std::int64_t groups, std::int64_t width,
                 const double* __restrict block, std::int64_t rows, double* __restrict sums) {
    for (std::int64_t g = 0; g < groups; ++g) {
        Eight s0, s1, s2, s3, x, total;
        clear(s0), clear(s1), clear(s2), clear(s3);
        const double* at = d + g * width * kLanes;
        const double* w = block;
        for (std::int64_t j = 0; j < rows; ++j, at += kLanes, w += kTogether) {
            load(at, x);
            add_scaled(s0, w[0], x), add_scaled(s1, w[1], x), add_scaled(s2, w[2], x),
                add_scaled(s3, w[3], x);
        }
        load(sums + g * kLanes, total);
        add_product(total, s0, s0), add_product(total, s1, s1);
        add_product(total, s2, s2), add_product(total, s3, s3);
        store(total, sums + g * kLanes);
    }
}

std::int64_t nonzeros(const double* __restrict row, std::int64_t width, std::int32_t* __restrict columns) {
    std::int64_t count = 0, j = 0;
    const auto test = [&](std::int64_t at) {  // NaN is not zero
        columns[count] = static_cast<std::int32_t>(at);
        count += row[at] == 0.0 ? 0 : 1;
    };
    for (; j + 4 <= width; j += 4) {  // most fours are all zeros: their bits, less the sign, are none
        std::uint64_t bits[4];
        __builtin_memcpy(bits, row + j, sizeof bits);
        if (((bits[0] | bits[1] | bits[2] | bits[3]) << 1) == 0) continue;
        test(j), test(j + 1), test(j + 2), test(j + 3);
    }
    for (; j < width; ++j) test(j);
    return count;
}

void add_sparse_squares(const std::int32_t* __restrict column, const double* __restrict value,
                        const std::int64_t* __restrict first, std::int64_t rows,
                        const double* __restrict panel, std::int32_t columns, const double* __restrict start,
                        double* __restrict sums) {
    for (std::int64_t r = 0; r < rows; ++r) {
        Eight s0, s1, s2, s3, w;
        load(start, s0), load(start + 8, s1), load(start + 16, s2), load(start + 24, s3);
        for (std::int64_t e = first[r]; e < first[r + 1] && column[e] < columns; ++e) {
            const double* at = panel + column[e] * kPanel;
            load(at, w), add_scaled(s0, value[e], w);
            load(at + 8, w), add_scaled(s1, value[e], w);
            load(at + 16, w), add_scaled(s2, value[e], w);
            load(at + 24, w), add_scaled(s3, value[e], w);
        }
        Eight total;
        clear(total);
        add_product(total, s0, s0), add_product(total, s1, s1);
        add_product(total, s2, s2), add_product(total, s3, s3);
        sums[r] += fold(total);
    }
}

void dots(const double* __restrict row, const double* __restrict matrix, std::int64_t count,
          std::int64_t width, double* __restrict out) {
    for (std::int64_t k = 0; k < count; ++k, matrix += width) {
        Eight sum, a, b;
        clear(sum);
        std::int64_t j = 0;
        for (; j + kLanes <= width; j += kLanes) {
            load(row + j, a), load(matrix + j, b);
            add_product(sum, a, b);
        }
        double total = fold(sum);
        for (; j < width; ++j) total += row[j] * matrix[j];
        out[k] = total;
    }
}

void add_multiple(double factor, const double* __restrict values, std::int64_t count,
                  double* __restrict sums) {
    for (std::int64_t i = 0; i < count; ++i) sums[i] += factor * values[i];
}

// out = function(x), four at a time; `out` may be `x`.
template <Four function(Four)>
void map_all(const double* x, std::int64_t count, double* out) {
    std::int64_t i = 0;
    Four v;
    for (; i + 4 <= count; i += 4) {
        __builtin_memcpy(&v, x + i, sizeof(Four));
        v = function(v);
        __builtin_memcpy(out + i, &v, sizeof(Four));
    }
    for (; i < count; ++i) out[i] = function(all(x[i]))[0];
}

void standardize(const double* __restrict row, const double* __restrict center, const double* __restrict unit,
                 std::int64_t width, double* __restrict out) {
    for (std::int64_t j = 0; j < width; ++j) out[j] = (row[j] - center[j]) * unit[j];
}

}  // namespace

extern const Leaves ASSAY_LEAVES;
const Leaves ASSAY_LEAVES = {add_rows,
                             add_weighted_rows,
                             center_row,
                             add_block,
                             linear_run,
                             diagonal_run,
                             transpose,
                             subtract,
                             add_squares,
                             nonzeros,
                             add_sparse_squares,
                             dots,
                             add_multiple,
                             standardize,
                             factorise,
                             solve_factor,
                             map_all<exp_four>,
                             map_all<log_four>,
                             log_posteriors,
                             add_lines,
                             hinge_line,
                             pass_table<float>,
                             pass_table<double>,
                             layer_leaves<float>,
                             layer_leaves<double>,
                             near_sweep,
                             whole_sweep_here,
                             kTileRows,
                             kTileColumns,
                             distance_leaves<float>,
                             distance_leaves<double>,
                             machine_leaves<float>,
                             machine_leaves<double>,
                             nearest_two,
                             list_doubtful,
                             group_leaves<float>,
                             group_leaves<double>,
                             search_leaves,
                             rating_leaves,
                             grid_leaves,
                             pattern_leaves};

}  // namespace assay
