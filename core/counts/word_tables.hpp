// Tables of counts with a line for every word and a column for every class: filled from compressed rows,
// summed over a vocabulary, turned into logarithms, and read by the rows to score. The same bits in any
// number of threads.
#pragma once

#include <cstdint>

#include "base/csr.hpp"

namespace assay {

struct WordTable {
    const double* counts;  // words x classes
    std::int64_t words, classes;
};

// table[column][code[r]] += factor * weight[r] * value for the entries of the rows listed; no weight: 1. Rows
// of a negative code do not count.
template <class Index>
void add_rows(const Compressed<Index>& matrix, const std::int64_t* rows, std::int64_t count,
              const std::int32_t* code, const double* weight, double factor, std::int64_t classes,
              double* table);

// For every class the sum of the counts of the chosen words, and, where `base` is given, the sum of
// ln(base - count). Differences lie between 1e-15 and 1e15.
void vocabulary_sums(const WordTable& table, const std::uint8_t* chosen, const double* base, int threads,
                     double* totals, double* logs);

// out[i * stride + k] = ln(base[k] + sign * count of class k, or of all the others), for the words listed; 0
// where k lies beyond the classes.
void word_logs(const WordTable& table, const std::int64_t* words, std::int64_t count, const double* base,
               double sign, bool others, std::int64_t stride, int threads, double* out);

// out[i * classes + k] = bias[k] + sum of value * weights[place[column]][k] over the entries of row rows[i];
// entries whose place is negative are passed over. Lines of the weights have `stride` numbers, a multiple
// of 8.
template <class Index>
void word_scores(const Compressed<Index>& matrix, const std::int64_t* rows, std::int64_t count,
                 const std::int32_t* place, const double* weights, std::int64_t stride, const double* bias,
                 std::int64_t classes, int threads, double* out);

}  // namespace assay
