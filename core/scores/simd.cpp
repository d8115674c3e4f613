// See simd.hpp; compiled once per instruction set.
#include "scores/simd.hpp"

#include "base/index.hpp"
#include "scores/grid_simd.hpp"
#include "simd/math.hpp"

namespace assay {
namespace {

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

// Log posteriors of four rows side by side.
std::int64_t log_posteriors(const double* scores, std::int64_t rows, std::int64_t classes,
                            std::int64_t stride, double* room, double* out, std::int32_t* best) {
    const Four none = all(0.0), one = all(1.0);
    std::int64_t unusable = 0;
    for (std::int64_t first = 0; first < rows; first += 4) {
        const std::int64_t some = rows - first < 4 ? rows - first : 4;
        const double* s[4];
        for (std::int64_t i = 0; i < 4; ++i) s[i] = scores + (first + (i < some ? i : some - 1)) * stride;
        Four most = {s[0][0], s[1][0], s[2][0], s[3][0]}, top = none, bad = none;
        for (std::int64_t k = 0; k < classes; ++k) {
            const Four v = {s[0][k], s[1][k], s[2][k], s[3][k]};
            store_four(v, room + 4 * k);
            bad = v == v ? bad : one;
            top = v > most ? all(static_cast<double>(k)) : top;
            most = v > most ? v : most;
        }
        Four sum = none;
        for (std::int64_t k = 0; k < classes; ++k) {
            const Four less = load_four(room + 4 * k) - most;
            store_four(less, room + 4 * k);
            sum += exp_four(less);
        }
        sum = log_four(sum);
        for (std::int64_t k = 0; k < classes; ++k) store_four(load_four(room + 4 * k) - sum, room + 4 * k);
        bad = most - most == none ? bad : one;  // infinite
        double tops[4], bads[4];
        store_four(top, tops), store_four(bad, bads);
        for (std::int64_t i = 0; i < some; ++i) {
            double* to = out + (first + i) * classes;
            for (std::int64_t k = 0; k < classes; ++k) to[k] = room[4 * k + i];
            best[first + i] = static_cast<std::int32_t>(tops[i]);
            unusable += bads[i] != 0.0;
        }
    }
    return unusable;
}

}  // namespace

const ScoresSimd ASSAY_TABLE(scores_simd) = {
    .linear_run = linear_run,
    .diagonal_run = diagonal_run,
    .subtract = subtract,
    .add_squares = add_squares,
    .nonzeros = nonzeros,
    .add_sparse_squares = add_sparse_squares,
    .log_posteriors = log_posteriors,
    .grid = grid_loops,
};

}  // namespace assay
