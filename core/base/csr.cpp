#include "base/csr.hpp"

#include <algorithm>
#include <vector>

#include "base/threads.hpp"

namespace assay {
namespace {

constexpr std::int64_t kRows = 512;  // rows a thread takes at a time

// `Together` right-hand sides at once, which lie side by side for every column.
template <int Together, class Index>
void some_products(const Compressed<Index>& matrix, const double* side_by_side, std::int64_t stride,
                   bool squared, std::int64_t begin, std::int64_t end, double* out) {
    for (std::int64_t r = begin; r < end; ++r) {
        double sum[Together] = {};
        for (Index e = matrix.first[r]; e < matrix.first[r + 1]; ++e) {
            const double v = squared ? matrix.value[e] * matrix.value[e] : matrix.value[e];
            const double* at = side_by_side + static_cast<std::int64_t>(matrix.column[e]) * stride;
            for (int m = 0; m < Together; ++m) sum[m] += v * at[m];
        }
        for (int m = 0; m < Together; ++m) out[m * matrix.rows + r] = sum[m];
    }
}

}  // namespace

template <class Index>
void sparse_products(const Compressed<Index>& matrix, const double* right, std::int64_t count, bool squared,
                     int threads, double* out) {
    std::vector<double> turned;
    if (count > 1) {
        turned.resize(static_cast<std::size_t>(matrix.columns * count));
        for (std::int64_t m = 0; m < count; ++m)
            for (std::int64_t j = 0; j < matrix.columns; ++j)
                turned[j * count + m] = right[m * matrix.columns + j];
        right = turned.data();
    }
    parallel_for((matrix.rows + kRows - 1) / kRows, threads, [&](std::int64_t part, int) {
        const std::int64_t begin = part * kRows, end = std::min(begin + kRows, matrix.rows);
        std::int64_t m = 0;
        const auto go = [&](auto together) {
            some_products<together>(matrix, right + m, count, squared, begin, end, out + m * matrix.rows);
            m += together;
        };
        while (m + 8 <= count) go(std::integral_constant<int, 8>{});
        while (m + 4 <= count) go(std::integral_constant<int, 4>{});
        while (m + 2 <= count) go(std::integral_constant<int, 2>{});
        while (m < count) go(std::integral_constant<int, 1>{});
    });
}

template void sparse_products(const Compressed<std::int32_t>&, const double*, std::int64_t, bool, int,
                              double*);
template void sparse_products(const Compressed<std::int64_t>&, const double*, std::int64_t, bool, int,
                              double*);

}  // namespace assay
