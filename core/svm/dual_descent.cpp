#include "svm/dual_descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace assay {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Marsaglia's xorshift: the same order of rows wherever the same problem is solved.
struct Draws {
    std::uint64_t state = 0x9e3779b97f4a7c15ULL;

    std::int64_t below(std::int64_t end) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::int64_t>((state >> 11) % static_cast<std::uint64_t>(end));
    }
};

template <class Index>
class Descent {
  public:
    Descent(const DualRows<Index>& rows, const DualOptions& options, DualState& state)
        : rows_(rows), options_(options), state_(state), row_(rows.matrix.rows) {
        std::iota(row_.begin(), row_.end(), std::int64_t{0});
        active_ = rows.matrix.rows;
        curvature_.resize(row_.size());
        const auto& m = rows.matrix;
        for (std::int64_t i = 0; i < m.rows; ++i) {
            double square = 0.0;
            for (Index e = m.first[i]; e < m.first[i + 1]; ++e) square += m.value[e] * m.value[e];
            const double c = rows.c[i];
            curvature_[i] = c * (square / options.l2 + 1.0 / options.r) + (rows.squared ? 0.5 : 0.0);
            balance_ += c * rows.y[i] * state.alpha[i];
        }
    }

    DualResult run(InterruptCheck& pause) {
        DualResult result{0, kInfinite, kInfinite};
        while (result.steps < options_.most_steps) {
            const bool all = active_ == static_cast<std::int64_t>(row_.size());
            result.steps += std::max<std::int64_t>(active_, 1);
            result.violation = sweep(pause);
            result.imbalance = std::abs(balance_);
            if (result.violation <= options_.tolerance && result.imbalance <= options_.tolerance) {
                if (all) break;
                everyone();
            } else if (result.violation <= result.imbalance) {
                balance();
                if (!all) everyone();
            } else if (result.violation <= options_.tolerance && !all) {
                everyone();
            }
        }
        return result;
    }

  private:
    void everyone() {
        active_ = static_cast<std::int64_t>(row_.size());
        most_ = kInfinite;
        least_ = -kInfinite;
    }

    // The multiplier of s = 0 takes a step of the augmented Lagrangian.
    void balance() {
        state_.b0 += balance_ / options_.r;
        state_.b = state_.b0 + balance_ / options_.r;
    }

    // One look at every active row; the sum of c |slope| times how far multipliers may follow it.
    double sweep(InterruptCheck& pause) {
        double violation = 0.0, most = -kInfinite, least = kInfinite;
        for (std::int64_t at = 0; at < active_; ++at) {
            std::swap(row_[at], row_[at + draws_.below(active_ - at)]);
            const std::int64_t i = row_[at];
            const double slope = slope_of(i), alpha = state_.alpha[i], c = rows_.c[i];
            pause.after(2 * (rows_.matrix.first[i + 1] - rows_.matrix.first[i]) + 16);
            const bool low = alpha <= 0.0, high = !rows_.squared && alpha >= 1.0;
            if ((low && slope < least_) || (high && slope > most_)) {  // it stays where it is
                std::swap(row_[at--], row_[--active_]);
                continue;
            }
            const double free = low ? std::max(slope, 0.0) : high ? std::min(slope, 0.0) : slope;
            most = std::max(most, free);
            least = std::min(least, free);
            violation += c * std::abs(free);
            if (free != 0.0) move(i, slope / curvature_[i]);
        }
        // Bounds of the next sweep: a slope beyond them has not been seen among rows that may move.
        most_ = most > 0.0 ? most : kInfinite;
        least_ = least < 0.0 ? least : -kInfinite;
        return violation;
    }

    // Of the dual by alpha_i, over c_i.
    double slope_of(std::int64_t i) const {
        const auto& m = rows_.matrix;
        double f = state_.b;
        for (Index e = m.first[i]; e < m.first[i + 1]; ++e) f += m.value[e] * state_.w[m.column[e]];
        return 1.0 - rows_.y[i] * f - (rows_.squared ? 0.5 * state_.alpha[i] : 0.0);
    }

    void move(std::int64_t i, double step) {
        double& alpha = state_.alpha[i];
        const double before = alpha;
        alpha = std::max(before + step, 0.0);
        if (!rows_.squared) alpha = std::min(alpha, 1.0);
        const double change = rows_.c[i] * rows_.y[i] * (alpha - before);
        if (change == 0.0) return;
        const auto& m = rows_.matrix;
        const double by = change / options_.l2;
        for (Index e = m.first[i]; e < m.first[i + 1]; ++e) state_.w[m.column[e]] += by * m.value[e];
        balance_ += change;
        state_.b = state_.b0 + balance_ / options_.r;
    }

    const DualRows<Index>& rows_;
    const DualOptions& options_;
    DualState& state_;
    std::vector<std::int64_t> row_;  // the active ones first
    std::vector<double> curvature_;  // of the dual by each multiplier, over its share
    std::int64_t active_ = 0;
    double balance_ = 0.0, most_ = kInfinite, least_ = -kInfinite;
    Draws draws_;
};

}  // namespace

template <class Index>
DualResult dual_descent(const DualRows<Index>& rows, const DualOptions& options, InterruptCheck& pause,
                        DualState& state) {
    return Descent<Index>(rows, options, state).run(pause);
}

template DualResult dual_descent(const DualRows<std::int32_t>&, const DualOptions&, InterruptCheck&,
                                 DualState&);
template DualResult dual_descent(const DualRows<std::int64_t>&, const DualOptions&, InterruptCheck&,
                                 DualState&);

}  // namespace assay
