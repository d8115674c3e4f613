// See simd.hpp; compiled once per instruction set.
#include "svm/simd.hpp"

#include "base/index.hpp"
#include "simd/math.hpp"

namespace assay {
namespace {

// The augmented hinge along a line.
void hinge_line(const double* __restrict t, const double* __restrict bent, const double* __restrict c,
                std::int64_t count, double length, double* __restrict sums) {
    const Four none = all(0.0), whole = all(1.0), half = all(0.5), step = all(length);
    Four value[2] = {none, none}, slope[2] = {none, none};
    const auto add = [&](const Four& at, const Four& bends, const Four& share, int lane) {
        const Four m = at - step * bends, low = m > none ? m : none, p = low < whole ? low : whole,
                   weighted = share * p;
        value[lane] += weighted * (m - half * p);
        slope[lane] += weighted * bends;
    };
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        add(load_four(t + i), load_four(bent + i), load_four(c + i), 0);
        add(load_four(t + i + 4), load_four(bent + i + 4), load_four(c + i + 4), 1);
    }
    for (; i < count; ++i) add(Four{t[i]}, Four{bent[i]}, Four{c[i]}, 0);
    sums[0] = fold({value[0], value[1]});
    sums[1] = fold({slope[0], slope[1]});
}

// Rows of a Gram matrix: numbers of type T lie in whole vectors; gradients are double whatever T is.

typedef std::int32_t EightInts __attribute__((vector_size(32)));
typedef float HalfFloats __attribute__((vector_size(16)));
typedef std::int64_t FourInts __attribute__((vector_size(32)));

// The places of the lanes of a vector.
template <class T>
struct LanePlaces;
template <>
struct LanePlaces<float> {
    typedef EightInts V;
    static V first() { return V{0, 1, 2, 3, 4, 5, 6, 7}; }
};
template <>
struct LanePlaces<double> {
    typedef FourInts V;
    static V first() { return V{0, 1, 2, 3}; }
};

// The largest number and its place, the first among equals; -1 where nothing was larger than the start.
template <class T>
struct Largest {
    typename Lane<T>::Vector value;
    typename LanePlaces<T>::V place;

