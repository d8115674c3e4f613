// Small whole numbers: tiles of exact products with a limit per row; included by simd.cpp alone.
#pragma once

#include "neighbors/simd.hpp"
#include "simd/tile.hpp"

namespace assay {
namespace {

template <class Vector, class Key>
std::int64_t list_hits(const Key* keys, const Key* limit, std::int32_t first, HitOf<Key>* hits) {
    std::int64_t found = 0;
    for (int r = 0; r < kTileRows; ++r)
        for (int v = 0; v < kTileVectors; ++v) {
            Vector own;
            __builtin_memcpy(&own, keys + r * kTileColumns + v * kFloats, sizeof own);
            for (unsigned bits = within_limit(own, limit[r]); bits; bits &= bits - 1) {
                const int column = v * kFloats + __builtin_ctz(bits);
                hits[found++] = {keys[r * kTileColumns + column], first + r, column};
            }
        }
    return found;
}

#if defined(__SSE2__)
// Both halves of each lane, 16 bits wide, multiplied by those of the other, and added.
ASSAY_INLINE Ints pair_products(const Ints& a, const Ints& b) {
#if defined(__AVX512F__)
    return (Ints)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (Ints)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#else
    return (Ints)_mm_madd_epi16((__m128i)a, (__m128i)b);
#endif
}

// Loops over the tile are unrolled: only then its sums stay in registers.
std::int64_t whole_sweep(const std::int32_t* __restrict rows, const std::int32_t* __restrict used,
                         const std::int64_t* __restrict ends, std::int64_t groups,
                         const std::int32_t* __restrict panel, const std::int32_t* __restrict start,
                         const std::int32_t* __restrict limit, WholeHit* __restrict hits) {
    std::int64_t found = 0;
    for (std::int64_t g = 0; g < groups; ++g) {
        Ints sum[kTileRows][kTileVectors];
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v)
                __builtin_memcpy(&sum[r][v], start + v * kFloats, sizeof(Ints));
        const std::int32_t* a = rows + ends[g] * kTileRows;
        for (std::int64_t d = ends[g]; d < ends[g + 1]; ++d, a += kTileRows) {
            const std::int32_t* b = panel + std::int64_t{used[d]} * kTileColumns;
            Ints column[kTileVectors];
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v)
                __builtin_memcpy(&column[v], b + v * kFloats, sizeof(Ints));
#pragma GCC unroll 8
            for (int r = 0; r < kTileRows; ++r) {
                const Ints own = a[r] - Ints{};
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v) sum[r][v] += pair_products(own, column[v]);
            }
        }
        const std::int32_t* own = limit + g * kTileRows;
        unsigned any = 0;
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v) any |= within_limit(sum[r][v], own[r]);
        if (!any) continue;
        std::int32_t keys[kTileRows * kTileColumns];
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v)
                __builtin_memcpy(keys + r * kTileColumns + v * kFloats, &sum[r][v], sizeof(Ints));
        found += list_hits<Ints>(keys, own, static_cast<std::int32_t>(g * kTileRows), hits + found);
    }
    return found;
}
constexpr auto whole_sweep_here = whole_sweep;
#else
constexpr WholeSweep whole_sweep_here = nullptr;
#endif

}  // namespace
}  // namespace assay
