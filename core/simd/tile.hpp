// Tiles of products that fill the registers.
#pragma once

#include "simd/vector.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

// A tile of rows times columns whose sums fill the registers, and leave room for what they are made of.
#if defined(__AVX512F__)
constexpr int kFloats = 16, kTileRows = 8, kTileVectors = 3;
#elif defined(__AVX2__)
constexpr int kFloats = 8, kTileRows = 6, kTileVectors = 2;
#else
constexpr int kFloats = 4, kTileRows = 4, kTileVectors = 2;
#endif
constexpr int kTileColumns = kFloats * kTileVectors;
typedef float Floats __attribute__((vector_size(4 * kFloats)));
typedef std::int32_t Ints __attribute__((vector_size(4 * kFloats)));

// Sums of a tile, in registers: loops over them are unrolled, or they would not stay there.
template <class Vector>
using TileSums = Vector[kTileRows][kTileVectors];

// Calls work(row, vector) for every vector of a tile.
template <class Work>
ASSAY_INLINE void over_tile(Work&& work) {
#pragma GCC unroll 8
    for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
        for (int v = 0; v < kTileVectors; ++v) work(r, v);
}

// One number of each of the columns that a tile has.
template <class Vector, class Number>
ASSAY_INLINE void load_columns(const Number* from, Vector (&column)[kTileVectors]) {
#pragma GCC unroll 8
    for (int v = 0; v < kTileVectors; ++v) __builtin_memcpy(&column[v], from + v * kFloats, sizeof(Vector));
}

// Adds the products of `depth` numbers of each row, rows[d * kTileRows + r], and column.
ASSAY_INLINE void add_products(const float* __restrict rows, const float* __restrict columns,
                               std::int64_t depth, TileSums<Floats>& sum) {
    for (std::int64_t d = 0; d < depth; ++d, rows += kTileRows, columns += kTileColumns) {
        Floats column[kTileVectors];
        load_columns(columns, column);
        over_tile([&](int r, int v) __attribute__((always_inline)) { sum[r][v] += rows[r] * column[v]; });
    }
}

// Lanes that do not exceed a limit, as bits.
ASSAY_INLINE unsigned within_limit(const Floats& v, float limit) {
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask((__m512)v, _mm512_set1_ps(limit), _CMP_LE_OQ);
#elif defined(__AVX2__)
    return static_cast<unsigned>(
        _mm256_movemask_ps(_mm256_cmp_ps((__m256)v, _mm256_set1_ps(limit), _CMP_LE_OQ)));
#else
    unsigned bits = 0;
    for (int lane = 0; lane < kFloats; ++lane) bits |= static_cast<unsigned>(v[lane] <= limit) << lane;
    return bits;
#endif
}

ASSAY_INLINE unsigned within_limit(const Ints& v, std::int32_t limit) {
#if defined(__AVX512F__)
    return _mm512_cmple_epi32_mask((__m512i)v, _mm512_set1_epi32(limit));
#elif defined(__AVX2__)
    const __m256i more = _mm256_cmpgt_epi32((__m256i)v, _mm256_set1_epi32(limit));
    return ~static_cast<unsigned>(_mm256_movemask_ps((__m256)more)) & 0xFFu;
#else
    unsigned bits = 0;
    for (int lane = 0; lane < kFloats; ++lane) bits |= static_cast<unsigned>(v[lane] <= limit) << lane;
    return bits;
#endif
}

}  // namespace
}  // namespace assay
