// Standardised rows by the columns in which they differ from a row of zeros: where most of a table are zeros,
// as in levels written as columns of 0 and 1, products with its rows need few numbers of each.
//
//     z_j = base_j + value of the row's entry in column j, if it has one
//
// base_j is what a zero becomes, where that is at most 1 in size; elsewhere it is 0, so that no digit of z is
// lost in the difference. Columns of mostly zeros have their zeros within one deviation of the mean.
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"
#include "base/standardize.hpp"

namespace assay {

template <class T>
struct OffsetCsr {
    std::int64_t width = 0;
    std::vector<std::int64_t> first{0};  // entries of row r from first[r] to first[r + 1]
    std::vector<std::int32_t> column;
    std::vector<T> value;
    std::vector<T> base;
    std::vector<std::int32_t> every;  // 0, 1, ..: `base` as the entries of a row

    std::int64_t rows() const { return static_cast<std::int64_t>(first.size()) - 1; }
    std::int64_t entries(std::int64_t row) const { return first[row + 1] - first[row]; }
    Entries<T> view() const { return {first.data(), column.data(), value.data()}; }
};

// Rows which[0..count) of the source (null: 0, 1, ...); false where they have more than `most` entries.
template <class T>
bool fill_rows(const Standard& source, const std::int64_t* which, std::int64_t count, std::int64_t most,
               InterruptCheck& pause, OffsetCsr<T>& out);

// With a constant 1 behind every row, for rows which[0..count): scores z · b; sums of r z for `models`
// models, r[m * count + i] that of row which[i]; and the rows in full. Each has width + 1 numbers.
void filled_scores(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count,
                   const double* b, double* out);
void filled_sums(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count,
                 const double* r, std::int64_t models, double* out);
void filled_dense(const OffsetCsr<double>& rows, const std::int64_t* which, std::int64_t count, double* out);

}  // namespace assay
