#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "trees/trees.hpp"

namespace assay {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// A node's weighted impurity as a leaf, that of its leaves together, and how many they are.
struct Branch {
    double alone, leaves_sum;
    std::int64_t leaves;

    double cost() const { return (alone - leaves_sum) / static_cast<double>(leaves - 1); }
};

double impurity(const double* counts, std::int64_t classes) {
    double weight = 0.0, squares = 0.0;
    for (std::int64_t k = 0; k < classes; ++k) weight += counts[k], squares += counts[k] * counts[k];
    return weight > 0.0 ? weight - squares / weight : 0.0;
}

}  // namespace

// Weakest links first: the node of least cost per leaf saved is cut off, which changes the costs above it.
void pruning_costs(const TreeView& tree, const double* counts, std::int64_t classes, double* cost) {
    const std::int64_t size = tree.size;
    std::vector<Branch> branch(static_cast<std::size_t>(size));
    std::vector<std::int32_t> parent(static_cast<std::size_t>(size), -1);
    double whole = 0.0;
    for (std::int64_t k = 0; k < classes; ++k) whole += counts[k];
    for (std::int64_t n = size - 1; n >= 0; --n) {
        Branch& at = branch[static_cast<std::size_t>(n)];
        at.alone = impurity(counts + n * classes, classes) / whole;
        cost[n] = kNever;
        if (tree.feature[n] < 0) {
            at.leaves_sum = at.alone, at.leaves = 1;
            continue;
        }
        const Branch &left = branch[static_cast<std::size_t>(tree.left[n])],
                     &right = branch[static_cast<std::size_t>(tree.right[n])];
        at.leaves_sum = left.leaves_sum + right.leaves_sum, at.leaves = left.leaves + right.leaves;
        parent[static_cast<std::size_t>(tree.left[n])] = static_cast<std::int32_t>(n);
        parent[static_cast<std::size_t>(tree.right[n])] = static_cast<std::int32_t>(n);
    }
    using Link = std::pair<double, std::int32_t>;
    std::priority_queue<Link, std::vector<Link>, std::greater<>> links;
    for (std::int64_t n = 0; n < size; ++n)
        if (tree.feature[n] >= 0)
            links.emplace(branch[static_cast<std::size_t>(n)].cost(), static_cast<std::int32_t>(n));
    double reached = 0.0;
    while (!links.empty()) {
        const auto [value, n] = links.top();
        links.pop();
        const Branch at = branch[static_cast<std::size_t>(n)];
        // A node that was cut off, lies below one that was, or whose cost has changed since.
        if (at.leaves < 2 || value != at.cost()) continue;
        reached = std::max(reached, value);
        std::vector<std::int32_t> below{n};
        while (!below.empty()) {
            const std::int32_t inner = below.back();
            below.pop_back();
            Branch& cut = branch[static_cast<std::size_t>(inner)];
            if (cut.leaves < 2) continue;
            cost[inner] = reached;
            cut.leaves = 1, cut.leaves_sum = cut.alone;
            below.push_back(tree.left[inner]), below.push_back(tree.right[inner]);
        }
        for (std::int32_t above = parent[static_cast<std::size_t>(n)]; above >= 0;
             above = parent[static_cast<std::size_t>(above)]) {
            Branch& changed = branch[static_cast<std::size_t>(above)];
            changed.leaves_sum += at.alone - at.leaves_sum;
            changed.leaves -= at.leaves - 1;
            links.emplace(changed.cost(), above);
        }
    }
}

}  // namespace assay
