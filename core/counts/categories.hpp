// Counting levels: codes of categorical columns, how often each occurs in every cell, and sums over a table
// of logarithms. Columns lie one after the other: codes are columns x rows.
#pragma once

#include <cstdint>

namespace assay {

constexpr std::int32_t kMissing = -1, kUnseen = -2;

// A table of numbers with any strides, in units of T.
template <class T>
struct Cellwise {
    const T* values;
    std::int64_t rows, columns, row_stride, column_stride;
};

// Least and largest value of each column, NaN left out; whole[j] says whether all of them are whole numbers.
template <class T>
void level_ranges(const Cellwise<T>& table, int threads, double* low, double* high, std::uint8_t* whole);

// out[j * rows + r] = codes[first[j] + value - low[j]] where the value is whole and the table reaches that
// far, kUnseen elsewhere, kMissing for NaN.
template <class T>
void table_codes(const Cellwise<T>& table, const double* low, const std::int64_t* first,
                 const std::int32_t* codes, int threads, std::int32_t* out);

// Levels of all columns laid end to end: column j has those from first[j] to first[j + 1].
struct Levels {
    const std::int32_t* codes;  // columns x rows; negative: does not count
    const std::int64_t* first;  // columns + 1
    std::int64_t rows, columns;
};

// out[cell * first[columns] + first[j] + code] += 1, or the row's weight; rows of a negative cell do not
// count. Each column is counted by one thread in the order of the rows. False: a code lies beyond its levels.
bool count_levels(const Levels& levels, const std::int32_t* cell, std::int64_t cells, int threads,
                  std::int64_t* out);
bool count_weighted_levels(const Levels& levels, const std::int32_t* cell, const double* weight,
                           std::int64_t cells, int threads, double* out);

// out[r * classes + k] = bias[m][k] + the sum over columns of table[m][line][k], where m is the model of row
// r (0 where `model` is null). A column has a line for each level and a last one for levels it never saw.
void level_scores(const Levels& levels, const std::int32_t* model, std::int64_t classes, const double* table,
                  const double* bias, int threads, double* out);

}  // namespace assay
