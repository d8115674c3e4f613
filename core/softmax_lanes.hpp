// Posteriors and residuals of eight rows at a time; included by leaves.cpp alone.
#pragma once

#include "lane_products.hpp"
#include "lanes.hpp"
#include "leaves.hpp"

namespace assay {
namespace {

constexpr int kLogs = 4;  // eights whose logarithms are taken as one, of a product

ASSAY_INLINE double sum_of(const Four& v) { return (v[0] + v[2]) + (v[1] + v[3]); }
ASSAY_INLINE double sum_of(const EightFloats& v) {
    return ((static_cast<double>(v[0]) + v[4]) + (static_cast<double>(v[2]) + v[6])) +
           ((static_cast<double>(v[1]) + v[5]) + (static_cast<double>(v[3]) + v[7]));
}

// Classes and weights of eight rows.
template <class T>
struct EightRows {
    typename Lane<T>::Bits code[Lane<T>::kOfEight];
    typename Lane<T>::Vector weight[Lane<T>::kOfEight];
};

template <class T>
ASSAY_INLINE EightRows<T> eight_rows(const std::int32_t* codes, const T* weight) {
    EightRows<T> rows;
    for (int h = 0; h < Lane<T>::kOfEight; ++h, codes += Lane<T>::kCount) {
        for (int l = 0; l < Lane<T>::kCount; ++l) rows.code[h][l] = static_cast<std::uint32_t>(codes[l]);
        rows.weight[h] = weight ? load_lanes(weight + h * Lane<T>::kCount) : every(T(1));
    }
    return rows;
}

// Log losses on the way: of rows that all count as one, the logarithms are taken of products.
template <class T>
struct Losses {
    using Vector = typename Lane<T>::Vector;
    Vector sum = every(T(0)), product = every(T(1));
    int waiting = 0;

