#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "feature_search.hpp"
#include "leaves.hpp"
#include "parallel.hpp"

namespace assay {

namespace {

constexpr std::int64_t kQueries = 8, kTile = 512;

// The nearest rows so far, nearest first; of equally near ones the earlier.
class Nearest {
  public:
    explicit Nearest(std::int64_t most) : most_(static_cast<std::size_t>(most)) {}

    void clear() { found_.clear(); }
    double limit() const {
        return found_.size() < most_ ? std::numeric_limits<double>::infinity() : found_.back().first;
    }
    void put(double distance, std::int64_t row) {
        if (found_.size() == most_) found_.pop_back();
        auto at = std::upper_bound(found_.begin(), found_.end(), distance,
                                   [](double d, const auto& one) { return d < one.first; });
        found_.insert(at, {distance, row});
    }

    // -1 where no distance is a finite number.
    std::int64_t winner(const NearRule& rule, const std::int32_t* code, std::vector<double>& votes) const {
        if (found_.empty()) return -1;
        std::fill(votes.begin(), votes.end(), 0.0);
        const auto length = [&](double d) { return rule.squares ? std::sqrt(d) : d; };
        const double least = length(found_.front().first);
        double total = 0.0;
        for (const auto& [distance, row] : found_) {
            double voice = 1.0;
            if (rule.by_distance)
                voice = least == 0.0 ? (distance == 0.0 ? 1.0 : 0.0) : least / length(distance);
            votes[static_cast<std::size_t>(code[row])] += voice;
            total += voice;
        }
        for (double& vote : votes) vote /= total;
        return std::max_element(votes.begin(), votes.end()) - votes.begin();
    }

  private:
    std::size_t most_;
    std::vector<std::pair<double, std::int64_t>> found_;
};

// All units for one tested row.
class Query {
  public:
    Query(const NearSplit& split, const NearRule& rule, const Units& units)
        : split_(split),
          rule_(rule),
          units_(units),
          votes_(static_cast<std::size_t>(rule.classes)),
          base_(kTile),
          sums_(static_cast<std::size_t>((units.count + 1) * kTile)),
          lists_(static_cast<std::size_t>(units.count), Nearest(rule.neighbors)) {}

    void search(std::int64_t query, const std::int32_t* base, std::int64_t base_count, bool without) {
        query_ = query;
        for (auto& list : lists_) list.clear();
        for (std::int64_t first = 0; first < split_.train_count; first += kTile) {
            first_ = first, count_ = std::min(kTile, split_.train_count - first);
            std::fill(base_.begin(), base_.end(), 0.0);
            for (std::int64_t i = 0; i < base_count; ++i) add(base[i], base_.data(), base_.data());
            if (without)
                leave_each();
            else
                add_each();
        }
    }

    bool right(std::int64_t unit) {
        const auto& list = lists_[static_cast<std::size_t>(unit)];
        return list.winner(rule_, split_.train_code, votes_) == split_.test_code[query_];
    }

  private:
    void add(std::int64_t feature, const double* before, double* out) const {
        const SearchLeaves& leaf = leaves().search;
        (rule_.squares ? leaf.add_squares : leaf.add_absolutes)(
            split_.train + feature * split_.train_count + first_,
            split_.test[feature * split_.test_count + query_], count_, before, out);
    }
    void add_unit(std::int64_t unit, const double* before, double* out) const {
        for (std::int64_t i = units_.start[unit]; i < units_.start[unit + 1]; ++i) {
            add(units_.feature[i], before, out);
            before = out;
        }
    }
    void look(std::int64_t unit, const double* a, const double* b) {
        Nearest& list = lists_[static_cast<std::size_t>(unit)];
        const auto below = leaves().search.below;
        for (std::int64_t i = below(a, b, 0, count_, list.limit()); i < count_;
             i = below(a, b, i + 1, count_, list.limit()))
            list.put(b ? a[i] + b[i] : a[i], first_ + i);
    }
    void add_each() {
        for (std::int64_t u = 0; u < units_.count; ++u) {
            add_unit(u, base_.data(), sums_.data());
            look(u, sums_.data(), nullptr);
        }
    }
    void leave_each() {  // sums of the units before and of those behind
        std::fill_n(sums_.data() + units_.count * kTile, kTile, 0.0);
        for (std::int64_t u = units_.count - 1; u > 0; --u)
            add_unit(u, sums_.data() + (u + 1) * kTile, sums_.data() + u * kTile);
        for (std::int64_t u = 0; u < units_.count; ++u) {
            look(u, base_.data(), sums_.data() + (u + 1) * kTile);
            add_unit(u, base_.data(), base_.data());
        }
    }

    const NearSplit& split_;
    const NearRule& rule_;
    const Units& units_;
    std::vector<double> votes_, base_, sums_;
    std::vector<Nearest> lists_;
    std::int64_t query_ = 0, first_ = 0, count_ = 0;
};

}  // namespace

void try_neighbors(const NearSplit& split, const NearRule& rule, const std::int32_t* base,
                   std::int64_t base_count, const Units& units, bool without, int threads, Pause& pause,
                   std::int64_t* hits) {
    std::vector<std::atomic<std::int64_t>> found(static_cast<std::size_t>(units.count));
    parallel_for((split.test_count + kQueries - 1) / kQueries, threads, [&](std::int64_t block, int worker) {
        Query query(split, rule, units);
        const std::int64_t end = std::min((block + 1) * kQueries, split.test_count);
        for (std::int64_t i = block * kQueries; i < end; ++i) {
            query.search(i, base, base_count, without);
            for (std::int64_t u = 0; u < units.count; ++u)
                if (query.right(u)) ++found[static_cast<std::size_t>(u)];
            if (worker == 0) pause.after(split.train_count * (base_count + 2 * units.start[units.count]));
        }
    });
    for (std::int64_t u = 0; u < units.count; ++u) hits[u] = found[static_cast<std::size_t>(u)];
}

}  // namespace assay
