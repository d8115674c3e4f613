#include "moments/packed_gram.hpp"

#include "moments/simd.hpp"

namespace assay {
void add_gram(const double* a, std::int64_t panel_stride, std::int64_t rows, std::int64_t width,
              double* gram) {
    constexpr std::int64_t kRows = 256;  // two panels of a chunk fit the first-level cache
    for (std::int64_t first = 0; first < rows; first += kRows) {
        const std::int64_t count = rows - first < kRows ? rows - first : kRows;
        double* block = gram;
        for (std::int64_t p = 0; p < panels(width); ++p) {
            const int halves = width - p * kLanes > kLanes / 2 ? 2 : 1;  // the rest is padding
            for (std::int64_t q = 0; q <= p; ++q, block += kLanes * kLanes)
                moments_simd().add_block(a + p * panel_stride + first * kLanes,
                                         a + q * panel_stride + first * kLanes, count, halves, block);
        }
    }
}

void unpack_gram(const double* gram, std::int64_t width, double* out) {
    for (std::int64_t p = 0; p < panels(width); ++p)
        for (std::int64_t q = 0; q <= p; ++q, gram += kLanes * kLanes)
            for (std::int64_t i = 0; i < kLanes; ++i)
                for (std::int64_t j = 0; j < kLanes; ++j) {
                    const std::int64_t row = p * kLanes + i, column = q * kLanes + j;
                    if (row < width && column <= row)
                        out[row * width + column] = out[column * width + row] = gram[i * kLanes + j];
                }
}

}  // namespace assay
