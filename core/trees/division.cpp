#include "trees/division.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {

namespace {

constexpr double kRounding = 1e-12;  // of sums of weights, relative
constexpr double kEqual = 1e-10;     // divisions that differ by less, of all the weight, are equally good

}  // namespace

void DivisionSearch::Side::clear() {
    std::fill(counts.begin(), counts.end(), 0.0);
    weight = squares = 0.0;
}

void DivisionSearch::Side::add(std::int32_t k, double w) {
    double& count = counts[static_cast<std::size_t>(k)];
    squares += w * (2.0 * count + w);
    count += w;
    weight += w;
}

DivisionSearch::DivisionSearch(const TreeRows& rows, double min_weight)
    : rows_(rows), min_weight_(min_weight * (1.0 - kRounding)) {
    left_.counts.resize(static_cast<std::size_t>(rows.classes));
    right_.counts.resize(static_cast<std::size_t>(rows.classes));
}

bool DivisionSearch::attempt(std::int64_t feature, const std::int32_t* row, std::int64_t count,
                             const double* weight, const double* counts, Division& best) {
    const double* values = rows_.columns + feature * rows_.count;
    entries_.clear(), missing_.clear();
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::int64_t i = 0; i < count; ++i) {
        const double value = values[row[i]];
        if (std::isnan(value)) {
            missing_.push_back({value, row[i]});
            continue;
        }
        entries_.push_back({value, row[i]});
        low = std::min(low, value), high = std::max(high, value);
    }
    if (!(low < high) && (missing_.empty() || entries_.empty())) return false;
    if (low < high)
        std::sort(entries_.begin(), entries_.end(),
                  [](const Entry& a, const Entry& b) { return a.value < b.value; });
    // What lies right at first: all rows. The class weights of the node are exact, those of a sweep add up.
    right_.clear();
    for (std::int64_t k = 0; k < rows_.classes; ++k) right_.add(static_cast<std::int32_t>(k), counts[k]);
    left_.clear();
    sweep(feature, weight, false, best);
    if (missing_.empty()) return true;
    right_.clear(), left_.clear();
    for (std::int64_t k = 0; k < rows_.classes; ++k) right_.add(static_cast<std::int32_t>(k), counts[k]);
    for (const Entry& entry : missing_) {
        const std::int32_t k = rows_.codes[entry.row];
        left_.add(k, weight[entry.row]);
        right_.add(k, -weight[entry.row]);
    }
    sweep(feature, weight, true, best);
    return true;
}

void DivisionSearch::sweep(std::int64_t feature, const double* weight, bool missing_left, Division& best) {
    const auto known = static_cast<std::int64_t>(entries_.size());
    // With missing values on the right, all known ones may lie left.
    const std::int64_t last = missing_left || missing_.empty() ? known - 1 : known;
    for (std::int64_t p = 0; p < last; ++p) {
        const Entry& entry = entries_[static_cast<std::size_t>(p)];
        const std::int32_t k = rows_.codes[entry.row];
        left_.add(k, weight[entry.row]);
        right_.add(k, -weight[entry.row]);
        const double next = p + 1 < known ? entries_[static_cast<std::size_t>(p + 1)].value
                                          : std::numeric_limits<double>::infinity();
        if (!(entry.value < next) || left_.weight < min_weight_ || right_.weight < min_weight_) continue;
        const double purity = left_.purity() + right_.purity();
        if (best.feature >= 0 && !(purity > best.purity + kEqual * (left_.weight + right_.weight))) continue;
        double threshold =
            p + 1 < known ? entry.value / 2.0 + next / 2.0 : std::numeric_limits<double>::max();
        if (!(threshold < next)) threshold = entry.value;
        best = {static_cast<std::int32_t>(feature), threshold, missing_left, purity};
    }
}

}  // namespace assay
