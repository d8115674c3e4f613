#include "svm/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.hpp"
#include "svm/simd.hpp"

namespace assay {

namespace {

// A working copy in whole lanes: places beyond the problem are neither up nor down.
template <class T>
struct Lanes {
    static constexpr T kNever = std::numeric_limits<T>::infinity();
    std::int64_t count, wide;
    std::vector<double> v;
    std::vector<T> narrow, up, down, diagonal;

    Lanes(const T* gram, std::int64_t stride, const SmoState& dual)
        : count(dual.count),
          wide(whole_lanes(dual.count)),
          v(wide, 0.0),
          narrow(wide, 0),
          up(wide, -kNever),
          down(wide, kNever),
          diagonal(wide, 0) {
        for (std::int64_t i = 0; i < count; ++i) {
            v[i] = dual.v[i];
            narrow[i] = static_cast<T>(v[i]);
            diagonal[i] = gram[i * stride + i];
            bound(dual, i);
        }
    }
    void bound(const SmoState& dual, std::int64_t i) {
        up[i] = dual.b[i] < dual.high[i] ? T(0) : -kNever;
        down[i] = dual.b[i] > dual.low[i] ? T(0) : kNever;
    }
    double largest() const {
        double size = 0.0;
        for (const double each : v) size = std::max(size, std::abs(each));
        return size;
    }
    std::int64_t top() const {
        std::int64_t best = -1;
        for (std::int64_t i = 0; i < count; ++i)
            if (up[i] == 0 && (best < 0 || narrow[i] > narrow[best])) best = i;
        return best;
    }
};

// b[i] += d and b[j] -= d as far as the bounds allow; returns d. What is left to a bound but for rounding is
// on it: a coefficient nearly there would pass for one between the bounds, and decide the shift.
double moved(const SmoState& dual, std::int64_t i, std::int64_t j, double d) {
    constexpr double kNothing = 64.0 * std::numeric_limits<double>::epsilon();
    const double room = dual.high[i] - dual.b[i], other = dual.b[j] - dual.low[j];
    d = std::min(d, std::min(room, other));
    dual.b[i] = room - d <= kNothing * (dual.high[i] - dual.low[i]) ? dual.high[i] : dual.b[i] + d;
    dual.b[j] = other - d <= kNothing * (dual.high[j] - dual.low[j]) ? dual.low[j] : dual.b[j] - d;
    return d;
}

}  // namespace

template <class T>
SmoResult smo_pairs(const T* gram, std::int64_t stride, const SmoState& dual, const SmoStopping& stop,
                    InterruptCheck& pause) {
    constexpr T kLeast = static_cast<T>(1e-12);  // curvature of pairs that have none: a long step, to a bound
    const T noise = 16 * std::numeric_limits<T>::epsilon();
    const auto& leaf = kernel_loops_of<T>();
    Lanes<T> lanes(gram, stride, dual);
    SmoResult reached;
    const double finest = 4.0 * std::numeric_limits<T>::epsilon() * lanes.largest();  // `narrow` sees no less
    const double tolerance = std::max(stop.tolerance, finest);
    std::int64_t i = lanes.top();
    while (i >= 0) {
        const T* row = gram + i * stride;
        T widest = 0;
        const std::int64_t j =
            leaf.partner(lanes.narrow[i], lanes.diagonal[i], row, lanes.diagonal.data(), lanes.narrow.data(),
                         lanes.down.data(), kLeast, lanes.wide, &widest);
        reached.violation = widest;
        if (j < 0 || widest <= tolerance || reached.steps >= stop.most_steps) break;
        const double size = double(lanes.diagonal[i]) + lanes.diagonal[j], bend = size - 2.0 * row[j];
        reached.bends_down |= bend < -noise * std::max(size, 2.0 * row[j]);
        const double rise = lanes.v[i] - lanes.v[j];
        const double d = moved(dual, i, j, rise / std::max(bend, double(kLeast)));
        lanes.bound(dual, i), lanes.bound(dual, j);
        i = leaf.move(d, row, gram + j * stride, lanes.wide, lanes.v.data(), lanes.narrow.data(),
                      lanes.up.data());
        ++reached.steps;
        pause.after(2 * lanes.wide);
    }
    return reached;
}

template SmoResult smo_pairs<float>(const float*, std::int64_t, const SmoState&, const SmoStopping&,
                                    InterruptCheck&);
template SmoResult smo_pairs<double>(const double*, std::int64_t, const SmoState&, const SmoStopping&,
                                     InterruptCheck&);

}  // namespace assay
