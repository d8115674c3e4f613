// Vector loops of word tables.
#pragma once

#include <cstdint>

#include "simd/dispatch.hpp"

namespace assay {

struct CountsSimd {
    // sum[k] = sum of value[e] * table[line[e]][k] in the order of the entries; lines have `stride` numbers,
    // a multiple of eight.
    void (*add_lines)(const std::int32_t* line, const double* value, std::int64_t count, const double* table,
                      std::int64_t stride, double* sum);
};

ASSAY_SIMD(CountsSimd, counts_simd)

}  // namespace assay
