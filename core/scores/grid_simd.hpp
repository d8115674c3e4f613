// Vector loops of a grid of settings (grid.hpp): projected rows squared and added up with the shares of each
// setting, and the verdict on a group of rows.
#pragma once

#include "scores/simd.hpp"
#include "simd/tile.hpp"

namespace assay {
namespace {

typedef double Doubles __attribute__((vector_size(4 * kFloats)));

template <class T>
struct Tile;
template <>
struct Tile<float> {
    using Vector = Floats;
    static constexpr int kLanes = kFloats;
};
template <>
struct Tile<double> {
    using Vector = Doubles;
    static constexpr int kLanes = kFloats / 2;
};
template <class T>
constexpr int kGroup = Tile<T>::kLanes * kTileVectors;  // rows side by side

// sum[c][v] = start[c] + the products of a group of rows with kTileRows columns of a panel.
template <class T>
ASSAY_INLINE void tile_products(const T* rows, std::int64_t depth, const T* panel, const T* start,
                                typename Tile<T>::Vector (&sum)[kTileRows][kTileVectors]) {
    using Vector = typename Tile<T>::Vector;
#pragma GCC unroll 8
    for (int c = 0; c < kTileRows; ++c)
#pragma GCC unroll 8
        for (int v = 0; v < kTileVectors; ++v) sum[c][v] = start[c] - Vector{};
    for (std::int64_t d = 0; d < depth; ++d, panel += kTileRows, rows += kGroup<T>) {
        Vector row[kTileVectors];
#pragma GCC unroll 8
        for (int v = 0; v < kTileVectors; ++v)
            __builtin_memcpy(&row[v], rows + v * Tile<T>::kLanes, sizeof(Vector));
#pragma GCC unroll 8
        for (int c = 0; c < kTileRows; ++c)
#pragma GCC unroll 8
            for (int v = 0; v < kTileVectors; ++v) sum[c][v] += panel[c] * row[v];
    }
}

// out[g][s][lane] = sum over columns j of share[j][s] (start[j] + x · turn[:, j])^2.
template <class T>
void grid_squares(const T* __restrict rows, std::int64_t groups, std::int64_t depth, const T* __restrict turn,
                  const T* __restrict start, std::int64_t panels, const T* __restrict share,
                  std::int64_t settings, T* __restrict out) {
    using Vector = typename Tile<T>::Vector;
    constexpr int kLanes = Tile<T>::kLanes;
    for (std::int64_t g = 0; g < groups; ++g, rows += depth * kGroup<T>, out += settings * kGroup<T>) {
        for (std::int64_t i = 0; i < settings * kGroup<T>; ++i) out[i] = T(0);
        for (std::int64_t p = 0; p < panels; ++p) {
            Vector sum[kTileRows][kTileVectors];
            tile_products<T>(rows, depth, turn + p * depth * kTileRows, start + p * kTileRows, sum);
#pragma GCC unroll 8
            for (int c = 0; c < kTileRows; ++c)
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v) sum[c][v] *= sum[c][v];
            const T* own = share + p * kTileRows * settings;
            for (std::int64_t s = 0; s < settings; ++s) {
                Vector total[kTileVectors];
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v)
                    __builtin_memcpy(&total[v], out + s * kGroup<T> + v * kLanes, sizeof(Vector));
#pragma GCC unroll 8
                for (int c = 0; c < kTileRows; ++c)
#pragma GCC unroll 8
                    for (int v = 0; v < kTileVectors; ++v) total[v] += own[c * settings + s] * sum[c][v];
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v)
                    __builtin_memcpy(out + s * kGroup<T> + v * kLanes, &total[v], sizeof(Vector));
            }
        }
    }
}

