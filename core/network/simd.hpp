// Vector loops of networks.
#pragma once

#include <cstdint>
#include <type_traits>

#include "simd/dispatch.hpp"

namespace assay {

// Units of a layer, and rules of descent; see network/network.hpp.
enum class Unit { linear, tanh, relu, sigmoid };
enum class Rule { sgd, momentum, adam };

// With g = gradient + l2 p:
//     sgd       p -= rate g
//     momentum  v = keep v - rate g,  p += v
//     adam      m = keep m + g,  s = keep_square s + g^2,  p -= rate m / (sqrt(s) + small)
// Adam's m / (1 - keep) and s / (1 - keep_square) are kept: the constants are in `rate` and `small`.
template <class T>
struct Step {
    Rule rule;
    T rate, keep, keep_square, small, l2;
};

// Rows by their filled entries, those of row r from first[r] to first[r + 1]; see base/offset_csr.hpp.
template <class T>
struct Entries {
    const std::int64_t* first;
    const std::int32_t* column;
    const T* value;
};

template <class T>
struct LayerLoops {
    // out = (row - center) * unit, computed in float64; what lies beyond limit - 1 is drawn in towards
    // +-limit: from z to sign(z) (limit - 1 / (|z| - limit + 2)).
    void (*read_floats)(const float* row, const double* center, const double* unit, double limit,
                        std::int64_t width, T* out);
    void (*read_doubles)(const double* row, const double* center, const double* unit, double limit,
                         std::int64_t width, T* out);

    // values (count x width) = g(values + bias); NaN stays NaN.
    void (*activate)(Unit unit, std::int64_t count, std::int64_t width, const T* bias, T* values);

    // deltas *= g', from the values of the units.
    void (*multiply_slopes)(Unit unit, const T* values, std::int64_t count, T* deltas);

    // sums += values.
    void (*add_all)(const T* values, std::int64_t count, T* sums);

    // sums (width) += the rows (count x width).
    void (*add_columns)(const T* rows, std::int64_t count, std::int64_t width, T* sums);

    // With e over the entries of row which[r], and lines of `width` numbers: sums[r] = start + sum of
    // value[e] * table[column[e]]; and table[column[e]] += value[e] * rows[r]. The first `known` of `which`,
    // at least `count`, are rows that may be asked for next.
    void (*line_sums)(const Entries<T>& entries, const std::int64_t* which, std::int64_t count,
                      std::int64_t known, const T* start, const T* table, std::int64_t width, T* sums);
    void (*spread_rows)(const Entries<T>& entries, const std::int64_t* which, std::int64_t count,
                        const T* rows, std::int64_t width, T* table);

    // Layers of few units, weights W' (units x inputs): out = values W; gradient (inputs x units) += values'
    // deltas; out = deltas W'.
    void (*narrow_scores)(const T* values, std::int64_t count, std::int64_t inputs, const T* turned,
                          std::int64_t units, T* out);
    void (*narrow_slopes)(const T* values, const T* deltas, std::int64_t count, std::int64_t inputs,
                          std::int64_t units, T* gradient);
    void (*narrow_back)(const T* deltas, std::int64_t count, std::int64_t inputs, const T* turned,
                        std::int64_t units, T* out);

    // A step of the parameters p; `first` and `second` are what the rule remembers.
    void (*make_step)(const Step<T>& step, std::int64_t count, T* p, const T* gradient, T* first, T* second);
};

struct NetworkSimd {
    LayerLoops<float> floats;
    LayerLoops<double> doubles;
};

ASSAY_SIMD(NetworkSimd, network_simd)

#ifndef ASSAY_COMPILED_FOR
template <class T>
const LayerLoops<T>& layer_loops_of() {
    if constexpr (std::is_same_v<T, float>)
        return network_simd().floats;
    else
        return network_simd().doubles;
}
#endif

}  // namespace assay
