// In which order rows and queries go through a search by products.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "neighbors/neighbors.hpp"

namespace assay {

// The rows in panels of `wide`, every group in panels of its own; places that no row is left for hold -1.
class Places {
  public:
    Places(std::int64_t count, const NeighborFilter& among, std::int64_t wide) : wide_(wide) {
        std::vector<std::vector<std::int32_t>> members(static_cast<std::size_t>(among.groups));
        for (std::int64_t i = 0; i < count; ++i)
            if (among.group_of(i) >= 0)
                members[static_cast<std::size_t>(among.group_of(i))].push_back(static_cast<std::int32_t>(i));
        first_.push_back(0);
        for (const auto& rows : members) scatter(rows);
    }
    std::int64_t wide() const { return wide_; }
    std::int64_t panels() const { return first_.back(); }
    std::size_t size() const { return order_.size(); }
    std::int32_t row(std::int64_t place) const { return order_[static_cast<std::size_t>(place)]; }
    const std::vector<std::int32_t>& rows() const { return order_; }

    // Panels of the groups that a query may have neighbours in.
    void list(const NeighborFilter& among, std::int64_t query, std::vector<std::int64_t>& panels) const {
        const std::int64_t own = among.part == GroupRule::all ? -1 : among.query_group[query];
        panels.clear();
        for (std::int64_t g = 0; g + 1 < static_cast<std::int64_t>(first_.size()); ++g) {
            if (among.part != GroupRule::all && (g == own) != (among.part == GroupRule::own)) continue;
            for (std::int64_t p = first_[static_cast<std::size_t>(g)];
                 p < first_[static_cast<std::size_t>(g + 1)]; ++p)
                panels.push_back(p);
        }
    }

  private:
    // Rows of a group in a scattered order: limits sink early however the table is sorted.
    void scatter(const std::vector<std::int32_t>& rows) {
        const std::size_t n = rows.size();
        std::size_t stride = static_cast<std::size_t>(0.6180339887 * static_cast<double>(n)) | 1;
        while (n > 1 && gcd(stride, n) != 1) stride += 2;
        for (std::size_t i = 0, at = 0; i < n; ++i, at = (at + stride) % n) order_.push_back(rows[at]);
        while (order_.size() % static_cast<std::size_t>(wide_)) order_.push_back(-1);
        first_.push_back(static_cast<std::int64_t>(order_.size()) / wide_);
    }
    static std::size_t gcd(std::size_t a, std::size_t b) { return b ? gcd(b, a % b) : a; }

    std::int64_t wide_;
    std::vector<std::int32_t> order_;
    std::vector<std::int64_t> first_;
};

// Queries by group, in stretches of one group that are searched together: at most `most` of them, and fewer
// where threads would have nothing to do.
class Stretches {
  public:
    Stretches(std::int64_t count, const NeighborFilter& among, std::int64_t most, std::int64_t tall,
              int threads)
        : order_(static_cast<std::size_t>(count)) {
        const std::int64_t share = (count / (4 * std::max(1, threads)) + tall - 1) / tall * tall;
        most = std::min(most, std::max(tall, share));
        for (std::int64_t i = 0; i < count; ++i) order_[static_cast<std::size_t>(i)] = i;
        const auto group = [&](std::int64_t i) {
            return among.part == GroupRule::all ? 0 : among.query_group[i];
        };
        if (among.part != GroupRule::all)
            std::stable_sort(order_.begin(), order_.end(),
                             [&](std::int64_t a, std::int64_t b) { return group(a) < group(b); });
        for (std::int64_t i = 1; i <= count; ++i)
            if (i == count || i - ends_.back() == most ||
                group(order_[static_cast<std::size_t>(i)]) != group(order_[static_cast<std::size_t>(i - 1)]))
                ends_.push_back(i);
    }
    std::int64_t count() const { return static_cast<std::int64_t>(ends_.size()) - 1; }
    const std::int64_t* queries(std::int64_t item) const {
        return order_.data() + ends_[static_cast<std::size_t>(item)];
    }
    std::int64_t length(std::int64_t item) const {
        return ends_[static_cast<std::size_t>(item + 1)] - ends_[static_cast<std::size_t>(item)];
    }

  private:
    std::vector<std::int64_t> order_, ends_{0};
};

}  // namespace assay
