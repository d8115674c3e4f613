// Classification trees: rows are divided by one column at a time, so that classes become pure (CART).
#pragma once

#include <cstdint>
#include <vector>

#include "base/interrupt.hpp"

namespace assay {

// Rows to learn from, column after column; NaN is a missing value.
struct TreeRows {
    const double* columns = nullptr;  // (width, count)
    const std::int32_t* codes = nullptr;
    const double* weight = nullptr;  // null: all one
    std::int64_t count = 0, width = 0, classes = 0;
};

struct TreeOptions {
    std::int64_t max_features = 0;  // columns tried per node, drawn if they are not all
    std::int64_t max_depth = -1;    // -1: no limit
    std::int64_t max_leaves = 0;    // 0: no limit; else the best divisions first
    double min_weight = 1.0;        // of a leaf
    bool bootstrap = false;
    std::uint64_t seed = 0;
};

// Nodes of one or several trees, each tree's root first and children behind their parents. Leaves have
// feature -1. A row goes left if its value is at most the threshold, or missing where `missing_left` is 1.
struct TreeNodes {
    std::vector<std::int32_t> feature, left, right;
    std::vector<double> threshold;
    std::vector<std::uint8_t> missing_left;
    std::vector<double> counts;  // (nodes, classes) weight of the training rows

    std::int64_t size() const { return static_cast<std::int64_t>(feature.size()); }
};

// Trees number first .. first + count - 1 of an ensemble; each depends on its number and the seed alone.
// `begin` gets the place of every root, and the number of nodes at the end.
TreeNodes grow_trees(const TreeRows& rows, const TreeOptions& options, std::int64_t first, std::int64_t count,
                     int threads, InterruptCheck& pause, std::vector<std::int64_t>& begin);

struct TreeView {
    const std::int32_t *feature, *left, *right;
    const double* threshold;
    const std::uint8_t* missing_left;
    std::int64_t size;
};

// Where each inner node of a tree becomes a leaf when the tree is pruned: the cost per leaf, in weighted
// impurity, from which on it is not worth its leaves. Leaves have infinity.
void pruning_costs(const TreeView& tree, const double* counts, std::int64_t classes, double* cost);

// Adds values (nodes, classes) of the leaf that every row (count, width) reaches in each tree, whose roots
// are `begin[0..trees)`, to sums (count, classes). Nodes whose cost is at most `prune` are leaves.
void add_leaf_values(const TreeView& nodes, const std::int64_t* begin, std::int64_t trees, const double* cost,
                     double prune, const double* values, std::int64_t classes, const double* rows,
                     std::int64_t count, std::int64_t width, int threads, double* sums);

}  // namespace assay