// out[g][j][lane] = start[j] + x · turn[:, j].
template <class T>
void grid_lines(const T* __restrict rows, std::int64_t groups, std::int64_t depth, const T* __restrict turn,
                const T* __restrict start, std::int64_t panels, T* __restrict out) {
    using Vector = typename Tile<T>::Vector;
    for (std::int64_t g = 0; g < groups; ++g, rows += depth * kGroup<T>)
        for (std::int64_t p = 0; p < panels; ++p, out += kTileRows * kGroup<T>) {
            Vector sum[kTileRows][kTileVectors];
            tile_products<T>(rows, depth, turn + p * depth * kTileRows, start + p * kTileRows, sum);
#pragma GCC unroll 8
            for (int c = 0; c < kTileRows; ++c)
#pragma GCC unroll 8
                for (int v = 0; v < kTileVectors; ++v)
                    __builtin_memcpy(out + c * kGroup<T> + v * Tile<T>::kLanes, &sum[c][v], sizeof(Vector));
        }
}

// The length of each row of a group.
void grid_lengths(const float* __restrict rows, std::int64_t depth, float* __restrict out) {
    float sum[kGroup<float>] = {};
    for (std::int64_t d = 0; d < depth; ++d, rows += kGroup<float>)
        for (int r = 0; r < kGroup<float>; ++r) sum[r] += rows[r] * rows[r];
    for (int r = 0; r < kGroup<float>; ++r) out[r] = __builtin_sqrtf(sum[r]);
}

// See GridLoops: how far off the scores of a class may be, for every row of a group.
void grid_doubts(const float* __restrict squares, std::int64_t settings, const float* __restrict length,
                 const GridError& e, float* __restrict out) {
    float most[kGroup<float>];
    for (int r = 0; r < kGroup<float>; ++r) most[r] = squares[r];
    for (std::int64_t s = 1; s < settings; ++s)
        for (int r = 0; r < kGroup<float>; ++r) {
            const float own = squares[s * kGroup<float> + r];
            most[r] = own > most[r] ? own : most[r];
        }
    for (int r = 0; r < kGroup<float>; ++r) {
        const float a = length[r] * e.turn + e.start;
        out[r] = e.unit * (__builtin_sqrtf(most[r]) * a + e.unit * a * a + most[r] + e.bias);
    }
}

ASSAY_INLINE Floats floats_at(const float* from) {
    Floats out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}

// Classes' scores are bias[k] + factor values[k * stride]. A row is right for certain if its own class wins
// even at the lower end of what it may be, wrong if another one beats its upper end; NaN is neither.
void grid_judge(const float* __restrict values, std::int64_t stride, const float* __restrict bias,
                float factor, const float* __restrict doubts, std::int64_t classes, std::int64_t own,
                std::uint64_t* right, std::uint64_t* wrong) {
    constexpr float kLess = -1e-37f;
    *right = *wrong = 0;
    for (int v = 0; v < kTileVectors; ++v) {
        Floats least = {}, most = {}, above = least - 3e38f, sure = above, known = {};
        for (std::int64_t k = 0; k < classes; ++k) {
            const Floats value = bias[k] + factor * floats_at(values + k * stride + v * kFloats);
            const Floats doubt = floats_at(doubts + k * kGroup<float> + v * kFloats);
            const Floats low = value - doubt, high = value + doubt;
            known += (low - low) + (high - high);  // 0, or NaN where one of them is no number
            if (k == own) {
                least = low, most = high;
            } else {
                above = high > above ? high : above;
                sure = low > sure ? low : sure;
            }
        }
        *right |= static_cast<std::uint64_t>(within_limit((above - least) + known, kLess)) << (v * kFloats);
        *wrong |= static_cast<std::uint64_t>(within_limit((most - sure) + known, kLess)) << (v * kFloats);
    }
}

constexpr GridLoops grid_loops = {
    .columns = kTileRows,
    .rows32 = kGroup<float>,
    .rows64 = kGroup<double>,
    .floats = {.squares = grid_squares<float>, .lines = grid_lines<float>},
    .doubles = {.squares = grid_squares<double>, .lines = grid_lines<double>},
    .lengths = grid_lengths,
    .doubts = grid_doubts,
    .judge = grid_judge,
};

}  // namespace
}  // namespace assay
