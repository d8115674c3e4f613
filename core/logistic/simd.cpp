// See simd.hpp; compiled once per instruction set.
#include "logistic/simd.hpp"

#include "simd/math.hpp"
#include "simd/products.hpp"

namespace assay {
namespace {

// Cholesky factors: column k lies from k * step on, row i of it at k * step + i.

// `Columns` columns from `first` on, given the columns before them; false where a pivot is not positive.
template <int Columns>
ASSAY_INLINE bool factor_columns(double* __restrict a, std::int64_t step, std::int64_t size,
                                 std::int64_t first) {
    double* here = a + first * step;
    double lower[Columns][Columns] = {}, inverse[Columns] = {};
    for (std::int64_t i = first; i < size; i += 8) {
        Four sum[Columns][2];
        for (int c = 0; c < Columns; ++c)
            for (int v = 0; v < 2; ++v) sum[c][v] = load_four(here + c * step + i + v * 4);
        for (std::int64_t k = 0; k < first; ++k) {
            const Four x[2] = {load_four(a + k * step + i), load_four(a + k * step + i + 4)};
            for (int c = 0; c < Columns; ++c) {
                const Four w = all(a[k * step + first + c]);
                for (int v = 0; v < 2; ++v) sum[c][v] -= w * x[v];
            }
        }
        for (int c = 0; c < Columns && i == first; ++c)  // these rows hold the pivots
            for (int d = c; d < Columns; ++d) {
                double rest = sum[c][d / 4][d % 4];
                for (int e = 0; e < c; ++e) rest -= lower[d][e] * lower[c][e];
                if (d == c && !(rest > 0.0)) return false;
                lower[d][c] = d == c ? __builtin_sqrt(rest) : rest * inverse[c];
                if (d == c) inverse[c] = 1.0 / lower[c][c];
            }
        for (int c = 0; c < Columns; ++c)
            for (int v = 0; v < 2; ++v) {
                for (int e = 0; e < c; ++e) sum[c][v] -= sum[e][v] * all(lower[c][e]);
                sum[c][v] *= all(inverse[c]);
                store_four(sum[c][v], here + c * step + i + v * 4);
            }
    }
    return true;
}

bool factorise(double* a, std::int64_t step, std::int64_t size) {
    constexpr std::int64_t kColumns = 6;  // with two vectors each they fill the registers
    std::int64_t first = 0;
    for (; first + kColumns <= size; first += kColumns)
        if (!factor_columns<kColumns>(a, step, size, first)) return false;
    for (; first < size; ++first)
        if (!factor_columns<1>(a, step, size, first)) return false;
    return true;
}

void solve_factor(const double* __restrict a, std::int64_t step, std::int64_t size, double* __restrict b) {
    for (std::int64_t k = 0; k < size; ++k) {
        const double* column = a + k * step;
        const double x = b[k] /= column[k];
        for (std::int64_t i = k + 1; i < size; ++i) b[i] -= x * column[i];
    }
    for (std::int64_t k = size - 1; k >= 0; --k) {
        const double* column = a + k * step;
        Four sum = all(0.0);
        std::int64_t i = k + 1;
        for (; i + 4 <= size; i += 4) sum += load_four(column + i) * load_four(b + i);
        double rest = b[k] - ((sum[0] + sum[2]) + (sum[1] + sum[3]));
        for (; i < size; ++i) rest -= column[i] * b[i];
        b[k] = rest / column[k];
    }
}

// Posteriors and residuals of eight rows at a time.

constexpr int kLogs = 4;  // eights whose logarithms are taken as one, of a product

ASSAY_INLINE double sum_of(const Four& v) { return (v[0] + v[2]) + (v[1] + v[3]); }
ASSAY_INLINE double sum_of(const EightFloats& v) {
    return ((static_cast<double>(v[0]) + v[4]) + (static_cast<double>(v[2]) + v[6])) +
           ((static_cast<double>(v[1]) + v[5]) + (static_cast<double>(v[3]) + v[7]));
}

// Classes and weights of eight rows.
template <class T>
struct EightRows {
    typename Lane<T>::Bits code[Lane<T>::kOfEight];
    typename Lane<T>::Vector weight[Lane<T>::kOfEight];
};

template <class T>
ASSAY_INLINE EightRows<T> eight_rows(const std::int32_t* codes, const T* weight) {
    EightRows<T> rows;
    for (int h = 0; h < Lane<T>::kOfEight; ++h, codes += Lane<T>::kCount) {
        for (int l = 0; l < Lane<T>::kCount; ++l) rows.code[h][l] = static_cast<std::uint32_t>(codes[l]);
        rows.weight[h] = weight ? load_lanes(weight + h * Lane<T>::kCount) : every(T(1));
    }
    return rows;
}

// Log losses on the way: of rows that all count as one, the logarithms are taken of products.
template <class T>
struct Losses {
    using Vector = typename Lane<T>::Vector;
    Vector sum = every(T(0)), product = every(T(1));
    int waiting = 0;

