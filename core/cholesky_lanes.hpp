// Cholesky factors, and systems solved with them; included by leaves.cpp alone. Column k of the factor lies
// from k * step on, row i of it at k * step + i; behind the last row there is room for seven numbers.
#pragma once

#include <cmath>

#include "lanes.hpp"

namespace assay {
namespace {

// `Columns` columns from `first` on, given the columns before them; false where a pivot is not positive.
template <int Columns>
ASSAY_INLINE bool factor_columns(double* __restrict a, std::int64_t step, std::int64_t size,
                                 std::int64_t first) {
    double* here = a + first * step;
    double lower[Columns][Columns], inverse[Columns];
    for (std::int64_t i = first; i < size; i += 8) {
        Four sum[Columns][2];
        for (int c = 0; c < Columns; ++c)
            for (int v = 0; v < 2; ++v) sum[c][v] = load_four(here + c * step + i + v * 4);
        for (std::int64_t k = 0; k < first; ++k) {
            const Four x[2] = {load_four(a + k * step + i), load_four(a + k * step + i + 4)};
            for (int c = 0; c < Columns; ++c) {
                const Four w = all(a[k * step + first + c]);
                for (int v = 0; v < 2; ++v) sum[c][v] -= w * x[v];
            }
        }
        for (int c = 0; c < Columns && i == first; ++c)  // these rows hold the pivots
            for (int d = c; d < Columns; ++d) {
                double rest = sum[c][d / 4][d % 4];
                for (int e = 0; e < c; ++e) rest -= lower[d][e] * lower[c][e];
                if (d == c && !(rest > 0.0)) return false;
                lower[d][c] = d == c ? std::sqrt(rest) : rest * inverse[c];
                if (d == c) inverse[c] = 1.0 / lower[c][c];
            }
        for (int c = 0; c < Columns; ++c)
            for (int v = 0; v < 2; ++v) {
                for (int e = 0; e < c; ++e) sum[c][v] -= sum[e][v] * all(lower[c][e]);
                sum[c][v] *= all(inverse[c]);
                store_four(sum[c][v], here + c * step + i + v * 4);
            }
    }
    return true;
}

bool factorise(double* a, std::int64_t step, std::int64_t size) {
    constexpr std::int64_t kColumns = 6;  // with two vectors each they fill the registers
    std::int64_t first = 0;
    for (; first + kColumns <= size; first += kColumns)
        if (!factor_columns<kColumns>(a, step, size, first)) return false;
    for (; first < size; ++first)
        if (!factor_columns<1>(a, step, size, first)) return false;
    return true;
}

void solve_factor(const double* __restrict a, std::int64_t step, std::int64_t size, double* __restrict b) {
    for (std::int64_t k = 0; k < size; ++k) {
        const double* column = a + k * step;
        const double x = b[k] /= column[k];
        for (std::int64_t i = k + 1; i < size; ++i) b[i] -= x * column[i];
    }
    for (std::int64_t k = size - 1; k >= 0; --k) {
        const double* column = a + k * step;
        Four sum = all(0.0);
        std::int64_t i = k + 1;
        for (; i + 4 <= size; i += 4) sum += load_four(column + i) * load_four(b + i);
        double rest = b[k] - ((sum[0] + sum[2]) + (sum[1] + sum[3]));
        for (; i < size; ++i) rest -= column[i] * b[i];
        b[k] = rest / column[k];
    }
}

}  // namespace
}  // namespace assay
