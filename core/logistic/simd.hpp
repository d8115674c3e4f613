// Vector loops of passes over rows, and of Cholesky factors.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simd/dispatch.hpp"

namespace assay {

// What passes over rows do, in either precision.
template <class T>
struct RowLoops {
    // Scores of two classes (count, code 1 against code 0) or more (class k from k * stride on), replaced by
    // posteriors; with codes by weighted residuals, and the sum of the weighted log losses is returned.
    // `room` has space for eight numbers a class. With `rest` >= 0 that class has score 0, is not stored, and
    // the classes behind it lie one place earlier.
    double (*sigmoid)(T* scores, std::int64_t count, const std::int32_t* codes, const T* weight, T* room);
    double (*softmax)(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride,
                      std::int64_t rest, const std::int32_t* codes, const T* weight, T* room);

    // On groups of eight rows side by side, as `transpose` makes them: scores of linear models, s[m * stride
    // + row]; products sums[(m * width + j) * parts ...] += a[m * stride + row] z[j], in as many partial sums
    // as fill 32 bytes; rows times a factor each, feature after feature, those of feature j from out[j *
    // rows] on; and the rows as panels of columns as KernelLoops has them, filled up with zeros.
    void (*lane_scores)(const T* z, std::int64_t groups, std::int64_t width, const T* weights,
                        std::int64_t models, T* s, std::int64_t stride);
    void (*lane_products)(const T* a, std::int64_t stride, std::int64_t models, const T* z,
                          std::int64_t groups, std::int64_t width, T* sums);
    void (*lane_features)(const T* z, const T* factor, std::int64_t groups, std::int64_t width, T* out);
    void (*lane_panels)(const T* z, std::int64_t groups, std::int64_t width, T* out);
};

struct LogisticSimd {
    // The lower triangle of a matrix replaced by its Cholesky factor, column k from k * step on, with room
    // for seven numbers behind the last row; false where it is not positive definite. And L L' x = b solved
    // in place.
    bool (*factorise)(double* a, std::int64_t step, std::int64_t size);
    void (*solve_factor)(const double* a, std::int64_t step, std::int64_t size, double* b);

    RowLoops<float> floats;
    RowLoops<double> doubles;
};

ASSAY_SIMD(LogisticSimd, logistic_simd)

#ifndef ASSAY_COMPILED_FOR
template <class T>
const RowLoops<T>& row_loops_of() {
    if constexpr (std::is_same_v<T, float>)
        return logistic_simd().floats;
    else
        return logistic_simd().doubles;
}
#endif

}  // namespace assay
