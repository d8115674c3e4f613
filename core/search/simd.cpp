// See simd.hpp; compiled once per instruction set. Rows come in whole groups of kSearchRows.
#include "search/simd.hpp"

#include "simd/tile.hpp"

namespace assay {
namespace {

constexpr int kFours = static_cast<int>(kSearchRows) / 4;
typedef std::int64_t SearchInts __attribute__((vector_size(32)));

// Rows that are right so far, four side by side, and what those count that stay right.
struct Right {
    SearchInts mask[kFours];

    ASSAY_INLINE Right() {
        for (int v = 0; v < kFours; ++v) mask[v] = SearchInts{-1, -1, -1, -1};
    }
    // A class before the own one is beaten by a larger score only, one behind it by an equal score too.
    ASSAY_INLINE void see(int v, const Four& margin, bool strict) {
        mask[v] &= strict ? (SearchInts)(margin > all(0.0)) : (SearchInts)(margin >= all(0.0));
    }
};

struct Hits {
    SearchInts count = SearchInts{0, 0, 0, 0};
    Four weighted = all(0.0);

    ASSAY_INLINE void add(const Right& right, const double* weight) {
        for (int v = 0; v < kFours; ++v) {
            if (weight)
                weighted += (Four)((FourBits)right.mask[v] & (FourBits)load_four(weight + 4 * v));
            else
                count -= right.mask[v];
        }
    }
    ASSAY_INLINE double total(const double* weight) const {
        if (weight) return (weighted[0] + weighted[2]) + (weighted[1] + weighted[3]);
        return static_cast<double>((count[0] + count[2]) + (count[1] + count[3]));
    }
};

// What a normal feature takes off the score of the own class; a missing value (NaN) says nothing.
struct NormalRows {
    Four x[kFours], own[kFours];

    ASSAY_INLINE NormalRows(const double* from, const NormalTerms& t) {
        for (int v = 0; v < kFours; ++v) {
            x[v] = load_four(from + 4 * v);
            const Four away = x[v] - all(t.mean);
            own[v] = all(t.half) * away * away;
        }
    }
    ASSAY_INLINE Four gain(int v, double mean, double half, double constant) const {
        const Four away = x[v] - all(mean);
        const Four known = all(constant) + (all(half) * away * away - own[v]);
        return x[v] == x[v] ? known : all(0.0);
    }
};

void normal_add(const double* x, std::int64_t rows, const NormalTerms& t, double* margin,
                std::int64_t stride) {
    for (std::int64_t r = 0; r < rows; r += kSearchRows) {
        const NormalRows here(x + r, t);
        for (std::int64_t k = 0; k < t.rivals; ++k) {
            double* to = margin + k * stride + r;
            for (int v = 0; v < kFours; ++v)
                store_four(load_four(to + 4 * v) + here.gain(v, t.means[k], t.halves[k], t.constants[k]),
                           to + 4 * v);
        }
    }
}

double normal_hits(const double* x, std::int64_t rows, const NormalTerms& t, const double* margin,
                   std::int64_t stride, const double* weight) {
    Hits hits;
    for (std::int64_t r = 0; r < rows; r += kSearchRows) {
        const NormalRows here(x + r, t);
        Right right;
        for (std::int64_t k = 0; k < t.rivals; ++k) {
            const double* from = margin + k * stride + r;
            for (int v = 0; v < kFours; ++v)
                right.see(v, load_four(from + 4 * v) + here.gain(v, t.means[k], t.halves[k], t.constants[k]),
                          k < t.before);
        }
        hits.add(right, weight ? weight + r : nullptr);
    }
    return hits.total(weight);
}

void linear_add(const double* x, std::int64_t rows, const LinearTerms& t, double* margin,
                std::int64_t stride) {
    for (std::int64_t r = 0; r < rows; r += kSearchRows)
        for (std::int64_t k = 0; k < t.rivals; ++k) {
            double* to = margin + k * stride + r;
            for (int v = 0; v < kFours; ++v)
                store_four(
                    load_four(to + 4 * v) + all(t.slopes[k]) * (load_four(x + r + 4 * v) - all(t.centers[k])),
                    to + 4 * v);
        }
}

double linear_hits(double* x, const double* moved, double factor, std::int64_t rows, const LinearTerms& t,
                   const double* margin, std::int64_t stride, const double* weight) {
    Hits hits;
    for (std::int64_t r = 0; r < rows; r += kSearchRows) {
        Four here[kFours];
        for (int v = 0; v < kFours; ++v) {
            here[v] = load_four(x + r + 4 * v);
            if (moved) {
                here[v] += all(factor) * load_four(moved + r + 4 * v);
                store_four(here[v], x + r + 4 * v);
            }
        }
        Right right;
        for (std::int64_t k = 0; k < t.rivals; ++k) {
            const double* from = margin + k * stride + r;
            for (int v = 0; v < kFours; ++v)
                right.see(v, load_four(from + 4 * v) + all(t.slopes[k]) * (here[v] - all(t.centers[k])),
                          k < t.before);
        }
        hits.add(right, weight ? weight + r : nullptr);
    }
    return hits.total(weight);
}

double sum_hits(const double* a, const double* b, std::int64_t rows, std::int64_t rivals, std::int64_t before,
                std::int64_t stride, const double* weight) {
    Hits hits;
    for (std::int64_t r = 0; r < rows; r += kSearchRows) {
        Right right;
        for (std::int64_t k = 0; k < rivals; ++k)
            for (int v = 0; v < kFours; ++v) {
                const std::int64_t at = k * stride + r + 4 * v;
                right.see(v, b ? load_four(a + at) + load_four(b + at) : load_four(a + at), k < before);
            }
        hits.add(right, weight ? weight + r : nullptr);
    }
    return hits.total(weight);
}

}  // namespace

const SearchSimd ASSAY_TABLE(search_simd) = {
    .normal_add = normal_add,
    .normal_hits = normal_hits,
    .linear_add = linear_add,
    .linear_hits = linear_hits,
    .sum_hits = sum_hits,
};

}  // namespace assay
