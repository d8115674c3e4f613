"""The leaves that rows reach, against a walk in Python."""

from __future__ import annotations

import numpy as np
import pytest

from assay.models.trees.nodes import Growth, TreeNodes
from assay.types import Array


def reached(nodes: TreeNodes, n: int, row: Array, cut: Array) -> int:
    while nodes.feature[n] >= 0 and not cut[n]:
        value = row[nodes.feature[n]]
        left = nodes.missing_left[n] == 1 if np.isnan(value) else value <= nodes.threshold[n]
        n = int(nodes.left[n] if left else nodes.right[n])
    return n


@pytest.mark.parametrize("threads", ["1", "3"])
def test_values_of_leaves_add_up(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_THREADS", threads)
    rng = np.random.default_rng(1)
    X, codes = rng.normal(size=(150, 4)), rng.integers(0, 3, 150).astype(np.int32)
    X[rng.random(X.shape) < 0.1] = np.nan
    forest = TreeNodes.grow(X, codes, 3, None, Growth(2, bootstrap=True), 5)
    values, never = rng.normal(size=forest.counts.shape), np.zeros(len(forest.feature), dtype=bool)
    sums = np.zeros((150, 3))
    forest.add_leaf_values(sums, X, values, slice(0, 2))
    forest.add_leaf_values(sums, X, values, slice(2, 5))
    expected = [sum(values[reached(forest, int(n), row, never)] for n in forest.begin[:-1]) for row in X]
    np.testing.assert_allclose(sums, expected, rtol=1e-12)
    tree = TreeNodes.grow(X, codes, 3, None, Growth(4))
    cost = tree.pruning_costs()
    pruned = np.zeros((150, 3))
    tree.add_leaf_values(pruned, X, tree.counts, cost=cost, prune=0.01)
    np.testing.assert_array_equal(pruned, [tree.counts[reached(tree, 0, row, cost <= 0.01)] for row in X])
    again = np.zeros((150, 3))
    smaller = tree.pruned(cost <= 0.01)
    smaller.add_leaf_values(again, X, smaller.counts)
    np.testing.assert_array_equal(again, pruned)


def test_values_that_training_did_not_miss_go_the_way_of_most_rows() -> None:
    tree = TreeNodes.grow(np.arange(10.0)[:, None], (np.arange(10) > 6).astype(np.int32), 2, None, Growth(1))
    sums = np.zeros((1, 2))
    tree.add_leaf_values(sums, np.array([[np.nan]]), tree.counts)
    assert sums.tolist() == [[7.0, 0.0]]
