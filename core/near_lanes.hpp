// The innermost loops of neighbours: tiles of products with a limit a row, and distances in double precision.
// Included by leaves.cpp alone, which is compiled for every kind of processor.
#pragma once

#include <cstdint>

#include "lanes.hpp"
#include "leaves.hpp"
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

// Loops over the tile are unrolled: only then its sums stay in registers.
std::int64_t near_sweep(const float* __restrict rows, std::int64_t groups, std::int64_t depth,
                        const float* __restrict panel, const float* __restrict limit, Hit* __restrict hits) {
    std::int64_t found = 0;
    for (std::int64_t g = 0; g < groups; ++g) {
        Floats sum[kTileRows][kTileVectors];
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v) sum[r][v] = Floats{};
        const float* a = rows + g * depth * kTileRows;
        const float* b = panel;
        for (std::int64_t d = 0; d < depth; ++d, a += kTileRows, b += kTileColumns) {
            Floats column[kTileVectors];
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v)
                __builtin_memcpy(&column[v], b + v * kFloats, sizeof(Floats));
#pragma GCC unroll 8
            for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v) sum[r][v] += a[r] * column[v];
        }
        const float* own = limit + g * kTileRows;
        unsigned any = 0;
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v) any |= within_limit(sum[r][v], own[r]);
        if (!any) continue;
        float keys[kTileRows * kTileColumns];
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r)
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v)
                __builtin_memcpy(keys + r * kTileColumns + v * kFloats, &sum[r][v], sizeof(Floats));
        found += list_hits<Floats>(keys, own, static_cast<std::int32_t>(g * kTileRows), hits + found);
    }
    return found;
}

ASSAY_INLINE Four four_of(const double* x) { return load_four(x); }
ASSAY_INLINE Four four_of(const float* x) {
    typedef float Single __attribute__((vector_size(16)));
    Single v;
    __builtin_memcpy(&v, x, sizeof v);
    return __builtin_convertvector(v, Four);
}

struct Squares {
    static ASSAY_INLINE Four of(Four a, Four b) { return (a - b) * (a - b); }
    static ASSAY_INLINE double add(double sum, double a, double b) { return add_square(sum, a - b); }
};
struct Absolutes {
    static ASSAY_INLINE Four of(Four a, Four b) { return (Four)((FourBits)(a - b) & 0x7FFFFFFFFFFFFFFFULL); }
    static ASSAY_INLINE double add(double sum, double a, double b) { return sum + __builtin_fabs(a - b); }
};
struct Mismatches {
    static ASSAY_INLINE Four of(Four a, Four b) { return a != b ? all(1.0) : all(0.0); }
    static ASSAY_INLINE double add(double sum, double a, double b) { return sum + (a != b ? 1.0 : 0.0); }
};

template <class Term, class T>
ASSAY_INLINE double sum_of(const double* __restrict q, const T* __restrict x, std::int64_t width) {
    Four low = all(0.0), high = all(0.0);
    std::int64_t j = 0;
    for (; j + 8 <= width; j += 8) {
        low += Term::of(four_of(q + j), four_of(x + j));
        high += Term::of(four_of(q + j + 4), four_of(x + j + 4));
    }
    if (j + 4 <= width) {
        low += Term::of(four_of(q + j), four_of(x + j));
        j += 4;
    }
    const Four s = low + high;
    double sum = (s[0] + s[2]) + (s[1] + s[3]);
    for (; j < width; ++j) sum = Term::add(sum, q[j], static_cast<double>(x[j]));
    return sum;
}

template <class Term, class T>
void distances_to(const double* q, const T* x, const std::int32_t* source, std::int64_t count,
                  std::int64_t width, std::int64_t, double* out) {
    constexpr std::int64_t kAhead = 4, kLine = 64 / static_cast<std::int64_t>(sizeof(T)), kMost = 8 * kLine;
    for (std::int64_t i = 0; i < count; ++i) {
        if (source && i + kAhead < count)  // rows from anywhere are asked for in time
            for (std::int64_t j = 0; j < width && j < kMost; j += kLine)
                __builtin_prefetch(x + source[i + kAhead] * width + j);
        out[i] = sum_of<Term>(q, x + (source ? source[i] : i) * width, width);
    }
}

// The first `numeric` columns by their differences, the others by whether they differ; columns in which one
// of the two is NaN are left out, and the others stand for them.
template <class T>
void mixed_to(const double* q, const T* x, const std::int32_t* source, std::int64_t count, std::int64_t width,
              std::int64_t numeric, double* out) {
    for (std::int64_t i = 0; i < count; ++i) {
        const T* __restrict row = x + (source ? source[i] : i) * width;
        double sum = 0.0, seen = 0.0;
        for (std::int64_t j = 0; j < width; ++j) {
            const double b = static_cast<double>(row[j]), d = __builtin_fabs(q[j] - b);
            const bool known = d == d;
            seen += known ? 1.0 : 0.0;
            sum += !known ? 0.0 : j < numeric ? d : d > 0.0 ? 1.0 : 0.0;
        }
        const double whole = static_cast<double>(width);
        out[i] = seen > 0.0 ? sum * (whole / seen) : whole;
    }
}

template <class T>
constexpr DistanceLeaves<T> distance_leaves = {distances_to<Squares, T>, distances_to<Absolutes, T>,
                                               distances_to<Mismatches, T>, mixed_to<T>};

}  // namespace
}  // namespace assay
