// See simd.hpp; compiled once per instruction set.
#include "network/simd.hpp"

#include "network/narrow_simd.hpp"
#include "simd/math.hpp"

namespace assay {
namespace {

constexpr std::int64_t kAhead = 8;  // rows by which entries, shuffled, are fetched before they are used

// tanh |x| = -e / (2 + e) with e = exp(-2 |x|) - 1: no digit is lost near 0. As in exp_four, -2 |x| = n ln 2
// + r, and with p = exp(r) - 1 by Taylor's series e = 2^n p + (2^n - 1).
ASSAY_INLINE Four tanh_four(Four x) {
    constexpr double kLog2E = 1.4426950408889634, kRound = 6755399441055744.0;  // 1.5 * 2^52
    const Four twice = x < all(0.0) ? x + x : -(x + x);
    const Four v = twice > all(-40.0) ? twice : all(-40.0);  // there tanh is 1
    const Four shifted = v * all(kLog2E) + all(kRound);
    const Four n = shifted - all(kRound);
    const Four r = (v - n * all(kLn2High)) - n * all(kLn2Low);
    Four p = all(1.0 / 14.0);
    for (int k = 13; k > 1; --k) p = (p * r + all(1.0)) * all(1.0 / k);
    p = (p * r + all(1.0)) * r;
    const Four power = (Four)(((FourBits)shifted + 1023) << 52);
    const Four e = power * p + (power - all(1.0));
    const Four size = -e / (all(2.0) + e);
    const Four value = x < all(0.0) ? -size : size;
    return x == x ? value : x;
}

ASSAY_INLINE Four sigmoid_four(Four x) { return tanh_four(x * all(0.5)) * all(0.5) + all(0.5); }

ASSAY_INLINE void narrow_four(const Four& v, double* to) { store_four(v, to); }
ASSAY_INLINE void narrow_four(const Four& v, float* to) {
    const FourFloats narrow = __builtin_convertvector(v, FourFloats);
    __builtin_memcpy(to, &narrow, sizeof narrow);
}

template <class T, Four function(Four)>
ASSAY_INLINE void unit_row(const T* bias, std::int64_t width, T* a) {
    std::int64_t j = 0;
    for (; j + 4 <= width; j += 4) narrow_four(function(wide_four(a + j) + wide_four(bias + j)), a + j);
    for (; j < width; ++j) a[j] = static_cast<T>(function(all(a[j]) + all(bias[j]))[0]);
}

template <class T>
void activate(Unit unit, std::int64_t count, std::int64_t width, const T* __restrict bias,
              T* __restrict values) {
    for (std::int64_t r = 0; r < count; ++r, values += width) {
        if (unit == Unit::tanh) unit_row<T, tanh_four>(bias, width, values);
        if (unit == Unit::sigmoid) unit_row<T, sigmoid_four>(bias, width, values);
        if (unit == Unit::linear)
            for (std::int64_t j = 0; j < width; ++j) values[j] += bias[j];
        if (unit == Unit::relu)
            for (std::int64_t j = 0; j < width; ++j) {
                const T a = values[j] + bias[j];
                values[j] = a < 0 ? 0 : a;  // NaN stays
            }
    }
}

template <class T>
void multiply_slopes(Unit unit, const T* __restrict values, std::int64_t count, T* __restrict deltas) {
    if (unit == Unit::tanh)
        for (std::int64_t i = 0; i < count; ++i) deltas[i] *= 1 - values[i] * values[i];
    if (unit == Unit::sigmoid)
        for (std::int64_t i = 0; i < count; ++i) deltas[i] *= values[i] * (1 - values[i]);
    if (unit == Unit::relu)
        for (std::int64_t i = 0; i < count; ++i) deltas[i] = values[i] > 0 ? deltas[i] : 0;
}

template <class T>
void add_all(const T* __restrict values, std::int64_t count, T* __restrict sums) {
    for (std::int64_t i = 0; i < count; ++i) sums[i] += values[i];
}

template <int Vectors, class T>
ASSAY_INLINE void add_span(const T* __restrict rows, std::int64_t count, std::int64_t width,
                           T* __restrict sums) {
    constexpr int lanes = Lane<T>::kCount;
    typename Lane<T>::Vector total[Vectors];
    for (int i = 0; i < Vectors; ++i) total[i] = load_lanes(sums + i * lanes);
    for (std::int64_t r = 0; r < count; ++r, rows += width)
        for (int i = 0; i < Vectors; ++i) total[i] += load_lanes(rows + i * lanes);
    for (int i = 0; i < Vectors; ++i) store_lanes(total[i], sums + i * lanes);
}

template <class T>
void add_columns(const T* __restrict rows, std::int64_t count, std::int64_t width, T* __restrict sums) {
    constexpr std::int64_t lanes = Lane<T>::kCount;
    std::int64_t k = 0;
    for (; k + 8 * lanes <= width; k += 8 * lanes) add_span<8>(rows + k, count, width, sums + k);
    for (; k + lanes <= width; k += lanes) add_span<1>(rows + k, count, width, sums + k);
    if (k < width)
        for (std::int64_t r = 0; r < count; ++r)
            for (std::int64_t j = k; j < width; ++j) sums[j] += rows[r * width + j];
}

// The compiler is to know nothing of a pointer but where it is: it then adds no offsets of its own to it.
template <class T>
ASSAY_INLINE T* plainly(T* at) {
    __asm__("" : "+r"(at));
    return at;
}

// Columns of the lines that stay in registers while the entries are walked.
template <int Vectors, class T>
ASSAY_INLINE void line_span(const T* __restrict start, const std::int32_t* __restrict line,
                            const T* __restrict value, std::int64_t count, const T* __restrict table,
                            std::int64_t width, T* __restrict sums) {
    constexpr int lanes = Lane<T>::kCount;
    typename Lane<T>::Vector total[Vectors];
#pragma GCC unroll 8
    for (int i = 0; i < Vectors; ++i) total[i] = load_lanes(start + i * lanes);
    for (std::int64_t e = 0; e < count; ++e) {
        const T* at = plainly(table + line[e] * width);
        const auto factor = every(value[e]);
#pragma GCC unroll 8
        for (int i = 0; i < Vectors; ++i) total[i] += factor * load_lanes(at + i * lanes);
    }
#pragma GCC unroll 8
    for (int i = 0; i < Vectors; ++i) store_lanes(total[i], sums + i * lanes);
}

template <class T>
ASSAY_INLINE void line_sums_of(const T* start, const std::int32_t* line, const T* value, std::int64_t count,
                               const T* table, std::int64_t width, T* sums) {
    constexpr std::int64_t lanes = Lane<T>::kCount;
    std::int64_t k = 0;
    for (; k + 8 * lanes <= width; k += 8 * lanes)
        line_span<8>(start + k, line, value, count, table + k, width, sums + k);
    for (; k + 2 * lanes <= width; k += 2 * lanes)
        line_span<2>(start + k, line, value, count, table + k, width, sums + k);
    for (; k < width; ++k) {
        T total = start[k];
        for (std::int64_t e = 0; e < count; ++e) total += value[e] * table[line[e] * width + k];
        sums[k] = total;
    }
}

template <class T>
void line_sums(const Entries<T>& entries, const std::int64_t* which, std::int64_t count, std::int64_t known,
               const T* start, const T* table, std::int64_t width, T* sums) {
    for (std::int64_t r = 0; r < count; ++r) {
        if (r + kAhead < known) {
            const std::int64_t next = entries.first[which[r + kAhead]];
            __builtin_prefetch(entries.column + next);
            __builtin_prefetch(entries.value + next);
            __builtin_prefetch(entries.value + next + 8);
        }
        if (r + 2 * kAhead < known) __builtin_prefetch(entries.first + which[r + 2 * kAhead]);
        const std::int64_t at = entries.first[which[r]];
        line_sums_of(start, entries.column + at, entries.value + at, entries.first[which[r] + 1] - at, table,
                     width, sums + r * width);
    }
}

// Numbers of the row that stay in registers while they are added to the lines.
template <int Vectors, class T>
ASSAY_INLINE void spread_span(const std::int32_t* __restrict line, const T* __restrict value,
                              std::int64_t count, const T* __restrict row, std::int64_t width,
                              T* __restrict table) {
    constexpr int lanes = Lane<T>::kCount;
    typename Lane<T>::Vector part[Vectors];
#pragma GCC unroll 8
    for (int i = 0; i < Vectors; ++i) part[i] = load_lanes(row + i * lanes);
    for (std::int64_t e = 0; e < count; ++e) {
        T* at = plainly(table + line[e] * width);
        const auto factor = every(value[e]);
#pragma GCC unroll 8
        for (int i = 0; i < Vectors; ++i)
            store_lanes(load_lanes(at + i * lanes) + factor * part[i], at + i * lanes);
    }
}

template <class T>
void spread_rows(const Entries<T>& entries, const std::int64_t* which, std::int64_t count, const T* rows,
                 std::int64_t width, T* table) {
    constexpr std::int64_t lanes = Lane<T>::kCount;
    for (std::int64_t r = 0; r < count; ++r, rows += width) {
        const std::int64_t at = entries.first[which[r]], some = entries.first[which[r] + 1] - at;
        const std::int32_t* line = entries.column + at;
        const T* value = entries.value + at;
        std::int64_t k = 0;
        for (; k + 8 * lanes <= width; k += 8 * lanes)
            spread_span<8>(line, value, some, rows + k, width, table + k);
        for (; k + 2 * lanes <= width; k += 2 * lanes)
            spread_span<2>(line, value, some, rows + k, width, table + k);
        for (; k < width; ++k)
            for (std::int64_t e = 0; e < some; ++e) table[line[e] * width + k] += value[e] * rows[k];
    }
}

ASSAY_INLINE float root(float x) { return __builtin_sqrtf(x); }
ASSAY_INLINE double root(double x) { return __builtin_sqrt(x); }

template <class T>
void make_step(const Step<T>& step, std::int64_t count, T* __restrict p, const T* __restrict gradient,
               T* __restrict first, T* __restrict second) {
    const T rate = step.rate, l2 = step.l2, keep = step.keep, keep_square = step.keep_square,
            small = step.small;
    if (step.rule == Rule::sgd)
        for (std::int64_t i = 0; i < count; ++i) p[i] -= rate * (gradient[i] + l2 * p[i]);
    if (step.rule == Rule::momentum)
        for (std::int64_t i = 0; i < count; ++i) {
            first[i] = keep * first[i] - rate * (gradient[i] + l2 * p[i]);
            p[i] += first[i];
        }
    if (step.rule == Rule::adam)
        for (std::int64_t i = 0; i < count; ++i) {
            const T g = gradient[i] + l2 * p[i];
            first[i] = keep * first[i] + g;
            second[i] = keep_square * second[i] + g * g;
            p[i] -= rate * (first[i] / (root(second[i]) + small));
        }
}

// Few numbers lie far out, so that most fours need no division; infinite ones stay.
ASSAY_INLINE Four drawn_in(Four z, double limit) {
    const Four size = z < all(0.0) ? -z : z;
    const auto far = size > all(limit - 1.0);
    if ((far[0] | far[1] | far[2] | far[3]) == 0) return z;
    const Four near = all(limit) - all(1.0) / (size - all(limit - 2.0));
    const Four drawn = z < all(0.0) ? -near : near;
    return far ? (size < all(__builtin_inf()) ? drawn : z) : z;
}

template <class S, class T>
void read_row(const S* __restrict row, const double* __restrict center, const double* __restrict unit,
              double limit, std::int64_t width, T* __restrict out) {
    std::int64_t j = 0;
    for (; j + 4 <= width; j += 4) {
        const Four z = (wide_four(row + j) - load_four(center + j)) * load_four(unit + j);
        narrow_four(drawn_in(z, limit), out + j);
    }
    for (; j < width; ++j) out[j] = static_cast<T>(drawn_in(all((row[j] - center[j]) * unit[j]), limit)[0]);
}

template <class T>
constexpr LayerLoops<T> layer_loops = {
    .read_floats = read_row<float, T>,
    .read_doubles = read_row<double, T>,
    .activate = activate<T>,
    .multiply_slopes = multiply_slopes<T>,
    .add_all = add_all<T>,
    .add_columns = add_columns<T>,
    .line_sums = line_sums<T>,
    .spread_rows = spread_rows<T>,
    .narrow_scores = narrow_scores<T>,
    .narrow_slopes = narrow_slopes<T>,
    .narrow_back = narrow_back<T>,
    .make_step = make_step<T>,
};

}  // namespace

const NetworkSimd ASSAY_TABLE(network_simd) = {
    .floats = layer_loops<float>,
    .doubles = layer_loops<double>,
};

}  // namespace assay
