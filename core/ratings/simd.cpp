// See simd.hpp; compiled once per instruction set.
#include "ratings/simd.hpp"

#include "simd/vector.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace assay {
namespace {

constexpr int kN = 0, kA = kCritics, kB = 2 * kCritics, kAA = 3 * kCritics, kBB = 4 * kCritics,
              kAB = 5 * kCritics, kDD = 6 * kCritics;

#if defined(__AVX2__)

// Two items a step: sixteen bit numbers of both lie in one lane, and are multiplied and added at once.
struct CoRated {
    __m256i ab = _mm256_setzero_si256(), a = ab, b = ab, aa = ab, bb = ab;

    ASSAY_INLINE void add(__m256i code, __m256i x, __m256i mask) {
        ab = _mm256_add_epi32(ab, _mm256_madd_epi16(code, x));
        a = _mm256_sub_epi32(a, _mm256_madd_epi16(code, mask));
        b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_set1_epi16(1), x));
        aa = _mm256_add_epi32(aa, _mm256_madd_epi16(code, _mm256_and_si256(code, mask)));
        bb = _mm256_add_epi32(bb, _mm256_madd_epi16(x, x));
    }
};

ASSAY_INLINE void store_lanes16(__m256i low, __m256i high, std::int32_t* to) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 8), _mm256_permute2x128_si256(low, high, 0x31));
}

ASSAY_INLINE __m256i load_lanes16(const std::int16_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

void co_rated(const std::int16_t* __restrict panel, const std::int32_t* __restrict item,
              const std::int16_t* __restrict code, std::int64_t count, std::int32_t* __restrict sums) {
    CoRated low, high;
    __m256i n = _mm256_setzero_si256();
    for (std::int64_t j = 0; j < count; j += 2) {  // an odd number of items ends with one that nobody rated
        const std::int16_t* one = panel + item[j] * 2 * kCritics;
        const std::int16_t* two = panel + item[j + 1] * 2 * kCritics;
        const __m256i x1 = load_lanes16(one), x2 = load_lanes16(two);
        const __m256i m1 = load_lanes16(one + kCritics), m2 = load_lanes16(two + kCritics);
        std::int32_t pair;
        __builtin_memcpy(&pair, code + j, sizeof pair);
        const __m256i both = _mm256_set1_epi32(pair);
        n = _mm256_sub_epi16(n, _mm256_add_epi16(m1, m2));
        low.add(both, _mm256_unpacklo_epi16(x1, x2), _mm256_unpacklo_epi16(m1, m2));
        high.add(both, _mm256_unpackhi_epi16(x1, x2), _mm256_unpackhi_epi16(m1, m2));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + kN),
                        _mm256_cvtepi16_epi32(_mm256_castsi256_si128(n)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums + kN + 8),
                        _mm256_cvtepi16_epi32(_mm256_extracti128_si256(n, 1)));
    store_lanes16(low.a, high.a, sums + kA);
    store_lanes16(low.b, high.b, sums + kB);
    store_lanes16(low.aa, high.aa, sums + kAA);
    store_lanes16(low.bb, high.bb, sums + kBB);
    store_lanes16(low.ab, high.ab, sums + kAB);
}

#else

void co_rated(const std::int16_t* __restrict panel, const std::int32_t* __restrict item,
              const std::int16_t* __restrict code, std::int64_t count, std::int32_t* __restrict sums) {
    for (int i = 0; i < 6 * kCritics; ++i) sums[i] = 0;
    for (std::int64_t j = 0; j < count; ++j) {
        const std::int16_t* x = panel + item[j] * 2 * kCritics;
        const std::int16_t* mask = x + kCritics;
        const std::int32_t own = code[j];
        for (int l = 0; l < kCritics; ++l) {
            const std::int32_t there = mask[l], other = x[l];
            sums[kN + l] -= there;
            sums[kA + l] += own & there;
            sums[kB + l] += other;
            sums[kAA + l] += (own * own) & there;
            sums[kBB + l] += other * other;
            sums[kAB + l] += own * other;
        }
    }
}

#endif

// The sums without one item, whose codes are `code` and those of the row; critics who did not rate it have
// nothing in common then.
void without_item(const std::int32_t* __restrict sums, const std::int16_t* __restrict row, std::int32_t code,
                  std::int32_t* __restrict out) {
    for (int l = 0; l < kCritics; ++l) {
        const std::int32_t other = row[l], there = row[kCritics + l];
        out[kN + l] = (sums[kN + l] - 1) & there;
        out[kA + l] = sums[kA + l] - code;
        out[kB + l] = sums[kB + l] - other;
        out[kAA + l] = sums[kAA + l] - code * code;
        out[kBB + l] = sums[kBB + l] - other * other;
        out[kAB + l] = sums[kAB + l] - code * other;
    }
}

