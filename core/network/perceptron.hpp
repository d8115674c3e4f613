// One pass of the perceptron's rule.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "base/offset_csr.hpp"

namespace assay {

// Rows in a row without a mistake: those of the current run and of the longest; an epoch begins with these.
struct Runs {
    std::int64_t current = 0, longest = -1;
};

// The classes of rows and the sizes of their steps; `order` is null: as they stand. Where they are one
// stretch of an epoch, `runs` are those of the stretches before, and `largest_size` that of all steps of the
// epoch.
struct Visits {
    const std::int32_t* code;
    const double* size;
    const std::int64_t* order;
    std::int64_t count;
    Runs* runs = nullptr;
    double largest_size = 0;
};

// Rows z (count x width); `largest` is the largest number of them in size.
struct WholeRows {
    const double* z;
    std::int64_t width;
    double largest;
};

// Rows z = (base + few entries, 1). Weights w = u + m base, with m for the constant, change by entries alone:
//
//     w·z = Σ value u + Σ base u + m (1 + Σ base² + lean),    lean = Σ base value of the row
struct OffsetCsrRows : OffsetCsr<double> {
    std::vector<double> lean;
    double square = 1, largest = 1, reach = 0;  // 1 + Σ base²; largest |value|; that of Σ |value| + |lean|
};

// Rows of filled entries as the rule reads them.
OffsetCsrRows lean_rows(OffsetCsr<double> rows);

// z · w of every row; w has width + 1 numbers.
void lean_scores(const OffsetCsrRows& rows, const double* w, double* out);

// Visits every row: after a mistake the row, times its size, is added to the weights of its class and taken
// from the class it was given, and `late` gets the same times all sizes seen before. Weights are classes x
// width (of lean rows u and m: width + 1); one class means two, code 1 where the score is at least 0. Scores
// that differ by rounding are equal: of more classes the first wins. `longest` becomes the weights that went
// without a mistake for the most rows; of a stretch of an epoch, without those that it ends with. Returns the
// number of mistakes.
template <class Rows>
std::int64_t perceptron_epoch(const Rows& rows, const Visits& visits, std::int64_t classes, double seen,
                              InterruptCheck& pause, double* weights, double* late, double* longest);

}  // namespace assay
