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
