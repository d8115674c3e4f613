// Sums of outer products in a packed form that the vector units like: panels of eight columns.
#pragma once

#include <cstdint>

#include "base/index.hpp"

namespace assay {

// A centred block of rows is kept as panels: panel p holds columns 8p..8p+7 of all rows, row after row,
// padded with zeros. Its Gram matrix is kept as the 8 x 8 blocks (p, q), q <= p, one after the other.
inline std::int64_t panels(std::int64_t width) { return whole_lanes(width) / kLanes; }
inline std::int64_t packed_gram_size(std::int64_t width) {
    return panels(width) * (panels(width) + 1) / 2 * kLanes * kLanes;
}

// Packed gram += A'A for `rows` rows; A's panel p starts at a + p * panel_stride.
void add_gram(const double* a, std::int64_t panel_stride, std::int64_t rows, std::int64_t width,
              double* gram);

// The packed Gram matrix as a symmetric, row-major width x width matrix.
void unpack_gram(const double* gram, std::int64_t width, double* out);

}  // namespace assay