// Four sums side by side.
ASSAY_INLINE Four four_sums(const double* from) { return load_four(from); }
ASSAY_INLINE Four four_sums(const std::int32_t* from) {
    typedef std::int32_t Whole __attribute__((vector_size(16)));
    Whole v;
    __builtin_memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, Four);
}

ASSAY_INLINE Four root_four(Four v) {
#if defined(__AVX2__)
    return (Four)_mm256_sqrt_pd((__m256d)v);
#else
    return Four{__builtin_sqrt(v[0]), __builtin_sqrt(v[1]), __builtin_sqrt(v[2]), __builtin_sqrt(v[3])};
#endif
}

// To 41 binary digits: what is equal on paper ties, whatever the rounding on the way to it.
ASSAY_INLINE Four rounded(Four v) { return (Four)(((FourBits)v + 0x800) & ~std::uint64_t{0xFFF}); }

// The sum of squared differences: of whole numbers from the other sums, of others from their own.
ASSAY_INLINE Four squares_of(const std::int32_t* sums) {
    return four_sums(sums + kAA) + four_sums(sums + kBB) - all(2.0) * four_sums(sums + kAB);
}
ASSAY_INLINE Four squares_of(const double* sums) { return four_sums(sums + kDD); }

// 1 / (1 + distance), times n / (n + shrinkage); distances in codes are `unit` times too long.
template <class T>
void euclidean_closeness(const T* __restrict sums, double overlap, double shrinkage, double unit, double,
                         double* __restrict out) {
    for (int l = 0; l < kCritics; l += 4) {
        const Four n = four_sums(sums + kN + l);
        Four close = all(unit) / (all(unit) + root_four(squares_of(sums + l)));
        if (shrinkage > 0.0) close *= n / (n + all(shrinkage));
        store_four(n >= all(overlap) ? rounded(close) : all(0.0), out + l);
    }
}

// 1 + correlation n / (n + shrinkage).
template <class T>
void pearson_closeness(const T* __restrict sums, double overlap, double shrinkage, double, double rounding,
                       double* __restrict out) {
    constexpr double kWhole = 1.0 - 1e-12;
    const Four fewest = all(overlap < 2.0 ? 2.0 : overlap), least = all(rounding), whole = all(1.0);
    for (int l = 0; l < kCritics; l += 4) {
        const Four n = four_sums(sums + kN + l), a = four_sums(sums + kA + l), b = four_sums(sums + kB + l);
        const Four square_a = n * four_sums(sums + kAA + l), square_b = n * four_sums(sums + kBB + l);
        const Four spread_a = square_a - a * a, spread_b = square_b - b * b;
        const auto told = (n >= fewest) & (spread_a > least * square_a) & (spread_b > least * square_b);
        const Four root = root_four(told ? spread_a * spread_b : whole);
        Four r = (n * four_sums(sums + kAB + l) - a * b) / root;
        r = r > all(kWhole) ? whole : r;
        r = r < all(-kWhole) ? -whole : r;
        if (shrinkage > 0.0) r *= n / (n + all(shrinkage));
        store_four(told ? rounded(whole + r) : all(0.0), out + l);
    }
}

// Places of the values in [least, end), in order; returns how many.
std::int64_t values_between(const double* __restrict values, std::int64_t count, double least, double end,
                            std::int32_t* __restrict places) {
    std::int64_t found = 0;
    for (std::int64_t i = 0; i < count; i += kCritics) {
        auto any = load_four(values + i) >= all(least);
        for (int l = 4; l < kCritics; l += 4) any |= load_four(values + i + l) >= all(least);
        if (!(any[0] | any[1] | any[2] | any[3])) continue;
        for (int l = 0; l < kCritics; ++l) {
            places[found] = static_cast<std::int32_t>(i + l);
            found += values[i + l] >= least && values[i + l] < end;
        }
    }
    return found;
}

}  // namespace

const RatingsSimd ASSAY_TABLE(ratings_simd) = {
    .co_rated = co_rated,
    .without_item = without_item,
    .whole = {euclidean_closeness<std::int32_t>, pearson_closeness<std::int32_t>},
    .real = {euclidean_closeness<double>, pearson_closeness<double>},
    .between = values_between,
};

}  // namespace assay
