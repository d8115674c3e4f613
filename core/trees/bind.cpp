// What Python sees of trees: growing them, the cost at which nodes are pruned, and the leaves that rows
// reach.
#include "python/arrays.hpp"
#include "python/interrupt.hpp"
#include "trees/trees.hpp"

namespace {

using Grown = std::tuple<Owned<std::int64_t>, Owned<std::int32_t>, Owned<double>, Owned<std::int32_t>,
                         Owned<std::int32_t>, Owned<std::uint8_t>, Owned<double>>;

Grown grow_trees(In<double> columns, In<std::int32_t> codes, std::int64_t classes, Maybe<double> weight,
                 std::int64_t first, std::int64_t count, std::int64_t max_features, std::int64_t max_depth,
                 std::int64_t max_leaves, double min_weight, bool bootstrap, std::uint64_t seed,
                 int threads) {
    require(columns.ndim() == 2 && columns.shape(0) > 0 && columns.shape(1) > 0,
            "there must be rows and columns");
    assay::TreeRows rows{columns.data(),    codes.data(),      data_of(weight),
                         columns.extent(1), columns.extent(0), classes};
    require(rows.count < (std::int64_t{1} << 30) && rows.width < (std::int64_t{1} << 31),
            "there are too many rows");
    require_size(codes, rows.count);
    require_size(weight, rows.count);
    require(within<std::int32_t>(codes, 0, classes), "codes must name a class");
    require(count >= 0 && first >= 0, "there must be trees");
    require(max_features > 0 && max_depth >= -1 && max_leaves >= 0 && min_weight > 0.0, "a limit is not one");
    if (weight)
        for (std::int64_t i = 0; i < rows.count; ++i)
            require(weight->data()[i] >= 0.0, "weights must be at least 0");
    const assay::TreeOptions options{max_features, max_depth, max_leaves, min_weight, bootstrap, seed};
    std::vector<std::int64_t> begin;
    assay::TreeNodes nodes;
    {
        nb::gil_scoped_release release;
        assay::InterruptCheck pause(check_interrupt);
        nodes = assay::grow_trees(rows, options, first, count, threads, pause, begin);
    }
    return {owned(std::move(begin)),           owned(std::move(nodes.feature)),
            owned(std::move(nodes.threshold)), owned(std::move(nodes.left)),
            owned(std::move(nodes.right)),     owned(std::move(nodes.missing_left)),
            owned(std::move(nodes.counts))};
}

// Nodes whose children come behind them, so that every way ends.
assay::TreeView view_of(const In<std::int32_t>& feature, const In<double>& threshold,
                        const In<std::int32_t>& left, const In<std::int32_t>& right,
                        const In<std::uint8_t>& missing_left, std::int64_t width) {
    const auto size = feature.count();
    require_size(threshold, size);
    require_size(left, size);
    require_size(right, size);
    require_size(missing_left, size);
    require(within<std::int32_t>(feature, -1, width), "a node asks for no column");
    for (std::int64_t n = 0; n < size; ++n)
        require(feature.data()[n] < 0 || (left.data()[n] > n && left.data()[n] < size &&
                                          right.data()[n] > n && right.data()[n] < size),
                "children come behind their parents");
    return {feature.data(), left.data(), right.data(), threshold.data(), missing_left.data(), size};
}

void pruning_costs(In<std::int32_t> feature, In<std::int32_t> left, In<std::int32_t> right,
                   In<double> threshold, In<std::uint8_t> missing_left, In<double> counts, Out<double> cost) {
    const auto tree = view_of(feature, threshold, left, right, missing_left, std::int64_t{1} << 31);
    require(tree.size > 0 && counts.count() % tree.size == 0, "the arrays do not fit together");
    require_size(cost, tree.size);
    nb::gil_scoped_release release;
    assay::pruning_costs(tree, counts.data(), counts.count() / tree.size, cost.data());
}

void add_leaf_values(In<std::int32_t> feature, In<std::int32_t> left, In<std::int32_t> right,
                     In<double> threshold, In<std::uint8_t> missing_left, In<std::int64_t> begin,
                     Maybe<double> cost, double prune, In<double> values, In<double> rows, int threads,
                     Out<double> sums) {
    require(rows.ndim() == 2 && sums.ndim() == 2 && rows.shape(0) == sums.shape(0),
            "rows and sums must be matrices");
    const auto nodes = view_of(feature, threshold, left, right, missing_left, rows.extent(1));
    const auto classes = sums.extent(1);
    require(within<std::int64_t>(begin, 0, nodes.size), "a tree begins at no node");
    require_size(cost, nodes.size);
    require_size(values, nodes.size * classes);
    nb::gil_scoped_release release;
    assay::add_leaf_values(nodes, begin.data(), begin.count(), data_of(cost), prune, values.data(), classes,
                           rows.data(), rows.extent(0), rows.extent(1), threads, sums.data());
}

}  // namespace

void bind_trees(nb::module_& m) {
    m.def("grow_trees", &grow_trees, "columns"_a, "codes"_a, "classes"_a, "weight"_a.none(), "first"_a,
          "count"_a, "max_features"_a, "max_depth"_a, "max_leaves"_a, "min_weight"_a, "bootstrap"_a, "seed"_a,
          "threads"_a);
    m.def("pruning_costs", &pruning_costs, "feature"_a, "left"_a, "right"_a, "threshold"_a, "missing_left"_a,
          "counts"_a, "cost"_a.noconvert());
    m.def("add_leaf_values", &add_leaf_values, "feature"_a, "left"_a, "right"_a, "threshold"_a,
          "missing_left"_a, "begin"_a, "cost"_a.none(), "prune"_a, "values"_a, "rows"_a, "threads"_a,
          "sums"_a.noconvert());
}