    ASSAY_INLINE void add(const EightRows<T>& rows, const Vector* inside, const Vector* outside,
                          bool weighted) {
        for (int h = 0; h < Lane<T>::kOfEight; ++h)
            if (weighted)
                sum += rows.weight[h] * (log_lanes(inside[h]) + outside[h]);
            else
                sum += outside[h], product *= inside[h];
        if (!weighted && ++waiting == kLogs) flush();
    }
    ASSAY_INLINE void flush() {
        sum += log_lanes(product);
        product = every(T(1)), waiting = 0;
    }
};

template <class T>
ASSAY_INLINE void sigmoid_eight(T* at, const EightRows<T>* rows, bool weighted, Losses<T>& losses) {
    using Vector = typename Lane<T>::Vector;
    constexpr int kEach = Lane<T>::kOfEight, kCount = Lane<T>::kCount;
    const Vector none = every(T(0)), one = every(T(1));
    Vector inside[kEach], outside[kEach];
    for (int h = 0; h < kEach; ++h) {
        const Vector s = load_lanes(at + kCount * h), e = exp_lanes(s > none ? -s : s),
                     share = one / (one + e);
        Vector p = s > none ? share : e * share;
        if (rows) {
            const Vector t = rows->code[h] == 1 ? one : none;
            p = weighted ? rows->weight[h] * (p - t) : p - t;
            inside[h] = one + e, outside[h] = (s > none ? s : none) - t * s;
        }
        store_lanes(p, at + kCount * h);
    }
    if (rows) losses.add(*rows, inside, outside, weighted);
}

// With `rest` >= 0 that class has score 0 and no place of its own: classes behind it lie one place earlier.
template <class T>
ASSAY_INLINE void softmax_eight(T* at, std::int64_t classes, std::int64_t stride, std::int64_t rest,
                                const EightRows<T>* rows, bool weighted, Losses<T>& losses) {
    using Vector = typename Lane<T>::Vector;
    using Bits = typename Lane<T>::Bits;
    constexpr int kEach = Lane<T>::kOfEight, kCount = Lane<T>::kCount;
    const std::int64_t places = rest < 0 ? classes : classes - 1;
    const auto of_place = [rest](std::int64_t k) __attribute__((always_inline)) {
        return static_cast<std::uint32_t>(rest < 0 || k < rest ? k : k + 1) + Bits{};
    };
    Vector most[kEach], sum[kEach], own[kEach], share[kEach];
    for (int h = 0; h < kEach; ++h) most[h] = rest < 0 ? load_lanes(at + kCount * h) : every(T(0));
    for (std::int64_t k = 0; k < places; ++k)
        for (int h = 0; h < kEach; ++h) {
            const Vector s = load_lanes(at + k * stride + kCount * h);
            most[h] = s > most[h] ? s : most[h];
        }
    for (int h = 0; h < kEach; ++h) {
        sum[h] = rest < 0 ? every(T(0)) : exp_lanes(-most[h]);
        own[h] = most[h];  // of the class without a place
    }
    for (std::int64_t k = 0; k < places; ++k)
        for (int h = 0; h < kEach; ++h) {
            const Vector s = load_lanes(at + k * stride + kCount * h) - most[h], e = exp_lanes(s);
            if (rows) own[h] = rows->code[h] == of_place(k) ? -s : own[h];
            sum[h] += e;
            store_lanes(e, at + k * stride + kCount * h);
        }
    for (int h = 0; h < kEach; ++h) share[h] = every(T(1)) / sum[h];
    for (std::int64_t k = 0; k < places; ++k)
        for (int h = 0; h < kEach; ++h) {
            Vector p = load_lanes(at + k * stride + kCount * h) * share[h];
            if (rows) {
                p = p - (rows->code[h] == of_place(k) ? every(T(1)) : every(T(0)));
                if (weighted) p = rows->weight[h] * p;
            }
            store_lanes(p, at + k * stride + kCount * h);
        }
    if (rows) losses.add(*rows, sum, own, weighted);
}

// Eights of rows, then what is left of them in a block of its own, beside rows that weigh nothing; `room` has
// space for eight of every class.
template <class T, class Work>
ASSAY_INLINE double over_eights(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride,
                                const std::int32_t* codes, const T* weight, T* room, Work&& work) {
    Losses<T> losses;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        if (codes) {
            const EightRows<T> rows = eight_rows<T>(codes + i, weight ? weight + i : nullptr);
            work(scores + i, stride, &rows, weight != nullptr, losses);
        } else {
            work(scores + i, stride, nullptr, false, losses);
        }
    }
    if (i < count) {
        std::int32_t code[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        T share[8] = {0, 0, 0, 0, 0, 0, 0, 0};
        const std::int64_t left = count - i;
        for (std::int64_t k = 0; k < classes * 8; ++k) room[k] = T(0);
        for (std::int64_t r = 0; r < left && r < 8; ++r) {
            for (std::int64_t k = 0; k < classes; ++k) room[k * 8 + r] = scores[k * stride + i + r];
            if (codes) code[r] = codes[i + r], share[r] = weight ? weight[i + r] : T(1);
        }
        const EightRows<T> rows = eight_rows<T>(code, share);
        work(room, 8, codes ? &rows : nullptr, true, losses);
        for (std::int64_t r = 0; r < left && r < 8; ++r)
            for (std::int64_t k = 0; k < classes; ++k) scores[k * stride + i + r] = room[k * 8 + r];
    }
    losses.flush();
    return sum_of(losses.sum);
}

template <class T>
double sigmoid(T* scores, std::int64_t count, const std::int32_t* codes, const T* weight, T* room) {
    return over_eights<T>(scores, 1, count, count, codes, weight, room,
                          [](T* at, std::int64_t, const EightRows<T>* rows, bool weighted, Losses<T>& losses)
                              __attribute__((always_inline)) { sigmoid_eight(at, rows, weighted, losses); });
}

template <class T>
double softmax(T* scores, std::int64_t classes, std::int64_t count, std::int64_t stride, std::int64_t rest,
               const std::int32_t* codes, const T* weight, T* room) {
    return over_eights<T>(scores, rest < 0 ? classes : classes - 1, count, stride, codes, weight, room,
                          [classes, rest](T* at, std::int64_t step, const EightRows<T>* rows, bool weighted,
                                          Losses<T>& losses) __attribute__((always_inline)) {
                              softmax_eight(at, classes, step, rest, rows, weighted, losses);
                          });
}

template <class T>
constexpr RowLoops<T> row_loops = {
    .sigmoid = sigmoid<T>,
    .softmax = softmax<T>,
    .lane_scores = lane_scores<T>,
    .lane_products = lane_products<T>,
    .lane_features = lane_features<T>,
    .lane_panels = lane_panels<T>,
};

}  // namespace

const LogisticSimd ASSAY_TABLE(logistic_simd) = {
    .factorise = factorise,
    .solve_factor = solve_factor,
    .floats = row_loops<float>,
    .doubles = row_loops<double>,
};

}  // namespace assay
