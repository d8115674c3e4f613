// Posteriors and residuals of eight rows at a time; included by leaves.cpp alone.
#pragma once

#include "lanes.hpp"

namespace assay {
namespace {

constexpr int kHalves = 2;  // fours in eight rows: they are computed side by side
constexpr int kLogs = 4;    // eights whose logarithms are taken as one, of a product

ASSAY_INLINE double sum_of(const Four& v) { return (v[0] + v[2]) + (v[1] + v[3]); }

// Classes and weights of eight rows.
struct EightRows {
    FourBits code[kHalves];
    Four weight[kHalves];
};

ASSAY_INLINE EightRows eight_rows(const std::int32_t* codes, const double* weight) {
    EightRows rows;
    for (int h = 0; h < kHalves; ++h, codes += 4) {
        rows.code[h] = FourBits{static_cast<std::uint64_t>(codes[0]), static_cast<std::uint64_t>(codes[1]),
                                static_cast<std::uint64_t>(codes[2]), static_cast<std::uint64_t>(codes[3])};
        rows.weight[h] = weight ? load_four(weight + h * 4) : all(1.0);
    }
    return rows;
}

// Log losses on the way: of rows that all count as one, the logarithms are taken of products.
struct Losses {
    Four sum = all(0.0), product = all(1.0);
    int waiting = 0;

    ASSAY_INLINE void add(const EightRows& rows, const Four* inside, const Four* outside, bool weighted) {
        for (int h = 0; h < kHalves; ++h)
            if (weighted)
                sum += rows.weight[h] * (log_four(inside[h]) + outside[h]);
            else
                sum += outside[h], product *= inside[h];
        if (!weighted && ++waiting == kLogs) flush();
    }
    ASSAY_INLINE void flush() {
        sum += log_four(product);
        product = all(1.0), waiting = 0;
    }
};

ASSAY_INLINE void sigmoid_eight(double* at, const EightRows* rows, bool weighted, Losses& losses) {
    const Four none = all(0.0), one = all(1.0);
    Four inside[kHalves], outside[kHalves];
    for (int h = 0; h < kHalves; ++h) {
        const Four s = load_four(at + 4 * h), e = exp_four(s > none ? -s : s), share = one / (one + e);
        Four p = s > none ? share : e * share;
        if (rows) {
            const Four t = rows->code[h] == 1 ? one : none;
            p = weighted ? rows->weight[h] * (p - t) : p - t;
            inside[h] = one + e, outside[h] = (s > none ? s : none) - t * s;
        }
        store_four(p, at + 4 * h);
    }
    if (rows) losses.add(*rows, inside, outside, weighted);
}

ASSAY_INLINE void softmax_eight(double* at, std::int64_t classes, std::int64_t stride, const EightRows* rows,
                                bool weighted, Losses& losses) {
    Four most[kHalves], sum[kHalves], own[kHalves], share[kHalves];
    for (int h = 0; h < kHalves; ++h) most[h] = load_four(at + 4 * h), sum[h] = own[h] = all(0.0);
    for (std::int64_t k = 1; k < classes; ++k)
        for (int h = 0; h < kHalves; ++h) {
            const Four s = load_four(at + k * stride + 4 * h);
            most[h] = s > most[h] ? s : most[h];
        }
    for (std::int64_t k = 0; k < classes; ++k)
        for (int h = 0; h < kHalves; ++h) {
            const Four s = load_four(at + k * stride + 4 * h) - most[h], e = exp_four(s);
            if (rows) own[h] = rows->code[h] == static_cast<std::uint64_t>(k) ? -s : own[h];
            sum[h] += e;
            store_four(e, at + k * stride + 4 * h);
        }
    for (int h = 0; h < kHalves; ++h) share[h] = all(1.0) / sum[h];
    for (std::int64_t k = 0; k < classes; ++k)
        for (int h = 0; h < kHalves; ++h) {
            Four p = load_four(at + k * stride + 4 * h) * share[h];
            if (rows) {
                p = p - (rows->code[h] == static_cast<std::uint64_t>(k) ? all(1.0) : all(0.0));
                if (weighted) p = rows->weight[h] * p;
            }
            store_four(p, at + k * stride + 4 * h);
        }
    if (rows) losses.add(*rows, sum, own, weighted);
}

// Eights of rows, then what is left of them in a block of its own, beside rows that weigh nothing; `room` has
// space for eight of every class.
template <class Work>
ASSAY_INLINE double over_eights(double* scores, std::int64_t classes, std::int64_t count, std::int64_t stride,
                                const std::int32_t* codes, const double* weight, double* room, Work&& work) {
    Losses losses;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        if (codes) {
            const EightRows rows = eight_rows(codes + i, weight ? weight + i : nullptr);
            work(scores + i, stride, &rows, weight != nullptr, losses);
        } else {
            work(scores + i, stride, nullptr, false, losses);
        }
    }
    if (i < count) {
        std::int32_t code[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        double share[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        const std::int64_t left = count - i;
        for (std::int64_t k = 0; k < classes * 8; ++k) room[k] = 0.0;
        for (std::int64_t r = 0; r < left && r < 8; ++r) {
            for (std::int64_t k = 0; k < classes; ++k) room[k * 8 + r] = scores[k * stride + i + r];
            if (codes) code[r] = codes[i + r], share[r] = weight ? weight[i + r] : 1.0;
        }
        const EightRows rows = eight_rows(code, share);
        work(room, 8, codes ? &rows : nullptr, true, losses);
        for (std::int64_t r = 0; r < left && r < 8; ++r)
            for (std::int64_t k = 0; k < classes; ++k) scores[k * stride + i + r] = room[k * 8 + r];
    }
    losses.flush();
    return sum_of(losses.sum);
}

double sigmoid(double* scores, std::int64_t count, const std::int32_t* codes, const double* weight,
               double* room) {
    return over_eights(scores, 1, count, count, codes, weight, room,
                       [](double* at, std::int64_t, const EightRows* rows, bool weighted, Losses& losses)
                           __attribute__((always_inline)) { sigmoid_eight(at, rows, weighted, losses); });
}

double softmax(double* scores, std::int64_t classes, std::int64_t count, std::int64_t stride,
               const std::int32_t* codes, const double* weight, double* room) {
    return over_eights(
        scores, classes, count, stride, codes, weight, room,
        [classes](double* at, std::int64_t step, const EightRows* rows, bool weighted, Losses& losses)
            __attribute__((always_inline)) { softmax_eight(at, classes, step, rows, weighted, losses); });
}

}  // namespace
}  // namespace assay
