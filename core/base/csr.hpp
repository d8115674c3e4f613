// Products with a sparse matrix: rows against models, and the transpose, both without a zero touched. Each
// number is summed by one thread in the order of the entries.
#pragma once

#include <cstdint>

namespace assay {

// Compressed rows (or columns): the entries of row r from first[r] to first[r + 1], each in a column.
template <class Index>
struct Compressed {
    const Index* first;
    const Index* column;
    const double* value;
    std::int64_t rows, columns;
};

// out[m * rows + r] = sum of value * right[m * columns + column] over the entries of row r; `squared` takes
// the squares of the values instead.
template <class Index>
void sparse_products(const Compressed<Index>& matrix, const double* right, std::int64_t count, bool squared,
                     int threads, double* out);

}  // namespace assay
