#include <algorithm>
#include <cmath>

#include "base/threads.hpp"
#include "trees/trees.hpp"

namespace assay {

namespace {

constexpr std::int64_t kBlock = 64;  // rows that go through one tree while its nodes are at hand

std::int64_t leaf_of(const TreeView& nodes, std::int64_t node, const double* cost, double prune,
                     const double* row) {
    while (nodes.feature[node] >= 0 && !(cost && cost[node] <= prune)) {
        const double value = row[nodes.feature[node]];
        const bool left = std::isnan(value) ? nodes.missing_left[node] != 0 : value <= nodes.threshold[node];
        node = left ? nodes.left[node] : nodes.right[node];
    }
    return node;
}

}  // namespace

void add_leaf_values(const TreeView& nodes, const std::int64_t* begin, std::int64_t trees, const double* cost,
                     double prune, const double* values, std::int64_t classes, const double* rows,
                     std::int64_t count, std::int64_t width, int threads, double* sums) {
    parallel_for((count + kBlock - 1) / kBlock, threads, [&](std::int64_t block, int) {
        const std::int64_t end = std::min(count, (block + 1) * kBlock);
        for (std::int64_t t = 0; t < trees; ++t)
            for (std::int64_t i = block * kBlock; i < end; ++i) {
                const double* value =
                    values + leaf_of(nodes, begin[t], cost, prune, rows + i * width) * classes;
                for (std::int64_t k = 0; k < classes; ++k) sums[i * classes + k] += value[k];
            }
    });
}

}  // namespace assay
