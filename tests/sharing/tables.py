"""Small tables with every difficulty that moments can meet, and the refit that each evaluation must equal."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.plans import Plan, as_plan
from assay.selection.evaluation import Evaluation
from assay.selection.scored_pairs import SplitScores
from tests.contract.registry import blobs
from tests.sharing.refits import refit_scores

Array = np.ndarray[Any, Any]
Table = tuple[Array, Array]


def plain() -> Table:
    return blobs(rows=72)


def two_classes() -> Table:
    return blobs(rows=50, classes=2, seed=1)


def rare_class() -> Table:
    """Class 2 has two rows: absent from some training parts, one row in others."""
    X, y = blobs(rows=50, classes=2, seed=2)
    X = np.vstack([X, [[5.0, 1.0, 2.0, 3.0], [6.0, 1.5, 1.0, 3.5]]])
    return X, np.append(y, [2, 2])


def one_row_class() -> Table:
    X, y = rare_class()
    return X[:-1], y[:-1]


def few_rows() -> Table:
    """Every class has fewer rows than features, some features hardly vary: own covariances are singular."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [5, 6, 9])
    return rng.normal(size=(20, 7)) + y[:, None], y


def constant_features() -> Table:
    """One column never varies, one only in a single row, one only outside class 0."""
    X, y = blobs(rows=60, seed=4)
    X = np.hstack([X, np.full((60, 1), 7.3), np.zeros((60, 1)), X[:, :1] ** 2])
    X[11, 5] = 2.0
    X[y == 0, 6] = 1.1
    return X, y


def dependent_columns() -> Table:
    """A column twice, and one that is the sum of two others."""
    X, y = blobs(rows=60, seed=5)
    return np.hstack([X, X[:, :1], X[:, 1:2] + X[:, 2:3]]), y


def equal_rows() -> Table:
    """Class 1 is one row many times, class 2 is one row many times and another once."""
    X, y = blobs(rows=60, seed=6)
    X[y == 1] = [0.1, 0.7, -3.3, 1e3]
    X[y == 2] = [0.3, 0.6, 1.3, 2.0]
    X[np.flatnonzero(y == 2)[1]] = [1.0, 2.0, 0.0, 1.0]
    return X, y


def far_away() -> Table:
    """Columns whose mean is a million deviations from zero."""
    X, y = blobs(rows=60, seed=7)
    return X + np.array([1e6, -1e6, 0.0, 1e5]), y


TABLES = {
    table.__name__: table
    for table in (
        plain,
        two_classes,
        rare_class,
        one_row_class,
        few_rows,
        constant_features,
        dependent_columns,
        equal_rows,
        far_away,
    )
}


def refitted(
    model: Any, X: Any, y: Any, plan: Any, weight: Any = None, groups: Any = None
) -> tuple[SplitScores, bool]:
    """The scores of every split by fitting each training part anew, pairs in the order of the splits."""
    classes, codes = np.unique(y, return_inverse=True)
    checked: Plan = as_plan(plan)
    splits = list(checked.split(np.zeros((len(y), 1)), y, groups))
    return refit_scores(model, X, codes.astype(np.int32), classes, splits, weight)


def in_order(tested: SplitScores) -> tuple[Array, Array, Array, Array]:
    """Split, row, scores and prediction of each tested pair, sorted by split and row."""
    rows = np.arange(len(tested.scores)) if tested.rows is None else tested.rows
    order = np.lexsort((rows, tested.split))
    return tested.split[order], rows[order], tested.scores[order], tested.predicted[order]


def centred(scores: Array, there: Array) -> Array:
    """Scores less their mean over the classes that are there."""
    return scores - np.where(there, scores, 0.0).sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True)


def assert_same(shared: Evaluation, refit: tuple[SplitScores, bool], places: float = 1e-9) -> None:
    """Equal pairs, predictions and, to `places` relative to the largest score of a pair, equal scores."""
    tested, probabilistic = refit
    assert shared.probabilistic == probabilistic
    split, rows, scores, predicted = in_order(shared.tested)
    split2, rows2, scores2, predicted2 = in_order(tested)
    np.testing.assert_array_equal(split, split2)
    np.testing.assert_array_equal(rows, rows2)
    finite = np.isfinite(scores2)
    if probabilistic:
        np.testing.assert_array_equal(np.isneginf(scores), ~finite)
    elif scores.shape[1] > 2:  # of many margins differences mean something, between classes that training saw
        finite &= tested.priors[split2] > 0
        scores, scores2 = centred(scores, finite), centred(scores2, finite)
    size = np.maximum(np.where(finite, np.abs(scores2), 0.0).max(axis=1, keepdims=True), 1.0)
    gap = np.where(finite, np.abs(np.where(finite, scores, 0.0) - np.where(finite, scores2, 0.0)) / size, 0.0)
    assert gap.max() <= places, (
        f"scores differ by {gap.max():.2g} at pair {np.unravel_index(gap.argmax(), gap.shape)}"
    )
    differ = predicted != predicted2
    if differ.any():  # equal rows of two classes tie to rounding; anything wider is wrong
        top = np.sort(np.where(finite, scores2, -np.inf)[differ], axis=1)
        assert (top[:, -1] - top[:, -2] <= places * size[differ, 0]).all(), "predictions differ"
