// What logistic regression asks of a block of rows: their standardised values, and residuals from scores.
#pragma once

#include <cstdint>

#include "base/table.hpp"

namespace assay {

// Rows which[0..count) (null: first, first + 1, ...) as ((x - center) * unit, 1), count x (width + 1).
void standardized_rows(const Rows& table, const std::int64_t* which, std::int64_t first, std::int64_t count,
                       const double* center, const double* unit, double* out);

// Scores of `count` rows become weighted residuals, posterior less indicator; the weighted log losses are
// added to loss[group]. Those of group g and class k lie from (g * classes + k) * stride on. One class means
// two: the score is that of code 1 against code 0. With `rest` class rest[g] has score 0 and is not stored:
// there are classes - 1 places, and the classes behind it lie one place earlier.
template <class T>
void softmax_residuals(T* scores, std::int64_t groups, std::int64_t classes, std::int64_t count,
                       std::int64_t stride, const std::int64_t* rest, const std::int32_t* codes,
                       const T* weight, double* loss);

// Scores (classes x stride) of `count` rows become posteriors; one class as above.
template <class T>
void softmax_posteriors(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride);

}  // namespace assay
