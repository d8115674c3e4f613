// Products of tiles that do not exceed a limit per row, and exact ones of small whole numbers; included by
// simd.cpp alone.
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

// Those of a tile that do not exceed the limits of their rows; most tiles have none.
template <class Vector, class Key>
ASSAY_INLINE std::int64_t list_tile(const TileSums<Vector>& sum, const Key* limit, std::int64_t first,
                                    HitOf<Key>* hits) {
    unsigned any = 0;
    over_tile([&](int r, int v)
                  __attribute__((always_inline)) { any |= within_limit(sum[r][v], limit[first + r]); });
    if (!any) return 0;
    Key keys[kTileRows * kTileColumns];
    over_tile([&](int r, int v) __attribute__((always_inline)) {
        __builtin_memcpy(keys + r * kTileColumns + v * kFloats, &sum[r][v], sizeof(Vector));
    });
    return list_hits<Vector>(keys, limit + first, static_cast<std::int32_t>(first), hits);
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

std::int64_t whole_sweep(const std::int32_t* __restrict rows, const std::int32_t* __restrict used,
                         const std::int64_t* __restrict ends, std::int64_t groups,
                         const std::int32_t* __restrict panel, const std::int32_t* __restrict start,
                         const std::int32_t* __restrict limit, WholeHit* __restrict hits) {
    std::int64_t found = 0;
    for (std::int64_t g = 0; g < groups; ++g) {
        TileSums<Ints> sum;
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r) load_columns(start, sum[r]);
        const std::int32_t* a = rows + ends[g] * kTileRows;
        for (std::int64_t d = ends[g]; d < ends[g + 1]; ++d, a += kTileRows) {
            const std::int32_t* b = panel + std::int64_t{used[d]} * kTileColumns;
            Ints column[kTileVectors];
            load_columns(b, column);
#pragma GCC unroll 8
            for (int r = 0; r < kTileRows; ++r) {
                const Ints own = a[r] - Ints{};
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v) sum[r][v] += pair_products(own, column[v]);
            }
        }
        found += list_tile(sum, limit, g * kTileRows, hits + found);
    }
    return found;
}
constexpr auto whole_sweep_here = whole_sweep;
#else
constexpr WholeSweep whole_sweep_here = nullptr;
#endif

}  // namespace
}  // namespace assay
