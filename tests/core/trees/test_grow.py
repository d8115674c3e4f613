"""Grown trees against scikit-learn's, and against a search of every division in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from assay.models.trees.nodes import Growth, TreeNodes
from assay.types import Array

Loader = Any


def gini(counts: Array) -> float:
    weight = counts.sum()
    return float(weight - (counts**2).sum() / weight)


def best_gain(X: Array, codes: Any, weight: Array, n_classes: int, least: float) -> float:
    """What the best of all divisions saves, missing values on either side; -inf where there is none."""

    def counts(rows: Any) -> Array:
        return np.bincount(codes[rows], weight[rows], n_classes)

    best = -np.inf
    for x in X.T:
        known = np.unique(x[~np.isnan(x)])
        for threshold in known[: len(known) - (not np.isnan(x).any())]:
            for side in {False, bool(np.isnan(x).any())}:
                left = np.where(np.isnan(x), side, x <= threshold)
                if min(weight[left].sum(), weight[~left].sum()) >= least and left.any() and not left.all():
                    best = max(
                        best, gini(counts(x == x) + counts(x != x)) - gini(counts(left)) - gini(counts(~left))
                    )
    return best


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize(
    "limits", [{}, {"max_depth": 3}, {"min_samples_leaf": 7}, {"max_leaf_nodes": 6}], ids=str
)
def test_trees_are_as_pure_as_those_of_scikit_learn(load: Loader, limits: dict[str, int]) -> None:
    X, y = load(return_X_y=True)
    theirs = DecisionTreeClassifier(random_state=0, **limits).fit(X, y)
    ours = TreeNodes.grow(X, y.astype(np.int32), len(set(y)), None, Growth(X.shape[1], **limits))
    # Equal divisions are taken in another order, which may change what follows by a leaf.
    assert abs(int(ours.leaf.sum()) - theirs.get_n_leaves()) <= 1
    impurity = sum(gini(counts) for counts in ours.counts[ours.leaf])
    tree = theirs.tree_
    leaves = tree.children_left < 0
    expected = (tree.impurity * tree.weighted_n_node_samples)[leaves].sum()
    assert impurity == pytest.approx(expected, abs=1.5)


@pytest.mark.parametrize("seed", range(8))
def test_every_node_takes_the_best_division(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(60, 3)), 1)
    X[rng.random(X.shape) < 0.15 * (seed % 2)] = np.nan
    codes, weight = rng.integers(0, 3, 60).astype(np.int32), rng.integers(0, 3, 60).astype(float)
    least = 1 + seed % 3
    nodes = TreeNodes.grow(X, codes, 3, weight, Growth(3, min_samples_leaf=least))
    rows = {0: np.flatnonzero(weight > 0)}
    for n in range(len(nodes.feature)):
        here = rows[n]
        np.testing.assert_allclose(nodes.counts[n], np.bincount(codes[here], weight[here], 3))
        gain = best_gain(X[here], codes[here], weight[here], 3, least)
        pure = (nodes.counts[n] > 0).sum() == 1
        assert nodes.leaf[n] == (pure or gain == -np.inf)
        if nodes.leaf[n]:
            continue
        x = X[here, nodes.feature[n]]
        left = np.where(np.isnan(x), nodes.missing_left[n] == 1, x <= nodes.threshold[n])
        rows[int(nodes.left[n])], rows[int(nodes.right[n])] = here[left], here[~left]
        sides = (np.bincount(codes[part], weight[part], 3) for part in (here[left], here[~left]))
        assert gini(nodes.counts[n]) - sum(map(gini, sides)) == pytest.approx(gain, abs=1e-9)


def test_a_weight_of_two_is_a_repeated_row_and_of_zero_none() -> None:
    X, y = load_iris(return_X_y=True)
    X = np.round(X + np.random.default_rng(0).normal(size=X.shape), 1)
    codes, weight = y.astype(np.int32), np.arange(150) % 3
    weighted = TreeNodes.grow(X, codes, 3, weight.astype(float), Growth(4, min_samples_leaf=3))
    rows = np.repeat(np.arange(150), weight)
    repeated = TreeNodes.grow(X[rows], codes[rows], 3, None, Growth(4, min_samples_leaf=3))
    for name, part in vars(weighted).items():
        np.testing.assert_array_equal(part, getattr(repeated, name))


def test_trees_of_a_forest_depend_on_their_number_and_the_seed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = load_wine(return_X_y=True)
    codes, growth = y.astype(np.int32), Growth(3, bootstrap=True, seed=4)
    forests = []
    for threads, count in (("1", 6), ("3", 6), ("2", 4)):
        monkeypatch.setenv("ASSAY_THREADS", threads)
        forests.append(TreeNodes.grow(X, codes, 3, None, growth, count))
    whole, other, fewer = forests
    for name, part in vars(whole).items():
        np.testing.assert_array_equal(part, getattr(other, name))
    end = fewer.begin[-1]
    np.testing.assert_array_equal(whole.threshold[:end], fewer.threshold)
    assert len({int(n) for n in np.diff(whole.begin)}) > 1  # rows are drawn anew for each
    np.testing.assert_array_equal(whole.counts[whole.begin[:-1]].sum(axis=1), len(y))


def test_draws_reach_every_column_about_equally() -> None:
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(200, 5)), rng.integers(0, 2, 200).astype(np.int32)
    forest = TreeNodes.grow(X, codes, 2, None, Growth(1, max_depth=1, bootstrap=True), 500)
    asked = np.bincount(forest.feature[forest.begin[:-1]], minlength=5)
    assert (np.abs(asked - 100) < 5 * np.sqrt(500 * 0.2 * 0.8)).all()
