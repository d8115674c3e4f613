// exp and log of vectors.
#pragma once

#include "simd/vector.hpp"

namespace assay {
namespace {

constexpr double kLn2High = 0.693147180369123816490, kLn2Low = 1.90821492927058770002e-10;

// x = n ln 2 + r, |r| <= ln 2 / 2, Taylor's series of exp(r), then n goes into the exponent: about one unit
// in the last place.
ASSAY_INLINE Four exp_four(Four x) {
    constexpr double kLog2E = 1.4426950408889634, kRound = 6755399441055744.0;  // 1.5 * 2^52
    const Four least = all(-708.0), v = x > least ? x : least;
    const Four shifted = v * all(kLog2E) + all(kRound);
    const Four n = shifted - all(kRound);
    const Four r = (v - n * all(kLn2High)) - n * all(kLn2Low);
    Four p = all(1.0 / 6227020800.0);
    p = p * r + all(1.0 / 479001600.0);
    p = p * r + all(1.0 / 39916800.0);
    p = p * r + all(1.0 / 3628800.0);
    p = p * r + all(1.0 / 362880.0);
    p = p * r + all(1.0 / 40320.0);
    p = p * r + all(1.0 / 5040.0);
    p = p * r + all(1.0 / 720.0);
    p = p * r + all(1.0 / 120.0);
    p = p * r + all(1.0 / 24.0);
    p = p * r + all(1.0 / 6.0);
    p = p * r + all(0.5);
    p = p * r + all(1.0);
    p = p * r + all(1.0);
    const FourBits exponent = ((FourBits)shifted + 1023) << 52;
    return x > least ? p * (Four)exponent : all(0.0);
}

// x = 2^n m, m between sqrt(1/2) and sqrt(2); ln m = 2 (t + t^3/3 + t^5/5 + ...) with t = (m - 1) / (m + 1).
ASSAY_INLINE Four log_four(Four x) {
    const FourBits bits = (FourBits)x;
    const FourBits digits = bits & 0x000FFFFFFFFFFFFFULL;
    Four m = (Four)(digits | 0x3FF0000000000000ULL);
    // The exponent as a double: put into the low digits of 2^52, which is then taken off.
    Four n = (Four)((bits >> 52) | 0x4330000000000000ULL) - all(4503599627370496.0 + 1023.0);
    n = m > all(1.4142135623730951) ? n + all(1.0) : n;
    m = m > all(1.4142135623730951) ? m * all(0.5) : m;
    const Four t = (m - all(1.0)) / (m + all(1.0)), s = t * t;
    Four p = all(1.0 / 21.0);
    p = p * s + all(1.0 / 19.0);
    p = p * s + all(1.0 / 17.0);
    p = p * s + all(1.0 / 15.0);
    p = p * s + all(1.0 / 13.0);
    p = p * s + all(1.0 / 11.0);
    p = p * s + all(1.0 / 9.0);
    p = p * s + all(1.0 / 7.0);
    p = p * s + all(1.0 / 5.0);
    p = p * s + all(1.0 / 3.0);
    const Four twice = t + t;
    return n * all(kLn2High) + (twice + (twice * s * p + n * all(kLn2Low)));
}

ASSAY_INLINE Four exp_lanes(Four x) { return exp_four(x); }
ASSAY_INLINE Four log_lanes(Four x) { return log_four(x); }

// The same in single precision.
ASSAY_INLINE EightFloats exp_lanes(EightFloats x) {
    constexpr float kLog2E = 1.44269504f, kRound = 12582912.0f;  // 1.5 * 2^23
    const EightFloats least = every(-87.0f), v = x > least ? x : least;
    const EightFloats shifted = v * kLog2E + kRound;
    const EightFloats n = shifted - kRound;
    const EightFloats r = (v - n * 0.693359375f) + n * 2.12194440e-4f;
    EightFloats p = every(1.0f / 5040.0f);
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    const EightBits exponent = ((EightBits)shifted + 127) << 23;
    return x > least ? p * (EightFloats)exponent : every(0.0f);
}

ASSAY_INLINE EightFloats log_lanes(EightFloats x) {
    const EightBits bits = (EightBits)x;
    EightFloats m = (EightFloats)((bits & 0x007FFFFFU) | 0x3F800000U);
    EightFloats n = (EightFloats)((bits >> 23) | 0x4B000000U) - (8388608.0f + 127.0f);
    n = m > 1.41421356f ? n + 1.0f : n;
    m = m > 1.41421356f ? m * 0.5f : m;
    const EightFloats t = (m - 1.0f) / (m + 1.0f), s = t * t;
    EightFloats p = every(1.0f / 9.0f);
    p = p * s + 1.0f / 7.0f;
    p = p * s + 1.0f / 5.0f;
    p = p * s + 1.0f / 3.0f;
    const EightFloats twice = t + t;
    return n * 0.693147181f + (twice + twice * s * p);
}

}  // namespace
}  // namespace assay
