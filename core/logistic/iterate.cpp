#include "logistic/iterate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "logistic/lbfgs.hpp"
#include "simd/vector_ops.hpp"

namespace assay {
namespace {

constexpr std::int64_t kRemembered = 8;  // steps from which second derivatives are corrected
constexpr double kSlack = 1e-13;         // relative rounding of a loss
constexpr double kCoarseSlack = 1e-6;    // the same in single precision
constexpr double kTelling = 3e-7;        // relative gradient that single precision can tell
constexpr double kLeastStep = 1e-14;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double product(const double* a, const double* b, std::int64_t size) {
    double sum = 0.0;
    vector_ops().dots(a, b, 1, size, &sum);
    return sum;
}

}  // namespace

Iterate::Iterate(std::int64_t size)
    : theta(static_cast<std::size_t>(size)),
      gradient(theta),
      step(theta),
      loss(kInfinite),
      norm(kInfinite),
      rate(kInfinite),
      size_(size),
      moved_(static_cast<std::size_t>(kRemembered * size)),
      bent_(moved_),
      inverse_(kRemembered) {}

void Iterate::restart(std::vector<double> at) {
    theta = std::move(at);
    std::fill(step.begin(), step.end(), 0.0);
    loss = norm = rate = kInfinite;
    done = stuck = coarse_ = false;
}

void Iterate::repenalise(const double* change) {
    for (std::int64_t s = 0; s < kRemembered; ++s) {
        if (inverse_[s] == 0.0) continue;
        double *moved = moved_.data() + s * size_, *bent = bent_.data() + s * size_;
        for (std::int64_t i = 0; i < size_; ++i) bent[i] += change[i] * moved[i];
        const double along = product(moved, bent, size_);
        inverse_[s] = along > 0.0 ? 1.0 / along : 0.0;
    }
}

void Iterate::forget() { std::fill(inverse_.begin(), inverse_.end(), 0.0); }

std::vector<double> Iterate::tried() const {
    std::vector<double> next(theta);
    for (std::size_t i = 0; i < next.size(); ++i) next[i] -= step[i];
    return next;
}

bool Iterate::take(const std::vector<double>& there, double loss_there,
                   const std::vector<double>& gradient_there, double norm_there, bool coarse_there) {
    const bool known = std::isfinite(loss);
    const double slack = coarse_there || coarse_ ? kCoarseSlack : kSlack;
    if (!(loss_there <= loss + (known ? slack * std::max(1.0, std::abs(loss_there)) : 0.0))) {
        double largest = 0.0;
        for (double& each : step) largest = std::max(largest, std::abs(each /= 2.0));
        stuck = largest < kLeastStep || !known;
        return false;
    }
    // Of steps that end in another precision, or too near to be told in single precision, nothing is learned.
    if (known && coarse_ == coarse_there && (!coarse_there || norm_there > kTelling))
        learn(there, gradient_there);
    rate = norm < kInfinite ? norm_there / std::max(norm, 1e-300) : kInfinite;
    theta = there, gradient = gradient_there;
    loss = loss_there, norm = norm_there, coarse_ = coarse_there;
    return true;
}

void Iterate::learn(const std::vector<double>& there, const std::vector<double>& gradient_there) {
    double along = 0.0;
    for (std::int64_t i = 0; i < size_; ++i)
        along += (there[i] - theta[i]) * (gradient_there[i] - gradient[i]);
    if (!(along > 0.0)) return;
    std::move(moved_.begin() + size_, moved_.end(), moved_.begin());
    std::move(bent_.begin() + size_, bent_.end(), bent_.begin());
    std::move(inverse_.begin() + 1, inverse_.end(), inverse_.begin());
    for (std::int64_t i = 0, to = (kRemembered - 1) * size_; i < size_; ++i, ++to)
        moved_[to] = there[i] - theta[i], bent_[to] = gradient_there[i] - gradient[i];
    inverse_.back() = 1.0 / along;
}

void Iterate::direct(const Solve& solve) {
    const Steps steps{moved_.data(), bent_.data(), inverse_.data(), kRemembered, 1, size_};
    const std::int64_t only = 0;
    double share[kRemembered];
    step = gradient;
    two_loop_backward(steps, &only, 1, step.data(), share);
    solve(step.data());
    two_loop_forward(steps, &only, 1, share, step.data());
}

}  // namespace assay
