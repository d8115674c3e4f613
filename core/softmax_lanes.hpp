// Posteriors and residuals of four rows at a time; included by leaves.cpp alone.
#pragma once

#include "lanes.hpp"

namespace assay {
namespace {

ASSAY_INLINE double sum_of(const Four& v) { return (v[0] + v[2]) + (v[1] + v[3]); }

// Four rows of a block: scores of class k at `at + k * stride`. What is left of the last four is put beside
// zeros that weigh nothing.
struct FourRows {
    FourBits code;
    Four weight;
};
ASSAY_INLINE Four load_four(const double* from) {
    Four v;
    __builtin_memcpy(&v, from, sizeof(Four));
    return v;
}
ASSAY_INLINE void store_four(const Four& v, double* to) { __builtin_memcpy(to, &v, sizeof(Four)); }

ASSAY_INLINE Four sigmoid_four(double* at, const FourRows* rows) {
    const Four none = all(0.0), one = all(1.0), s = load_four(at);
    const Four e = exp_four(s > none ? -s : s), share = one / (one + e);
    const Four p = s > none ? share : e * share;
    if (!rows) {
        store_four(p, at);
        return none;
    }
    const Four t = rows->code == 1 ? one : none;
    store_four(rows->weight * (p - t), at);
    return rows->weight * (log_four(one + e) + ((s > none ? s : none) - t * s));
}

ASSAY_INLINE Four softmax_four(double* at, std::int64_t classes, std::int64_t stride, const FourRows* rows) {
    Four most = load_four(at), sum = all(0.0), own = all(0.0);
    for (std::int64_t k = 1; k < classes; ++k) {
        const Four s = load_four(at + k * stride);
        most = s > most ? s : most;
    }
    for (std::int64_t k = 0; k < classes; ++k) {
        const Four s = load_four(at + k * stride) - most, e = exp_four(s);
        if (rows) own = rows->code == static_cast<std::uint64_t>(k) ? s : own;
        sum += e;
        store_four(e, at + k * stride);
    }
    const Four share = all(1.0) / sum;
    for (std::int64_t k = 0; k < classes; ++k) {
        Four p = load_four(at + k * stride) * share;
        if (rows)
            p = rows->weight * (p - (rows->code == static_cast<std::uint64_t>(k) ? all(1.0) : all(0.0)));
        store_four(p, at + k * stride);
    }
    return rows ? rows->weight * (log_four(sum) - own) : sum;
}

ASSAY_INLINE FourRows four_rows(const std::int32_t* codes, const double* weight) {
    FourRows rows;
    rows.code = FourBits{static_cast<std::uint64_t>(codes[0]), static_cast<std::uint64_t>(codes[1]),
                         static_cast<std::uint64_t>(codes[2]), static_cast<std::uint64_t>(codes[3])};
    rows.weight = weight ? load_four(weight) : all(1.0);
    return rows;
}

// Fours of rows, then what is left of them in a block of its own; `room` has space for four of every class.
template <class Work>
ASSAY_INLINE double over_fours(double* scores, std::int64_t classes, std::int64_t count,
                               const std::int32_t* codes, const double* weight, double* room, Work&& work) {
    Four loss = all(0.0);
    std::int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        if (codes) {
            const FourRows rows = four_rows(codes + i, weight ? weight + i : nullptr);
            loss += work(scores + i, count, &rows);
        } else {
            work(scores + i, count, nullptr);
        }
    }
    if (i == count) return sum_of(loss);
    std::int32_t code[4] = {0, 0, 0, 0};
    double share[4] = {0.0, 0.0, 0.0, 0.0};
    for (std::int64_t k = 0; k < classes * 4; ++k) room[k] = 0.0;
    for (std::int64_t r = i; r < count; ++r) {
        for (std::int64_t k = 0; k < classes; ++k) room[k * 4 + r - i] = scores[k * count + r];
        if (codes) code[r - i] = codes[r], share[r - i] = weight ? weight[r] : 1.0;
    }
    const FourRows rows = four_rows(code, share);
    const Four rest = work(room, 4, codes ? &rows : nullptr);
    if (codes) loss += rest;
    for (std::int64_t r = i; r < count; ++r)
        for (std::int64_t k = 0; k < classes; ++k) scores[k * count + r] = room[k * 4 + r - i];
    return sum_of(loss);
}

double sigmoid(double* scores, std::int64_t count, const std::int32_t* codes, const double* weight,
               double* room) {
    return over_fours(scores, 1, count, codes, weight, room,
                      [](double* at, std::int64_t, const FourRows* rows)
                          __attribute__((always_inline)) { return sigmoid_four(at, rows); });
}

double softmax(double* scores, std::int64_t classes, std::int64_t count, const std::int32_t* codes,
               const double* weight, double* room) {
    return over_fours(scores, classes, count, codes, weight, room,
                      [classes](double* at, std::int64_t stride, const FourRows* rows)
                          __attribute__((always_inline)) { return softmax_four(at, classes, stride, rows); });
}

}  // namespace
}  // namespace assay
