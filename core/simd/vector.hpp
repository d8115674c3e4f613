// Vectors of doubles and of floats and what is computed in them; included by simd.cpp files alone, which are
// compiled once per instruction set.
#pragma once

#include <cstdint>

namespace assay {
namespace {

// Eight doubles as two vectors of four: the order of every sum is written down, not left to the compiler.
typedef double Four __attribute__((vector_size(32)));

struct Eight {
    Four low, high;
};

#define ASSAY_INLINE inline __attribute__((always_inline))

ASSAY_INLINE void load(const double* from, Eight& to) {
    __builtin_memcpy(&to.low, from, sizeof(Four));
    __builtin_memcpy(&to.high, from + 4, sizeof(Four));
}
ASSAY_INLINE void store(const Eight& from, double* to) {
    __builtin_memcpy(to, &from.low, sizeof(Four));
    __builtin_memcpy(to + 4, &from.high, sizeof(Four));
}
ASSAY_INLINE void add_to(double* total, const Eight& v) {
    Eight sum;
    load(total, sum);
    sum.low += v.low;
    sum.high += v.high;
    store(sum, total);
}
ASSAY_INLINE void clear(Eight& v) { v.low = v.high = Four{0.0, 0.0, 0.0, 0.0}; }

ASSAY_INLINE void add_scaled(Eight& sum, double factor, const Eight& v) {
    const Four f = {factor, factor, factor, factor};
    sum.low += f * v.low;
    sum.high += f * v.high;
}

ASSAY_INLINE void add_product(Eight& sum, const Eight& a, const Eight& b) {
    sum.low += a.low * b.low;
    sum.high += a.high * b.high;
}

ASSAY_INLINE double fold(const Eight& v) {
    const Four s = v.low + v.high;
    return (s[0] + s[2]) + (s[1] + s[3]);
}

ASSAY_INLINE Four load_four(const double* from) {
    Four v;
    __builtin_memcpy(&v, from, sizeof(Four));
    return v;
}
ASSAY_INLINE void store_four(const Four& v, double* to) { __builtin_memcpy(to, &v, sizeof(Four)); }

// sum + d^2, rounded once where the processor can: whatever the compiler makes of the loop around it.
ASSAY_INLINE double add_square(double sum, double d) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return __builtin_fma(d, d, sum);
#else
    return sum + d * d;
#endif
}

typedef float FourFloats __attribute__((vector_size(16)));

// Four numbers of either precision as doubles.
ASSAY_INLINE Four wide_four(const double* from) { return load_four(from); }
ASSAY_INLINE Four wide_four(const float* from) {
    FourFloats v;
    __builtin_memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, Four);
}

typedef std::uint64_t FourBits __attribute__((vector_size(32)));

ASSAY_INLINE Four all(double value) { return Four{value, value, value, value}; }

typedef float EightFloats __attribute__((vector_size(32)));
typedef std::uint32_t EightBits __attribute__((vector_size(32)));

// The vector of a kind of number, the integers of its size, and how many of them eight rows fill.
template <class T>
struct Lane;
template <>
struct Lane<double> {
    using Vector = Four;
    using Bits = FourBits;
    static constexpr int kCount = 4, kOfEight = 2;
};
template <>
struct Lane<float> {
    using Vector = EightFloats;
    using Bits = EightBits;
    static constexpr int kCount = 8, kOfEight = 1;
};

template <class T>
ASSAY_INLINE typename Lane<T>::Vector every(T value) {
    return value - typename Lane<T>::Vector{};
}
template <class T>
ASSAY_INLINE typename Lane<T>::Vector load_lanes(const T* from) {
    typename Lane<T>::Vector v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}
template <class Vector, class T>
ASSAY_INLINE void store_lanes(const Vector& v, T* to) {
    __builtin_memcpy(to, &v, sizeof v);
}

}  // namespace
}  // namespace assay