    ASSAY_INLINE explicit Largest(T start)
        : value(typename Lane<T>::Vector{} + start), place(LanePlaces<T>::first() * 0 - 1) {}
    ASSAY_INLINE void see(const typename Lane<T>::Vector& v, const typename LanePlaces<T>::V& at) {
        const auto larger = v > value;
        place = larger ? at : place;
        value = larger ? v : value;
    }
    ASSAY_INLINE std::int64_t best() const {
        int lane = -1;
        for (int l = 0; l < Lane<T>::kCount; ++l) {
            if (place[l] < 0) continue;
            if (lane < 0 || value[l] > value[lane] || (value[l] == value[lane] && place[l] < place[lane]))
                lane = l;
        }
        return lane < 0 ? -1 : static_cast<std::int64_t>(place[lane]);
    }
    ASSAY_INLINE T most() const {
        T most = value[0];
        for (int l = 1; l < Lane<T>::kCount; ++l) most = value[l] > most ? value[l] : most;
        return most;
    }
};

// v -= step * difference, and the result as T.
ASSAY_INLINE EightFloats take_off(double* v, double step, const EightFloats& difference) {
    const Four low = __builtin_convertvector(
        (HalfFloats)__builtin_shufflevector(difference, difference, 0, 1, 2, 3), Four);
    const Four high = __builtin_convertvector(
        (HalfFloats)__builtin_shufflevector(difference, difference, 4, 5, 6, 7), Four);
    const Four a = load_four(v) - all(step) * low, b = load_four(v + 4) - all(step) * high;
    store_four(a, v), store_four(b, v + 4);
    const HalfFloats x = __builtin_convertvector(a, HalfFloats), y = __builtin_convertvector(b, HalfFloats);
    return __builtin_shufflevector(x, y, 0, 1, 2, 3, 4, 5, 6, 7);
}
ASSAY_INLINE Four take_off(double* v, double step, const Four& difference) {
    const Four a = load_four(v) - all(step) * difference;
    store_four(a, v);
    return a;
}

template <class T>
std::int64_t smo_move(double step, const T* __restrict first, const T* __restrict second, std::int64_t count,
                      double* __restrict v, T* __restrict narrow, const T* __restrict up) {
    typename LanePlaces<T>::V at = LanePlaces<T>::first();
    Largest<T> top(-__builtin_inf());
    for (std::int64_t i = 0; i < count; i += Lane<T>::kCount, at += Lane<T>::kCount) {
        const auto moved = take_off(v + i, step, load_lanes(first + i) - load_lanes(second + i));
        store_lanes(moved, narrow + i);
        top.see(moved + load_lanes(up + i), at);
    }
    return top.best();
}

template <class T>
std::int64_t smo_partner(T top, T self, const T* __restrict row, const T* __restrict diagonal,
                         const T* __restrict narrow, const T* __restrict low, T least, std::int64_t count,
                         T* widest) {
    typedef typename Lane<T>::Vector V;
    typename LanePlaces<T>::V at = LanePlaces<T>::first();
    Largest<T> gain(0);
    const V tops = V{} + top, selves = V{} + self, leasts = V{} + least, zero = V{};
    V wide = zero;
    for (std::int64_t i = 0; i < count; i += Lane<T>::kCount, at += Lane<T>::kCount) {
        const V apart = tops - (load_lanes(narrow + i) + load_lanes(low + i));
        const V k = load_lanes(row + i);
        V bend = (selves + load_lanes(diagonal + i)) - (k + k);
        bend = bend > leasts ? bend : leasts;
        const V positive = apart > zero ? apart : zero;
        wide = positive > wide ? positive : wide;
        gain.see(positive * positive / bend, at);
    }
    T most = 0;
    for (int l = 0; l < Lane<T>::kCount; ++l) most = wide[l] > most ? wide[l] : most;
    *widest = most;
    return gain.best();
}

ASSAY_INLINE double widened(double x) { return x; }
ASSAY_INLINE double widened(float x) { return x; }

template <class T>
void subtract_rows(const T* const* rows, const double* __restrict factor, std::int64_t n, std::int64_t first,
                   std::int64_t count, double* __restrict v) {
    constexpr std::int64_t kColumns = 512;  // of the sums stay in the first-level cache
    for (std::int64_t begin = 0; begin < count; begin += kColumns) {
        const std::int64_t some = count - begin < kColumns ? count - begin : kColumns;
        double* __restrict sums = v + begin;
        std::int64_t r = 0;
        for (; r + 4 <= n; r += 4) {
            const T* __restrict a = rows[r] + first + begin, * __restrict b = rows[r + 1] + first + begin;
            const T* __restrict c = rows[r + 2] + first + begin, * __restrict d = rows[r + 3] + first + begin;
            const double fa = factor[r], fb = factor[r + 1], fc = factor[r + 2], fd = factor[r + 3];
            for (std::int64_t i = 0; i < some; ++i)
                sums[i] -=
                    (fa * widened(a[i]) + fb * widened(b[i])) + (fc * widened(c[i]) + fd * widened(d[i]));
        }
        for (; r < n; ++r) {
            const T* __restrict a = rows[r] + first + begin;
            for (std::int64_t i = 0; i < some; ++i) sums[i] -= factor[r] * widened(a[i]);
        }
    }
}

// `Rows` rows with one panel; every number is the same sum in the same order whatever tile it falls into.
template <class T, int Rows>
ASSAY_INLINE void product_panel(const T* __restrict rows, const T* __restrict panel, std::int64_t width,
                                std::int64_t stride, T* __restrict out) {
    typedef typename Lane<T>::Vector V;
    V low[Rows], high[Rows];
    for (int r = 0; r < Rows; ++r) low[r] = high[r] = V{};
    for (std::int64_t j = 0; j < width; ++j, panel += 2 * Lane<T>::kCount) {
        const V a = load_lanes(panel), b = load_lanes(panel + Lane<T>::kCount);
        for (int r = 0; r < Rows; ++r) {
            const V x = rows[r * width + j] - V{};  // in every lane
            low[r] += x * a, high[r] += x * b;
        }
    }
    for (int r = 0; r < Rows; ++r) {
        store_lanes(low[r], out + r * stride);
        store_lanes(high[r], out + r * stride + Lane<T>::kCount);
    }
}

template <class T>
void panel_products(const T* rows, std::int64_t count, const T* panels, std::int64_t groups,
                    std::int64_t width, std::int64_t stride, T* out) {
    for (std::int64_t g = 0; g < groups;
         ++g, panels += 2 * Lane<T>::kCount * width, out += 2 * Lane<T>::kCount) {
        std::int64_t r = 0;
        for (; r + 6 <= count; r += 6)
            product_panel<T, 6>(rows + r * width, panels, width, stride, out + r * stride);
        for (; r < count; ++r) product_panel<T, 1>(rows + r * width, panels, width, stride, out + r * stride);
    }
}

template <class T>
double wide_product(const T* __restrict row, const double* __restrict factor, std::int64_t count) {
    Four s0 = all(0.0), s1 = all(0.0);
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        s0 += wide_four(row + i) * load_four(factor + i);
        s1 += wide_four(row + i + 4) * load_four(factor + i + 4);
    }
    const Four s = s0 + s1;
    double sum = (s[0] + s[2]) + (s[1] + s[3]);
    for (; i < count; ++i) sum += widened(row[i]) * factor[i];
    return sum;
}

template <class T>
void gaussians(const T* products, T self, const T* __restrict squares, T factor, std::int64_t count, T* out) {
    typedef typename Lane<T>::Vector V;
    const V zero = {};
    const auto of = [&](V p, V s) {
        const V apart = (s + self) - (p + p);
        const V value = exp_lanes((apart < zero ? zero : apart) * factor);
        return apart == apart ? value : apart;  // NaN stays NaN
    };
    std::int64_t i = 0;
    for (; i + Lane<T>::kCount <= count; i += Lane<T>::kCount)
        store_lanes(of(load_lanes(products + i), load_lanes(squares + i)), out + i);
    for (; i < count; ++i) out[i] = of(zero + products[i], zero + squares[i])[0];
}

template <class T>
constexpr KernelLoops<T> kernel_loops = {
    .move = smo_move<T>,
    .partner = smo_partner<T>,
    .subtract_rows = subtract_rows<T>,
    .products = panel_products<T>,
    .product = wide_product<T>,
    .gaussians = gaussians<T>,
};

}  // namespace

const SvmSimd ASSAY_TABLE(svm_simd) = {
    .hinge_line = hinge_line,
    .floats = kernel_loops<float>,
    .doubles = kernel_loops<double>,
};

}  // namespace assay
