#include "svm/hinge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "svm/simd.hpp"

namespace assay {
namespace {

constexpr double kSlack = 1e-12;  // relative rounding of a sum
constexpr int kHalvings = 40;

double clipped(double t) { return std::min(std::max(t, 0.0), 1.0); }

}  // namespace

double hinge_length(const double* t, const double* bent, const double* c, std::int64_t count, double sigma,
                    double linear, double square) {
    struct Point {
        double slope, value;
    };
    const auto at = [&](double length) {
        double sums[2];
        svm_simd().hinge_line(t, bent, c, count, length, sums);
        return Point{linear + length * square - sums[1] / sigma,
                     length * (linear + 0.5 * length * square) + sums[0] / sigma};
    };
    double pull = 0;
    for (std::int64_t i = 0; i < count; ++i) pull += c[i] * std::abs(bent[i]);
    const Point start = at(0.0);
    const double noise = kSlack * (std::abs(linear) + square + pull / sigma);
    double low = 0, high = std::numeric_limits<double>::infinity(), length = 1;
    for (int turn = 0; turn < kHalvings; ++turn) {
        const Point here = at(length);
        if (std::abs(here.slope) <= 0.5 * std::abs(start.slope) + noise &&
            here.value <= start.value + kSlack * std::abs(start.value))
            break;
        (here.slope > 0 ? high : low) = length;
        length = std::isfinite(high) ? 0.5 * (low + high) : 2 * length;
    }
    return length;
}

HingeRows::HingeRows(const double* sides, const double* shares, const double* scores,
                     const double* multipliers, std::int64_t count, double sharp)
    : y(sides, sides + count),
      c(shares, shares + count),
      alpha(multipliers, multipliers + count),
      f(scores, scores + count),
      first(f),
      t(f.size()),
      p(f.size()),
      bent(f.size()),
      sigma(sharp) {
    for (std::size_t i = 0; i < f.size(); ++i) {
        t[i] = alpha[i] + sigma * (1.0 - y[i] * f[i]);
        p[i] = clipped(t[i]);
    }
}

double HingeRows::move(const double* along, double linear, double square) {
    for (std::size_t i = 0; i < f.size(); ++i) bent[i] = sigma * y[i] * along[i];
    const double length = hinge_length(t.data(), bent.data(), c.data(), count(), sigma, linear, square);
    changed.clear(), change.clear();
    for (std::size_t i = 0; i < f.size(); ++i) {
        f[i] += length * along[i];
        t[i] = alpha[i] + sigma * (1.0 - y[i] * f[i]);
        const double before = p[i];
        p[i] = clipped(t[i]);
        if (p[i] == before) continue;
        changed.push_back(static_cast<std::int64_t>(i));
        change.push_back(c[i] * y[i] * (p[i] - before));
    }
    return length;
}

HingeRows::Figures HingeRows::figures() const {
    Figures sum{0, 0, 0};
    for (std::size_t i = 0; i < f.size(); ++i) {
        const double r = 1.0 - y[i] * f[i], lost = std::max(r, 0.0);
        sum.hinge += c[i] * lost;
        sum.open += c[i] * (lost - p[i] * r);
        sum.moved = std::max(sum.moved, std::abs(f[i] - first[i]));
    }
    return sum;
}

std::vector<std::int64_t> HingeRows::free() const {
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < t.size(); ++i)
        if (t[i] > 0.0 && t[i] < 1.0) found.push_back(static_cast<std::int64_t>(i));
    return found;
}

}  // namespace assay