    ASSAY_INLINE void add(const EightRows<T>& rows, const Vector* inside, const Vector* outside,
                          bool weighted) {
        for (int h = 0; h < Lane<T>::kOfEight; ++h)
            if (weighted)
                sum += rows.weight[h] * (log_lanes(inside[h]) + outside[h]);
            else
                sum += outside[h], product *= inside[h];
        if (!weighted && ++waiting == kLogs) flush();
    }
    ASSAY_INLINE void flush() {
        sum += log_lanes(product);
        product = every(T(1)), waiting = 0;
    }
};

template <class T>
ASSAY_INLINE void sigmoid_eight(T* at, const EightRows<T>* rows, bool weighted, Losses<T>& losses) {
    using Vector = typename Lane<T>::Vector;
    constexpr int kEach = Lane<T>::kOfEight, kCount = Lane<T>::kCount;
    const Vector none = every(T(0)), one = every(T(1));
    Vector inside[kEach], outside[kEach];
    for (int h = 0; h < kEach; ++h) {
        const Vector s = load_lanes(at + kCount * h), e = exp_lanes(s > none ? -s : s),
                     share = one / (one + e);
        Vector p = s > none ? share : e * share;
        if (rows) {
            const Vector t = rows->code[h] == 1 ? one : none;
            p = weighted ? rows->weight[h] * (p - t) : p - t;
            inside[h] = one + e, outside[h] = (s > none ? s : none) - t * s;
        }
        store_lanes(p, at + kCount * h);
    }
    if (rows) losses.add(*rows, inside, outside, weighted);
}

// With `rest` >= 0 that class has score 0 and no place of its own: classes behind it lie one place earlier.
template <class T>
ASSAY_INLINE void softmax_eight(T* at, std::int64_t classes, std::int64_t stride, std::int64_t rest,
                                const EightRows<T>* rows, bool weighted, Losses<T>& losses) {
    using Vector = typename Lane<T>::Vector;
    using Bits = typename Lane<T>::Bits;
    constexpr int kEach = Lane<T>::kOfEight, kCount = Lane<T>::kCount;
    const std::int64_t places = rest < 0 ? classes : classes - 1;
    const auto of_place = [rest](std::int64_t k) __attribute__((always_inline)) {
        return static_cast<std::uint32_t>(rest < 0 || k < rest ? k : k + 1) + Bits{};
    };
    Vector most[kEach], sum[kEach], own[kEach], share[kEach];
    for (int h = 0; h < kEach; ++h) most[h] = rest < 0 ? load_lanes(at + kCount * h) : every(T(0));
    for (std::int64_t k = 0; k < places; ++k)
        for (int h = 0; h < kEach; ++h) {
            const Vector s = load_lanes(at + k * stride + kCount * h);
            most[h] = s > most[h] ? s : most[h];
        }
    for (int h = 0; h < kEach; ++h) {
        sum[h] = rest < 0 ? every(T(0)) : exp_lanes(-most[h]);
        own[h] = most[h];  // of the class without a place
    }
    for (std::int64_t k = 0; k < places; ++k)
        for (int h = 0; h < kEach; ++h) {
            const Vector s = load_lanes(at + k * stride + kCount * h) - most[h], e = exp_lanes(s);
            if (rows) own[h] = rows->code[h] == of_place(k) ? -s : own[h];
            sum[h] += e;
            store_lanes(e, at + k * stride + kCount * h);
        }
    for (int h = 0; h < kEach; ++h) share[h] = every(T(1)) / sum[h];
    for (std::int64_t k = 0; k < places; ++k)
        for (int h = 0; h < kEach; ++h) {
            Vector p = load_lanes(at + k * stride + kCount * h) * share[h];
            if (rows) {
                p = p - (rows->code[h] == of_place(k) ? every(T(1)) : every(T(0)));
                if (weighted) p = rows->weight[h] * p;
            }
            store_lanes(p, at + k * stride + kCount * h);
        }
    if (rows) losses.add(*rows, sum, own, weighted);
}

// Eights of rows, then what is left of them in a block of its own, beside rows that weigh nothing; `room` has
// space for eight of every class.
template <class T, class Work>
ASSAY_INLINE double over_eights(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride,
                                const std::int32_t* codes, const T* weight, T* room, Work&& work) {
    Losses<T> losses;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        if (codes) {
            const EightRows<T> rows = eight_rows<T>(codes + i, weight ? weight + i : nullptr);
            work(scores + i, stride, &rows, weight != nullptr, losses);
        } else {
            work(scores + i, stride, nullptr, false, losses);
        }
    }
    if (i < count) {
        std::int32_t code[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        T share[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        const std::int64_t left = count - i;
        for (std::int64_t k = 0; k < classes * 8; ++k) room[k] = T(0);
        for (std::int64_t r = 0; r < left && r < 8; ++r) {
            for (std::int64_t k = 0; k < classes; ++k) room[k * 8 + r] = scores[k * stride + i + r];
            if (codes) code[r] = codes[i + r], share[r] = weight ? weight[i + r] : T(1);
        }
        const EightRows<T> rows = eight_rows<T>(code, share);
        work(room, 8, codes ? &rows : nullptr, true, losses);
        for (std::int64_t r = 0; r < left && r < 8; ++r)
            for (std::int64_t k = 0; k < classes; ++k) scores[k * stride + i + r] = room[k * 8 + r];
    }
    losses.flush();
    return sum_of(losses.sum);
}

template <class T>
double sigmoid(T* scores, std::int64_t count, const std::int32_t* codes, const T* weight, T* room) {
    return over_eights<T>(scores, 1, count, count, codes, weight, room,
                          [](T* at, std::int64_t, const EightRows<T>* rows, bool weighted, Losses<T>& losses)
                              __attribute__((always_inline)) { sigmoid_eight(at, rows, weighted, losses); });
}

template <class T>
double softmax(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride, std::int64_t rest,
               const std::int32_t* codes, const T* weight, T* room) {
    return over_eights<T>(scores, rest < 0 ? classes : classes - 1, count, stride, codes, weight, room,
                          [classes, rest](T* at, std::int64_t step, const EightRows<T>* rows, bool weighted,
                                          Losses<T>& losses) __attribute__((always_inline)) {
                              softmax_eight(at, classes, step, rest, rows, weighted, losses);
                          });
}

template <class T>
constexpr PassLeaves<T> pass_table = {sigmoid<T>,       softmax<T>,       lane_scores<T>,
                                      lane_products<T>, lane_features<T>, lane_panels<T>};

}  // namespace
}  // namespace assay
