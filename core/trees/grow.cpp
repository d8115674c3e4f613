#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/threads.hpp"
#include "trees/division.hpp"

namespace assay {

namespace {

// Random numbers of one tree (splitmix64).
class Draws {
  public:
    Draws(std::uint64_t seed, std::int64_t number)
        : state_(mixed(seed) ^ mixed(~static_cast<std::uint64_t>(number))) {}

    // A whole number in [0, end).
    std::int64_t below(std::int64_t end) {
        state_ += 0x9e3779b97f4a7c15ULL;
        const auto wide = static_cast<unsigned __int128>(mixed(state_)) * static_cast<std::uint64_t>(end);
        return static_cast<std::int64_t>(wide >> 64);
    }

  private:
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

    std::uint64_t state_;
};

// A node whose rows, [begin, end) of the order, may be divided.
struct OpenNode {
    std::int32_t node;
    std::int64_t begin, end, depth;
    Division division;
    double gain;

    // The best first; of equals the earlier.
    friend bool operator<(const OpenNode& a, const OpenNode& b) {
        return a.gain < b.gain || (a.gain == b.gain && a.node > b.node);
    }
};

class TreeGrower {
  public:
    TreeGrower(const TreeRows& rows, const TreeOptions& options, std::int64_t number)
        : rows_(rows),
          options_(options),
          draws_(options.seed, number),
          search_(rows, options.min_weight),
          columns_(static_cast<std::size_t>(rows.width)) {
        std::iota(columns_.begin(), columns_.end(), 0);
        draw_rows();
    }

    // `pause` is asked on the way, where there is one.
    TreeNodes grow(InterruptCheck* pause) {
        open({0, static_cast<std::int64_t>(order_.size())}, 0);
        std::int64_t leaves = 1;
        while (!open_.empty() && (options_.max_leaves == 0 || leaves < options_.max_leaves)) {
            if (options_.max_leaves > 0) std::pop_heap(open_.begin(), open_.end());
            const OpenNode node = open_.back();
            open_.pop_back();
            divide(node);
            ++leaves;
            if (pause)
                pause->after((node.end - node.begin) * std::min(options_.max_features, rows_.width) * 64);
        }
        return std::move(nodes_);
    }

  private:
    struct Span {
        std::int64_t begin, end;
    };

    // Rows of positive weight, or as many drawn from them; a row drawn twice has twice its weight.
    void draw_rows() {
        weight_.resize(static_cast<std::size_t>(rows_.count));
        for (std::int64_t i = 0; i < rows_.count; ++i)
            if (!rows_.weight || rows_.weight[i] > 0.0) order_.push_back(static_cast<std::int32_t>(i));
        if (!options_.bootstrap) {
            for (const std::int32_t i : order_) weight_[static_cast<std::size_t>(i)] = given(i);
            return;
        }
        const auto count = static_cast<std::int64_t>(order_.size());
        for (std::int64_t draw = 0; draw < count; ++draw) {
            const std::int32_t i = order_[static_cast<std::size_t>(draws_.below(count))];
            weight_[static_cast<std::size_t>(i)] += given(i);
        }
        std::erase_if(order_, [this](std::int32_t i) { return weight_[static_cast<std::size_t>(i)] == 0.0; });
    }

    double given(std::int32_t i) const { return rows_.weight ? rows_.weight[i] : 1.0; }

    // Adds a node; it stays a leaf unless there is a division.
    std::int32_t open(Span span, std::int64_t depth) {
        const auto node = static_cast<std::int32_t>(nodes_.feature.size());
        const auto first = nodes_.counts.size(), classes = static_cast<std::size_t>(rows_.classes);
        nodes_.feature.push_back(-1), nodes_.left.push_back(-1), nodes_.right.push_back(-1);
        nodes_.threshold.push_back(0.0), nodes_.missing_left.push_back(0);
        nodes_.counts.resize(first + classes, 0.0);
        double* counts = nodes_.counts.data() + first;
        for (std::int64_t p = span.begin; p < span.end; ++p) {
            const std::int32_t i = order_[static_cast<std::size_t>(p)];
            counts[rows_.codes[i]] += weight_[static_cast<std::size_t>(i)];
        }
        double weight = 0.0, squares = 0.0, most = 0.0;
        for (std::size_t k = 0; k < classes; ++k) {
            weight += counts[k], squares += counts[k] * counts[k];
            most = std::max(most, counts[k]);
        }
        const bool deepest = options_.max_depth >= 0 && depth >= options_.max_depth;
        if (deepest || most == weight || weight < 2.0 * options_.min_weight * (1.0 - 1e-12)) return node;
        const Division division = find(span, counts);
        if (division.feature < 0) return node;
        open_.push_back({node, span.begin, span.end, depth, division, division.purity - squares / weight});
        if (options_.max_leaves > 0) std::push_heap(open_.begin(), open_.end());
        return node;
    }

