// Distances of two rows, in double precision, each sum in one fixed order.
#pragma once

#include "simd/vector.hpp"

namespace assay {
namespace {

struct Squares {
    static ASSAY_INLINE Four of(Four a, Four b) { return (a - b) * (a - b); }
    static ASSAY_INLINE double add(double sum, double a, double b) { return add_square(sum, a - b); }
};
struct Absolutes {
    static ASSAY_INLINE Four of(Four a, Four b) { return (Four)((FourBits)(a - b) & 0x7FFFFFFFFFFFFFFFULL); }
    static ASSAY_INLINE double add(double sum, double a, double b) { return sum + __builtin_fabs(a - b); }
};
struct Mismatches {
    static ASSAY_INLINE Four of(Four a, Four b) { return a != b ? all(1.0) : all(0.0); }
    static ASSAY_INLINE double add(double sum, double a, double b) { return sum + (a != b ? 1.0 : 0.0); }
};

template <class Term, class T>
ASSAY_INLINE double sum_of(const double* __restrict q, const T* __restrict x, std::int64_t width) {
    Four low = all(0.0), high = all(0.0);
    std::int64_t j = 0;
    for (; j + 8 <= width; j += 8) {
        low += Term::of(wide_four(q + j), wide_four(x + j));
        high += Term::of(wide_four(q + j + 4), wide_four(x + j + 4));
    }
    if (j + 4 <= width) {
        low += Term::of(wide_four(q + j), wide_four(x + j));
        j += 4;
    }
    const Four s = low + high;
    double sum = (s[0] + s[2]) + (s[1] + s[3]);
    for (; j < width; ++j) sum = Term::add(sum, q[j], static_cast<double>(x[j]));
    return sum;
}

}  // namespace
}  // namespace assay
