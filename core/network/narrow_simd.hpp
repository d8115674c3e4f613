// Layers of few units, whose matrix products are too narrow for BLAS to be quick; included by simd.cpp
// alone.
//
// Weights are given turned, (units x inputs): the numbers of a unit lie side by side. Units are taken in
// pairs, so that every number of a row is loaded once for both.
#pragma once

#include "simd/vector.hpp"

namespace assay {
namespace {

ASSAY_INLINE double lanes_total(const Four& v) { return (v[0] + v[2]) + (v[1] + v[3]); }
ASSAY_INLINE float lanes_total(const EightFloats& v) {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

template <int Rows, int Units, class T>
ASSAY_INLINE void narrow_scores_of(const T* __restrict values, std::int64_t inputs,
                                   const T* __restrict turned, std::int64_t units, T* __restrict out) {
    constexpr int lanes = Lane<T>::kCount;
    typename Lane<T>::Vector total[Rows][Units];
    for (int r = 0; r < Rows; ++r)
        for (int k = 0; k < Units; ++k) total[r][k] = every(T(0));
    std::int64_t j = 0;
    for (; j + lanes <= inputs; j += lanes)
        for (int k = 0; k < Units; ++k) {
            const auto weight = load_lanes(turned + k * inputs + j);
            for (int r = 0; r < Rows; ++r) total[r][k] += load_lanes(values + r * inputs + j) * weight;
        }
    for (int r = 0; r < Rows; ++r)
        for (int k = 0; k < Units; ++k) {
            T sum = lanes_total(total[r][k]);
            for (std::int64_t i = j; i < inputs; ++i) sum += values[r * inputs + i] * turned[k * inputs + i];
            out[r * units + k] = sum;
        }
}

template <int Units, class T>
ASSAY_INLINE void narrow_scores_by(const T* values, std::int64_t count, std::int64_t inputs, const T* turned,
                                   std::int64_t units, T* out) {
    std::int64_t r = 0;
    for (; r + 4 <= count; r += 4)
        narrow_scores_of<4, Units>(values + r * inputs, inputs, turned, units, out + r * units);
    for (; r < count; ++r)
        narrow_scores_of<1, Units>(values + r * inputs, inputs, turned, units, out + r * units);
}

template <class T>
void narrow_scores(const T* values, std::int64_t count, std::int64_t inputs, const T* turned,
                   std::int64_t units, T* out) {
    std::int64_t k = 0;
    for (; k + 2 <= units; k += 2)
        narrow_scores_by<2>(values, count, inputs, turned + k * inputs, units, out + k);
    if (k < units) narrow_scores_by<1>(values, count, inputs, turned + k * inputs, units, out + k);
}

template <int Vectors, int Units, class T>
ASSAY_INLINE void narrow_slopes_of(const T* __restrict values, const T* __restrict deltas, std::int64_t count,
                                   std::int64_t inputs, std::int64_t units, T* __restrict gradient) {
    constexpr int lanes = Lane<T>::kCount;
    typename Lane<T>::Vector total[Units][Vectors];
    for (int k = 0; k < Units; ++k)
        for (int i = 0; i < Vectors; ++i) total[k][i] = every(T(0));
    for (std::int64_t r = 0; r < count; ++r, values += inputs, deltas += units)
        for (int i = 0; i < Vectors; ++i) {
            const auto value = load_lanes(values + i * lanes);
            for (int k = 0; k < Units; ++k) total[k][i] += every(deltas[k]) * value;
        }
    for (int k = 0; k < Units; ++k)
        for (int i = 0; i < Vectors; ++i)
            for (int l = 0; l < lanes; ++l) gradient[(i * lanes + l) * units + k] += total[k][i][l];
}

template <int Units, class T>
ASSAY_INLINE void narrow_slopes_by(const T* values, const T* deltas, std::int64_t count, std::int64_t inputs,
                                   std::int64_t units, T* gradient) {
    constexpr int lanes = Lane<T>::kCount;
    std::int64_t j = 0;
    for (; j + 4 * lanes <= inputs; j += 4 * lanes)
        narrow_slopes_of<4, Units>(values + j, deltas, count, inputs, units, gradient + j * units);
    for (; j + lanes <= inputs; j += lanes)
        narrow_slopes_of<1, Units>(values + j, deltas, count, inputs, units, gradient + j * units);
    for (; j < inputs; ++j)
        for (int k = 0; k < Units; ++k) {
            T sum = 0;
            for (std::int64_t r = 0; r < count; ++r) sum += values[r * inputs + j] * deltas[r * units + k];
            gradient[j * units + k] += sum;
        }
}

template <class T>
void narrow_slopes(const T* values, const T* deltas, std::int64_t count, std::int64_t inputs,
                   std::int64_t units, T* gradient) {
    std::int64_t k = 0;
    for (; k + 2 <= units; k += 2)
        narrow_slopes_by<2>(values, deltas + k, count, inputs, units, gradient + k);
    if (k < units) narrow_slopes_by<1>(values, deltas + k, count, inputs, units, gradient + k);
}

// out = delta · W', or with `more` out += that.
template <int Units, class T>
ASSAY_INLINE void narrow_back_by(const T* __restrict deltas, std::int64_t count, std::int64_t inputs,
                                 const T* __restrict turned, std::int64_t units, bool more,
                                 T* __restrict out) {
    constexpr int lanes = Lane<T>::kCount;
    for (std::int64_t r = 0; r < count; ++r, deltas += units, out += inputs) {
        std::int64_t j = 0;
        for (; j + lanes <= inputs; j += lanes) {
            auto sum = more ? load_lanes(out + j) : every(T(0));
            for (int k = 0; k < Units; ++k) sum += every(deltas[k]) * load_lanes(turned + k * inputs + j);
            store_lanes(sum, out + j);
        }
        for (; j < inputs; ++j) {
            T sum = more ? out[j] : T(0);
            for (int k = 0; k < Units; ++k) sum += deltas[k] * turned[k * inputs + j];
            out[j] = sum;
        }
    }
}

template <class T>
void narrow_back(const T* deltas, std::int64_t count, std::int64_t inputs, const T* turned,
                 std::int64_t units, T* out) {
    std::int64_t k = 0;
    for (; k + 2 <= units; k += 2)
        narrow_back_by<2>(deltas + k, count, inputs, turned + k * inputs, units, k > 0, out);
    if (k < units) narrow_back_by<1>(deltas + k, count, inputs, turned + k * inputs, units, k > 0, out);
}

}  // namespace
}  // namespace assay
