// The innermost loops over rows of bits and numbers. Included by simd.cpp alone.
#pragma once

#include <cstdint>

#include "neighbors/pattern_simd.hpp"
#include "simd/vector.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

// Columns that do not differ would add zeros: leaving them out changes no bit of any sum.
void pattern_squares(const PatternRows& rows, std::int64_t row, const std::int32_t* source,
                     std::int64_t count, double* __restrict room, double* __restrict out) {
    constexpr std::int64_t kAhead = 4;
    const std::uint64_t* __restrict q = rows.bits + row * rows.words;
    const double* __restrict a = rows.numbers + row * rows.count;
    for (std::int64_t i = 0; i < count; ++i) {
        if (i + kAhead < count) {  // rows from anywhere are asked for in time
            __builtin_prefetch(rows.bits + source[i + kAhead] * rows.words);
            __builtin_prefetch(rows.numbers + source[i + kAhead] * rows.count);
        }
        const std::uint64_t* __restrict x = rows.bits + source[i] * rows.words;
        const double* __restrict b = rows.numbers + source[i] * rows.count;
        for (std::int64_t n = 0; n < rows.count; ++n) room[rows.column[n]] = a[n] - b[n];
        double sum[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        for (std::int64_t w = 0; w < rows.words; ++w) {
            std::uint64_t left = (((q[w] ^ x[w]) & rows.used[w]) | rows.numeric[w]) & rows.lanes[w];
            for (; left; left &= left - 1) {
                const std::int64_t j = 64 * w + __builtin_ctzll(left);
                sum[rows.lane[j]] = add_square(sum[rows.lane[j]], room[j]);
            }
        }
        double all = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
        for (std::int64_t t = 0; t < rows.tails; ++t) {
            const std::int64_t j = rows.tail[t], w = j / 64;
            const std::uint64_t differs = ((q[w] ^ x[w]) & rows.used[w]) | rows.numeric[w];
            all = add_square(all, (differs >> (j % 64)) & 1 ? room[j] : 0.0);
        }
        out[i] = all;
    }
}

ASSAY_INLINE std::int64_t list_small(const std::uint8_t* panel, std::uint32_t bits, std::int32_t first,
                                     std::int32_t* listed, std::uint8_t* sums) {
    std::int64_t found = 0;
    for (; bits; bits &= bits - 1, ++found) {
        const int at = __builtin_ctz(bits);
        listed[found] = first + at;
        sums[found] = panel[at];
    }
    return found;
}

std::int64_t pattern_sweep(const std::uint8_t* __restrict panels, std::int64_t count, std::int64_t codes,
                           const std::uint8_t* __restrict tables, std::int32_t* __restrict listed,
                           std::uint8_t* __restrict sums) {
    std::int64_t found = 0;
    for (std::int64_t p = 0; p < count; ++p) {
        const std::uint8_t* __restrict panel = panels + p * codes * kPatternPanel;
        std::uint8_t total[kPatternPanel];
        std::uint32_t small = 0;
#if defined(__AVX2__)
        __m256i sum = _mm256_setzero_si256();
        for (std::int64_t c = 0; c < codes; ++c) {
            const __m256i table = _mm256_broadcastsi128_si256(
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(tables + 16 * c)));
            const __m256i code =
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(panel + c * kPatternPanel));
            sum = _mm256_adds_epu8(sum, _mm256_shuffle_epi8(table, code));
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(total), sum);
        small =
            ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(sum, _mm256_set1_epi8(-1))));
#else
        std::uint32_t wide[kPatternPanel] = {};
        for (std::int64_t c = 0; c < codes; ++c)
            for (int i = 0; i < kPatternPanel; ++i) wide[i] += tables[16 * c + panel[c * kPatternPanel + i]];
        for (int i = 0; i < kPatternPanel; ++i) {
            total[i] = static_cast<std::uint8_t>(wide[i] < 255 ? wide[i] : 255);
            small |= static_cast<std::uint32_t>(total[i] < 255) << i;
        }
#endif
        found += list_small(total, small, static_cast<std::int32_t>(p * kPatternPanel), listed + found,
                            sums + found);
    }
    return found;
}

constexpr PatternLoops pattern_loops = {pattern_squares, pattern_sweep};

}  // namespace
}  // namespace assay
