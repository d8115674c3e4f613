// The loops of kernel machines over rows of a Gram matrix; included by leaves.cpp alone. Numbers of type T
// lie in whole vectors; gradients are double whatever T is.
#pragma once

#include <cstdint>

#include "lanes.hpp"
#include "leaves.hpp"

namespace assay {
namespace {

typedef float EightFloats __attribute__((vector_size(32)));
typedef std::int32_t EightInts __attribute__((vector_size(32)));
typedef float HalfFloats __attribute__((vector_size(16)));
typedef std::int64_t FourInts __attribute__((vector_size(32)));

// Vectors of 32 bytes: what they are made of, and the places of their lanes.
template <class T>
struct Pack;
template <>
struct Pack<float> {
    typedef EightFloats V;
    typedef EightInts Places;
    static constexpr int kSize = 8;
    static Places first() { return Places{0, 1, 2, 3, 4, 5, 6, 7}; }
};
template <>
struct Pack<double> {
    typedef Four V;
    typedef FourInts Places;
    static constexpr int kSize = 4;
    static Places first() { return Places{0, 1, 2, 3}; }
};

template <class T>
ASSAY_INLINE typename Pack<T>::V load_pack(const T* from) {
    typename Pack<T>::V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
template <class T>
ASSAY_INLINE void store_pack(const typename Pack<T>::V& v, T* to) {
    __builtin_memcpy(to, &v, sizeof v);
}

// The largest number and its place, the first among equals; -1 where nothing was larger than the start.
template <class T>
struct Largest {
    typename Pack<T>::V value;
    typename Pack<T>::Places place;

    ASSAY_INLINE explicit Largest(T start)
        : value(typename Pack<T>::V{} + start), place(Pack<T>::first() * 0 - 1) {}
    ASSAY_INLINE void see(const typename Pack<T>::V& v, const typename Pack<T>::Places& at) {
        const auto larger = v > value;
        place = larger ? at : place;
        value = larger ? v : value;
    }
    ASSAY_INLINE std::int64_t best() const {
        int lane = -1;
        for (int l = 0; l < Pack<T>::kSize; ++l) {
            if (place[l] < 0) continue;
            if (lane < 0 || value[l] > value[lane] || (value[l] == value[lane] && place[l] < place[lane]))
                lane = l;
        }
        return lane < 0 ? -1 : static_cast<std::int64_t>(place[lane]);
    }
    ASSAY_INLINE T most() const {
        T most = value[0];
        for (int l = 1; l < Pack<T>::kSize; ++l) most = value[l] > most ? value[l] : most;
        return most;
    }
};

// v -= step * difference, and the result as T.
ASSAY_INLINE EightFloats take_off(double* v, double step, const EightFloats& difference) {
    const Four low = __builtin_convertvector(
        (HalfFloats)__builtin_shufflevector(difference, difference, 0, 1, 2, 3), Four);
    const Four high = __builtin_convertvector(
        (HalfFloats)__builtin_shufflevector(difference, difference, 4, 5, 6, 7), Four);
    const Four a = load_four(v) - all(step) * low, b = load_four(v + 4) - all(step) * high;
    store_four(a, v), store_four(b, v + 4);
    const HalfFloats x = __builtin_convertvector(a, HalfFloats), y = __builtin_convertvector(b, HalfFloats);
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7);
}
ASSAY_INLINE Four take_off(double* v, double step, const Four& difference) {
    const Four a = load_four(v) - all(step) * difference;
    store_four(a, v);
    return a;
}

template <class T>
std::int64_t smo_move(double step, const T* __restrict first, const T* __restrict second, std::int64_t count,
                      double* __restrict v, T* __restrict narrow, const T* __restrict up) {
    typename Pack<T>::Places at = Pack<T>::first();
    Largest<T> top(-__builtin_inf());
    for (std::int64_t i = 0; i < count; i += Pack<T>::kSize, at += Pack<T>::kSize) {
        const auto moved = take_off(v + i, step, load_pack(first + i) - load_pack(second + i));
        store_pack(moved, narrow + i);
        top.see(moved + load_pack(up + i), at);
    }
    return top.best();
}

template <class T>
std::int64_t smo_partner(T top, T self, const T* __restrict row, const T* __restrict diagonal,
                         const T* __restrict narrow, const T* __restrict low, T least, std::int64_t count,
                         T* widest) {
    typedef typename Pack<T>::V V;
    typename Pack<T>::Places at = Pack<T>::first();
    Largest<T> gain(0);
    const V tops = V{} + top, selves = V{} + self, leasts = V{} + least, zero = V{};
    V wide = zero;
    for (std::int64_t i = 0; i < count; i += Pack<T>::kSize, at += Pack<T>::kSize) {
        const V apart = tops - (load_pack(narrow + i) + load_pack(low + i));
        const V k = load_pack(row + i);
        V bend = (selves + load_pack(diagonal + i)) - (k + k);
        bend = bend > leasts ? bend : leasts;
        const V positive = apart > zero ? apart : zero;
        wide = positive > wide ? positive : wide;
        gain.see(positive * positive / bend, at);
    }
    T most = 0;
    for (int l = 0; l < Pack<T>::kSize; ++l) most = wide[l] > most ? wide[l] : most;
    *widest = most;
    return gain.best();
}

ASSAY_INLINE double widened(double x) { return x; }
ASSAY_INLINE double widened(float x) { return x; }

template <class T>
void subtract_rows(const T* const* rows, const double* __restrict factor, std::int64_t n, std::int64_t first,
                   std::int64_t count, double* __restrict v) {
    constexpr std::int64_t kColumns = 512;  // of the sums stay in the first-level cache
    for (std::int64_t begin = 0; begin < count; begin += kColumns) {
        const std::int64_t some = count - begin < kColumns ? count - begin : kColumns;
        double* __restrict sums = v + begin;
        std::int64_t r = 0;
        for (; r + 4 <= n; r += 4) {
            const T* __restrict a = rows[r] + first + begin, * __restrict b = rows[r + 1] + first + begin;
            const T* __restrict c = rows[r + 2] + first + begin, * __restrict d = rows[r + 3] + first + begin;
            const double fa = factor[r], fb = factor[r + 1], fc = factor[r + 2], fd = factor[r + 3];
            for (std::int64_t i = 0; i < some; ++i)
                sums[i] -=
                    (fa * widened(a[i]) + fb * widened(b[i])) + (fc * widened(c[i]) + fd * widened(d[i]));
        }
        for (; r < n; ++r) {
            const T* __restrict a = rows[r] + first + begin;
            for (std::int64_t i = 0; i < some; ++i) sums[i] -= factor[r] * widened(a[i]);
        }
    }
}

// `Rows` rows with one panel; every number is the same sum in the same order whatever tile it falls into.
template <class T, int Rows>
ASSAY_INLINE void product_panel(const T* __restrict rows, const T* __restrict panel, std::int64_t width,
                                std::int64_t stride, T* __restrict out) {
    typedef typename Pack<T>::V V;
    V low[Rows], high[Rows];
    for (int r = 0; r < Rows; ++r) low[r] = high[r] = V{};
    for (std::int64_t j = 0; j < width; ++j, panel += 2 * Pack<T>::kSize) {
        const V a = load_pack(panel), b = load_pack(panel + Pack<T>::kSize);
        for (int r = 0; r < Rows; ++r) {
            const V x = rows[r * width + j] - V{};  // in every lane
            low[r] += x * a, high[r] += x * b;
        }
    }
    for (int r = 0; r < Rows; ++r) {
        store_pack(low[r], out + r * stride);
        store_pack(high[r], out + r * stride + Pack<T>::kSize);
    }
}

template <class T>
void panel_products(const T* rows, std::int64_t count, const T* panels, std::int64_t groups,
                    std::int64_t width, std::int64_t stride, T* out) {
    for (std::int64_t g = 0; g < groups;
         ++g, panels += 2 * Pack<T>::kSize * width, out += 2 * Pack<T>::kSize) {
        std::int64_t r = 0;
        for (; r + 6 <= count; r += 6)
            product_panel<T, 6>(rows + r * width, panels, width, stride, out + r * stride);
        for (; r < count; ++r) product_panel<T, 1>(rows + r * width, panels, width, stride, out + r * stride);
    }
}

template <class T>
double wide_product(const T* __restrict row, const double* __restrict factor, std::int64_t count) {
    Four s0 = all(0.0), s1 = all(0.0);
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        s0 += wide_four(row + i) * load_four(factor + i);
        s1 += wide_four(row + i + 4) * load_four(factor + i + 4);
    }
    const Four s = s0 + s1;
    double sum = (s[0] + s[2]) + (s[1] + s[3]);
    for (; i < count; ++i) sum += widened(row[i]) * factor[i];
    return sum;
}

// exp(x) for x <= 0, as in exp_four with fewer terms; 0 below the least normal number.
ASSAY_INLINE EightFloats exp_pack(EightFloats x) {
    constexpr float kLog2E = 1.44269504f, kRound = 12582912.0f;  // 1.5 * 2^23
    const EightFloats zero = {}, least = zero - 87.0f, v = x > least ? x : least;
    const EightFloats shifted = v * kLog2E + kRound;
    const EightFloats n = shifted - kRound;
    const EightFloats r = (v - n * 0.693359375f) - n * -2.12194440e-4f;
    EightFloats p = zero + 1.0f / 5040.0f;
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    const EightFloats power = (EightFloats)(((EightInts)shifted + 127) << 23);
    return x > least ? p * power : zero;
}
ASSAY_INLINE Four exp_pack(Four x) { return exp_four(x); }

template <class T>
void gaussians(const T* products, T self, const T* __restrict squares, T factor, std::int64_t count, T* out) {
    typedef typename Pack<T>::V V;
    const V zero = {};
    const auto of = [&](V p, V s) {
        const V apart = (s + self) - (p + p);
        const V value = exp_pack((apart < zero ? zero : apart) * factor);
        return apart == apart ? value : apart;  // NaN stays NaN
    };
    std::int64_t i = 0;
    for (; i + Pack<T>::kSize <= count; i += Pack<T>::kSize)
        store_pack(of(load_pack(products + i), load_pack(squares + i)), out + i);
    for (; i < count; ++i) out[i] = of(zero + products[i], zero + squares[i])[0];
}

template <class T>
constexpr MachineLeaves<T> machine_leaves = {smo_move<T>,       smo_partner<T>,  subtract_rows<T>,
                                             panel_products<T>, wide_product<T>, gaussians<T>};

}  // namespace
}  // namespace assay
