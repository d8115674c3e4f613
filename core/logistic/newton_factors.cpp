#include "logistic/newton_factors.hpp"

#include <algorithm>
#include <stdexcept>

#include "logistic/cholesky.hpp"

namespace assay {
namespace {

constexpr int kMostLifts = 20;
constexpr double kFirstLift = 1e-14;  // relative to the largest number of the diagonal

// Sums over the folds of a part; where few of them do not count once, these are corrected in the sum of all.
void sum_folds(const LogisticObjective& parts, std::int64_t part, const std::vector<double>& grams,
               const std::vector<double>* all, std::vector<double>& out) {
    const auto size = static_cast<std::int64_t>(out.size());
    std::fill(out.begin(), out.end(), 0.0);
    for (std::int64_t f = 0; f < parts.folds; ++f) {
        const double factor = parts.of_fold(part, f) - (all ? 1.0 : 0.0);
        if (factor != 0.0)
            for (std::int64_t i = 0; i < size; ++i) out[i] += factor * grams[f * size + i];
    }
    if (all)
        for (std::int64_t i = 0; i < size; ++i) out[i] += (*all)[i];
}

}  // namespace

PartFactors::PartFactors(const LogisticObjective& parts)
    : parts_(parts),
      hessian_(static_cast<std::size_t>(parts.count * parts.size() * parts.size())),
      factor_(static_cast<std::size_t>(parts.count * factor_size(parts.size()))),
      lifted_(static_cast<std::size_t>(parts.count)) {}

void PartFactors::renew(const std::vector<double>& grams, ThreadPool& pool) {
    const std::int64_t each = parts_.pairs() * parts_.columns * parts_.columns, size = parts_.size();
    std::vector<double> all(static_cast<std::size_t>(each), 0.0);
    for (std::int64_t f = 0; f < parts_.folds; ++f)
        for (std::int64_t i = 0; i < each; ++i) all[i] += grams[f * each + i];
    pool.run(parts_.count, [&](std::int64_t part, int) {
        std::int64_t once = 0;
        for (std::int64_t f = 0; f < parts_.folds; ++f) once += parts_.of_fold(part, f) == 1.0;
        std::vector<double> sums(static_cast<std::size_t>(each));
        sum_folds(parts_, part, grams, 2 * once <= parts_.folds ? nullptr : &all, sums);
        parts_.hessian(part, sums.data(), hessian_.data() + part * size * size);
    });
}

void PartFactors::renew_part(std::int64_t part, const std::vector<double>& grams) {
    std::vector<double> sums(static_cast<std::size_t>(parts_.pairs() * parts_.columns * parts_.columns));
    sum_folds(parts_, part, grams, nullptr, sums);
    parts_.hessian(part, sums.data(), hessian_.data() + part * parts_.size() * parts_.size());
}

void PartFactors::factorise(std::int64_t part, double l2) {
    const std::int64_t size = parts_.size();
    const double* hessian = hessian_.data() + part * size * size;
    std::vector<double> diagonal(static_cast<std::size_t>(size));
    parts_.diagonal(part, l2, diagonal.data());
    double largest = 1e-300, lift = kFirstLift;
    for (std::int64_t i = 0; i < size; ++i) largest = std::max(largest, hessian[i * (size + 1)]);
    for (int turn = 0; turn < kMostLifts; ++turn, lift *= 10.0) {
        bool good = false;
        cholesky_factors(hessian, diagonal.data(), 1, size, 1, factor_.data() + part * factor_size(size),
                         &good);
        if (good) return;
        lifted_[part] = 1;
        for (double& each : diagonal) each += lift * largest;
    }
    throw std::domain_error("The second derivatives are not finite; rescale the columns.");
}

void PartFactors::solve(std::int64_t part, double* right) const {
    cholesky_solve(factor_.data(), &part, 1, parts_.size(), 1, right);
}

bool PartFactors::lifted() const {
    return std::any_of(lifted_.begin(), lifted_.end(), [](char each) { return each != 0; });
}

}  // namespace assay
