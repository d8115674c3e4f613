"""The cost from which on nodes are pruned, against scikit-learn's path and against a search of all prunings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.tree import DecisionTreeClassifier

from assay.models.trees.nodes import Growth, TreeNodes


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_costs_are_those_of_scikit_learns_path(load: Any) -> None:
    X, y = load(return_X_y=True)
    path = DecisionTreeClassifier(max_depth=3, random_state=0).cost_complexity_pruning_path(X, y)
    nodes = TreeNodes.grow(X, y.astype(np.int32), len(set(y)), None, Growth(X.shape[1], max_depth=3))
    costs = nodes.pruning_costs()
    assert np.isinf(costs[nodes.leaf]).all()
    np.testing.assert_allclose(
        np.unique(costs[~nodes.leaf].round(12)), np.unique(path.ccp_alphas[1:].round(12))
    )


def least_cost(nodes: TreeNodes, n: int, alpha: float) -> tuple[float, int]:
    """Impurity plus alpha per leaf of the best pruning below a node, and its leaves; of equal ones the smallest."""
    counts = nodes.counts[n]
    weight = counts.sum()
    alone = (weight - (counts**2).sum() / weight) / nodes.counts[0].sum() + alpha
    if nodes.leaf[n]:
        return alone, 1
    (a, m), (b, k) = (least_cost(nodes, int(child[n]), alpha) for child in (nodes.left, nodes.right))
    return (alone, 1) if alone <= a + b + 1e-12 else (a + b, m + k)


@pytest.mark.parametrize("seed", range(4))
def test_a_pruned_tree_has_the_least_cost_of_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, codes = rng.normal(size=(80, 3)), rng.integers(0, 3, 80).astype(np.int32)
    nodes = TreeNodes.grow(X, codes, 3, None, Growth(3))
    costs, sizes = nodes.pruning_costs(), []
    for alpha in (1e-4, 0.003, 0.008, 0.012, 0.02, 0.1):
        pruned = nodes.pruned(costs <= alpha)
        sizes.append(int(pruned.leaf.sum()))
        assert sizes[-1] == least_cost(nodes, 0, alpha)[1]
        assert (pruned.pruning_costs()[~pruned.leaf] > alpha).all()
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1] == 1
