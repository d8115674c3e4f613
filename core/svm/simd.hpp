// Vector loops of support vector machines.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simd/dispatch.hpp"

namespace assay {

// Rows of a Gram matrix and gradients of kernel machines; see svm/smo.hpp. `count` is a whole number of
// kLanes in the first two.
template <class T>
struct KernelLoops {
    // v -= step (first - second), rounded into `narrow`; returns the place of the largest narrow + up.
    std::int64_t (*move)(double step, const T* first, const T* second, std::int64_t count, double* v,
                         T* narrow, const T* up);

    // The place j at which (top - narrow)^2 / (self + diagonal - 2 row) is largest among those with top >
    // narrow + low, -1 if there is none; `widest` becomes the largest top - narrow - low. Denominators are at
    // least `least`.
    std::int64_t (*partner)(T top, T self, const T* row, const T* diagonal, const T* narrow, const T* low,
                            T least, std::int64_t count, T* widest);

    // v -= sum over n rows of factor * rows[r][first ...], `count` numbers.
    void (*subtract_rows)(const T* const* rows, const double* factor, std::int64_t n, std::int64_t first,
                          std::int64_t count, double* v);

    // out[r * stride + c] = rows[r] · column c of `groups` panels: number j of the columns of panel g
    // lie side by side, kPanelBytes from (g * width + j) * kPanelBytes on.
    void (*products)(const T* rows, std::int64_t count, const T* panels, std::int64_t groups,
                     std::int64_t width, std::int64_t stride, T* out);

    // Sum of row * factor.
    double (*product)(const T* row, const double* factor, std::int64_t count);

    // out = exp(factor |x - z|^2) from products x z; `self` is |x|^2, `squares` are |z|^2, factor <= 0. `out`
    // may be `products`.
    void (*gaussians)(const T* products, T self, const T* squares, T factor, std::int64_t count, T* out);
};

struct SvmSimd {
    // Of margins m = t - length bent and p = m held between 0 and 1: sums of c p (m - p/2) and of c p bent.
    void (*hinge_line)(const double* t, const double* bent, const double* c, std::int64_t count,
                       double length, double* sums);

    KernelLoops<float> floats;
    KernelLoops<double> doubles;
};

ASSAY_SIMD(SvmSimd, svm_simd)

#ifndef ASSAY_COMPILED_FOR
template <class T>
const KernelLoops<T>& kernel_loops_of() {
    if constexpr (std::is_same_v<T, float>)
        return svm_simd().floats;
    else
        return svm_simd().doubles;
}
#endif

}  // namespace assay
