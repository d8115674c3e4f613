// Sums that do not depend on the order of what is added or taken away: every number is cut into two parts,
// each a multiple of a step so coarse that adding them up never rounds. Sums brought up to date row by row
// are then those of a fresh start, to the bit, however many threads shared the rows.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace assay {

// What a number of each column is cut by: x + cut - cut rounds x to a multiple of the step.
class Cuts {
  public:
    // `largest` of `count` numbers a column.
    Cuts(const std::vector<double>& largest, std::int64_t count) {
        int digits = 2;
        while ((std::int64_t{1} << (digits - 2)) < count) ++digits;
        for (const double most : largest) {
            int exponent = 0;
            std::frexp(most, &exponent);
            const int step = exponent + digits - 52;
            high_.push_back(std::ldexp(1.5, step + 52));
            low_.push_back(std::ldexp(1.5, step + digits));
        }
    }
    const double* high() const { return high_.data(); }
    const double* low() const { return low_.data(); }
    std::int64_t width() const { return static_cast<std::int64_t>(high_.size()); }

  private:
    std::vector<double> high_, low_;
};

// Sums of groups, two parts of each.
class GroupSums {
  public:
    GroupSums(std::int64_t groups, std::int64_t width)
        : width_(width), sums_(static_cast<std::size_t>(2 * groups * width), 0.0) {}

    double* of(std::int64_t group) { return sums_.data() + 2 * group * width_; }
    double value(std::int64_t group, std::int64_t j) const { return static_cast<double>(exactly(group, j)); }
    long double exactly(std::int64_t group, std::int64_t j) const {
        const double* own = sums_.data() + 2 * group * width_;
        return static_cast<long double>(own[j]) + static_cast<long double>(own[width_ + j]);
    }
    // Adds the other's sums and clears them.
    void take(GroupSums& other) {
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            sums_[i] += other.sums_[i];
            other.sums_[i] = 0.0;
        }
    }

  private:
    std::int64_t width_;
    std::vector<double> sums_;
};

}  // namespace assay
