// See simd.hpp; compiled once per instruction set. Rows lie in the lanes of tiles.
#include "cluster/simd.hpp"

#include "simd/distances.hpp"
#include "simd/tile.hpp"

namespace assay {
namespace {

// The plain intrinsics of GCC 12 read a vector that is never set, which it warns of.
ASSAY_INLINE Floats least_of(const Floats& a, const Floats& b) {
#if defined(__AVX512F__)
    return (Floats)_mm512_maskz_min_ps(0xFFFF, (__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (Floats)_mm256_min_ps((__m256)a, (__m256)b);
#else
    return a < b ? a : b;
#endif
}
ASSAY_INLINE Floats most_of(const Floats& a, const Floats& b) {
#if defined(__AVX512F__)
    return (Floats)_mm512_maskz_max_ps(0xFFFF, (__m512)a, (__m512)b);
#elif defined(__AVX2__)
    return (Floats)_mm256_max_ps((__m256)a, (__m256)b);
#else
    return a > b ? a : b;
#endif
}

// Rows source[0..kTileColumns) side by side: number d of them from out[d * kTileColumns] on.
ASSAY_INLINE void gather_columns(const float* x, std::int64_t depth, const std::int32_t* source,
                                 float* __restrict out) {
    std::int64_t done = 0;
#if defined(__AVX2__)
    for (; done + 8 <= depth; done += 8)
        for (int part = 0; part < kTileColumns; part += 8) {
            __m256 r[8], s[8];
            for (int i = 0; i < 8; ++i) r[i] = _mm256_loadu_ps(x + source[part + i] * depth + done);
            for (int i = 0; i < 8; i += 2) {
                s[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
                s[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
            }
            for (int i = 0; i < 8; i += 4) {
                r[i] = _mm256_shuffle_ps(s[i], s[i + 2], 0x44);
                r[i + 1] = _mm256_shuffle_ps(s[i], s[i + 2], 0xEE);
                r[i + 2] = _mm256_shuffle_ps(s[i + 1], s[i + 3], 0x44);
                r[i + 3] = _mm256_shuffle_ps(s[i + 1], s[i + 3], 0xEE);
            }
            float* to = out + done * kTileColumns + part;
            for (int i = 0; i < 4; ++i) {
                _mm256_storeu_ps(to + i * kTileColumns, _mm256_permute2f128_ps(r[i], r[i + 4], 0x20));
                _mm256_storeu_ps(to + (i + 4) * kTileColumns, _mm256_permute2f128_ps(r[i], r[i + 4], 0x31));
            }
        }
#endif
    for (; done < depth; ++done)
        for (int i = 0; i < kTileColumns; ++i) out[done * kTileColumns + i] = x[source[i] * depth + done];
}

// Asks for rows that will be gathered next: they lie anywhere.
ASSAY_INLINE void ask_for(const float* x, std::int64_t depth, const std::int32_t* source,
                          std::int64_t count) {
    constexpr std::int64_t kLine = 16, kMost = 8 * kLine;
    for (std::int64_t i = 0; i < count && i < kTileColumns; ++i)
        for (std::int64_t j = 0; j < depth && j < kMost; j += kLine)
            __builtin_prefetch(x + source[i] * depth + j);
}

// The least two keys of a tile of rows, and where the least is.
struct LeastTwo {
    Floats best[kTileVectors], second[kTileVectors];
    Ints where[kTileVectors];
};

ASSAY_INLINE void add_keys(const float* __restrict columns, const float* __restrict panel,
                           const float* __restrict bias, std::int64_t depth, std::int32_t first,
                           LeastTwo& kept) {
    TileSums<Floats> sum;
    over_tile([&](int r, int v) __attribute__((always_inline)) { sum[r][v] = bias[r] - Floats{}; });
    add_products(panel, columns, depth, sum);
#pragma GCC unroll 8
    for (int v = 0; v < kTileVectors; ++v) {
        Floats best = kept.best[v], second = kept.second[v];
        Ints where = kept.where[v];
#pragma GCC unroll 8
        for (int r = 0; r < kTileRows; ++r) {
            const Floats key = sum[r][v];
            where = key < best ? (first + r) - Ints{} : where;
            second = least_of(most_of(key, best), second);
            best = least_of(key, best);
        }
        kept.best[v] = best, kept.second[v] = second, kept.where[v] = where;
    }
}

void nearest_two(const float* x, std::int64_t depth, const std::int32_t* source, std::int64_t count,
                 const float* panels, const float* bias, std::int64_t panel_count, float* room, float* last,
                 float* best, float* second, std::int32_t* where) {
    for (std::int64_t begin = 0; begin < count; begin += kTileColumns) {
        const std::int64_t some = count - begin < kTileColumns ? count - begin : kTileColumns;
        std::int32_t own[kTileColumns];
        for (std::int64_t i = 0; i < kTileColumns; ++i) own[i] = source[begin + (i < some ? i : some - 1)];
        gather_columns(x, depth, own, room);
        ask_for(x, depth, source + begin + some, count - begin - some);
        LeastTwo kept;
        for (int v = 0; v < kTileVectors; ++v) {
            kept.best[v] = kept.second[v] = __builtin_inff() - Floats{};
            kept.where[v] = Ints{};
        }
        for (std::int64_t p = 0; p < panel_count; ++p)
            add_keys(room, panels + p * depth * kTileRows, bias + p * kTileRows, depth,
                     static_cast<std::int32_t>(p * kTileRows), kept);
        __builtin_memcpy(last + begin, room + (depth - 1) * kTileColumns,
                         static_cast<std::size_t>(some) * sizeof(float));
        __builtin_memcpy(best + begin, kept.best, static_cast<std::size_t>(some) * sizeof(float));
        __builtin_memcpy(second + begin, kept.second, static_cast<std::size_t>(some) * sizeof(float));
        __builtin_memcpy(where + begin, kept.where, static_cast<std::size_t>(some) * sizeof(std::int32_t));
    }
}

template <class T>
void squares_to_own(const T* x, std::int64_t width, const std::int32_t* source, const std::int32_t* labels,
                    std::int64_t count, const double* centers, double* out) {
    constexpr std::int64_t kAhead = 8, kLine = 64 / static_cast<std::int64_t>(sizeof(T)), kMost = 8 * kLine;
    for (std::int64_t i = 0; i < count; ++i) {
        if (i + kAhead < count)
            for (std::int64_t j = 0; j < width && j < kMost; j += kLine)
                __builtin_prefetch(x + source[i + kAhead] * width + j);
        out[i] = sum_of<Squares>(centers + labels[i] * width, x + source[i] * width, width);
    }
}

// Never inlined: joined to the sums below, products might not be rounded.
template <class T>
__attribute__((noinline)) void weigh_row(const T* __restrict x, const double* __restrict center,
                                         double weight, std::int64_t width, double* __restrict out) {
    for (std::int64_t j = 0; j < width; ++j) out[j] = (static_cast<double>(x[j]) - center[j]) * weight;
}

template <class T>
void cut_row(const T* x, const double* center, double weight, std::int64_t width,
             const double* __restrict high_cut, const double* __restrict low_cut, double* __restrict high,
             double* __restrict low) {
    weigh_row(x, center, weight, width, high);
    for (std::int64_t j = 0; j < width; ++j) {
        const double rounded = (high[j] + high_cut[j]) - high_cut[j];
        low[j] = ((high[j] - rounded) + low_cut[j]) - low_cut[j];
        high[j] = rounded;
    }
}

template <class T>
constexpr AssignmentLoops<T> assignment_loops = {.squares_to_own = squares_to_own<T>, .cut_row = cut_row<T>};

// Bounds of `count` rows moved on by the drifts of their centres; those that do not tell that the centre is
// still the nearest are listed, and counted. See cluster/kmeans.cpp.
std::int64_t list_doubtful(std::int64_t first, std::int64_t count, const std::int32_t* __restrict labels,
                           const float* __restrict drift, const float* __restrict others,
                           const float* __restrict half, float* __restrict upper, float* __restrict lower,
                           std::int32_t* __restrict listed) {
    std::int64_t found = 0;
    for (std::int64_t i = first; i < first + count; ++i) {
        const std::int32_t own = labels[i];
        const float up = (upper[i] + drift[own]) * kFloatUp, down = (lower[i] - others[own]) * kFloatDown;
        upper[i] = up, lower[i] = down;
        listed[found] = static_cast<std::int32_t>(i);
        found += !(up * kFloatMargin + kFloatLeast < (down > half[own] ? down : half[own]));
    }
    return found;
}

}  // namespace

const ClusterSimd ASSAY_TABLE(cluster_simd) = {
    .tile_rows = kTileRows,
    .tile_columns = kTileColumns,
    .nearest_two = nearest_two,
    .list_doubtful = list_doubtful,
    .groups32 = assignment_loops<float>,
    .groups64 = assignment_loops<double>,
};

}  // namespace assay