    // The best division by the columns that are tried: at least one of them varies, if any does.
    Division find(Span span, const double* counts) {
        Division best;
        const std::int64_t width = rows_.width;
        const bool all = options_.max_features >= width;
        bool varies = false;
        for (std::int64_t j = 0; j < width && (j < options_.max_features || !varies); ++j) {
            if (!all)
                std::swap(columns_[static_cast<std::size_t>(j)],
                          columns_[static_cast<std::size_t>(j + draws_.below(width - j))]);
            varies |= search_.attempt(columns_[static_cast<std::size_t>(j)], order_.data() + span.begin,
                                      span.end - span.begin, weight_.data(), counts, best);
        }
        return best;
    }

    void divide(const OpenNode& parent) {
        const Division& division = parent.division;
        const double* values = rows_.columns + division.feature * rows_.count;
        double known[2] = {0.0, 0.0};
        bool missing = false;
        const auto goes_left = [&](std::int32_t i) {
            const double value = values[i];
            missing |= std::isnan(value);
            if (std::isnan(value)) return division.missing_left;
            known[value <= division.threshold ? 0 : 1] += weight_[static_cast<std::size_t>(i)];
            return value <= division.threshold;
        };
        const auto begin = order_.begin() + parent.begin, end = order_.begin() + parent.end;
        const auto middle = std::stable_partition(begin, end, goes_left);
        const std::int64_t cut = middle - order_.begin();
        const std::int32_t left = open({parent.begin, cut}, parent.depth + 1);
        const std::int32_t right = open({cut, parent.end}, parent.depth + 1);
        const auto at = static_cast<std::size_t>(parent.node);
        nodes_.feature[at] = division.feature, nodes_.threshold[at] = division.threshold;
        nodes_.left[at] = left, nodes_.right[at] = right;
        // Where training rows have no missing value, one goes the way of most of them.
        nodes_.missing_left[at] = missing ? division.missing_left : known[0] > known[1];
    }

    const TreeRows& rows_;
    const TreeOptions& options_;
    Draws draws_;
    DivisionSearch search_;
    std::vector<std::int32_t> columns_, order_;
    std::vector<double> weight_;
    std::vector<OpenNode> open_;
    TreeNodes nodes_;
};

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
    std::vector<T>().swap(from);
}

}  // namespace

TreeNodes grow_trees(const TreeRows& rows, const TreeOptions& options, std::int64_t first, std::int64_t count,
                     int threads, InterruptCheck& pause, std::vector<std::int64_t>& begin) {
    std::vector<TreeNodes> trees(static_cast<std::size_t>(count));
    parallel_for(count, threads, [&](std::int64_t t, int worker) {
        trees[static_cast<std::size_t>(t)] =
            TreeGrower(rows, options, first + t).grow(worker == 0 ? &pause : nullptr);
    });
    TreeNodes all;
    begin.assign(1, 0);
    for (TreeNodes& tree : trees) {
        const auto shift = static_cast<std::int32_t>(all.size());
        for (auto* children : {&tree.left, &tree.right})
            for (std::int32_t& child : *children) child += child < 0 ? 0 : shift;
        append(all.feature, tree.feature), append(all.left, tree.left), append(all.right, tree.right);
        append(all.threshold, tree.threshold), append(all.missing_left, tree.missing_left);
        append(all.counts, tree.counts);
        begin.push_back(all.size());
    }
    return all;
}

}  // namespace assay
