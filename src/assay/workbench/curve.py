"""Learning curves: the error of a candidate trained on ever more of the rows.

Three outer folds are tested; their training rows are put in a fixed random order, class by class in proportion, and
each size takes the first so many of them, so that smaller sets lie inside larger ones. The setting is the one
chosen inside that fold: no tested row had a say in it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.decision import wilson
from assay.models.validation import Encoded
from assay.plans import ALWAYS_TRAIN, UNUSED, GivenPartitions, Partition
from assay.selection.evaluate import evaluate
from assay.selection.progress import Progress

HALVINGS = 4
SPLITS = 3


class CurvePoint(NamedTuple):
    """Error after training on `rows` rows, with a Wilson interval on the rows tested."""

    rows: int
    error: float
    low: float
    high: float


def learning_curve(
    models: list[Any],
    chosen: NDArray[np.intp],
    X: Any,
    labels: Encoded,
    partition: Partition,
    *,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> tuple[CurvePoint, ...]:
    """Points from an eighth or so of the rows up to all of the training part.

    Parameters
    ----------
    models : list of estimators
        One for each setting.
    chosen : (folds,)
        Setting of each fold.
    """
    folds = range(min(SPLITS, partition.n_folds))
    sizes = _sizes(min(len(partition.train_rows(f)) for f in folds), labels)
    wrong = np.zeros((len(sizes), 2))  # wrong rows, tested rows
    for f in folds:
        order = _proportional_order(partition.train_rows(f), labels.codes, seed)
        parts = [_first(partition, f, order[:size]) for size in sizes]
        plan = GivenPartitions(parts)
        result = evaluate(models[chosen[f]], X, labels, plan, n_jobs=n_jobs, progress=progress)
        tested = np.bincount(result.split, minlength=len(sizes))
        errors = np.bincount(result.split, result.predicted != result.truth, minlength=len(sizes))
        wrong += np.stack([errors, tested], axis=1)
    return tuple(
        CurvePoint(size, bad / n, *wilson(bad, n))
        for size, (bad, n) in zip(sizes, wrong.tolist(), strict=True)
    )


def _sizes(rows: int, labels: Encoded) -> list[int]:
    """Halves of the training part, down to a few rows a class."""
    least = max(10, 3 * len(labels.classes))
    sizes = [rows // 2**h for h in range(HALVINGS, -1, -1)]
    return [size for size in sizes if size >= least] or [rows]


def _proportional_order(rows: NDArray[np.intp], codes: NDArray[np.int32], seed: int) -> NDArray[np.intp]:
    """The rows in an order whose every beginning holds the classes in proportion, each class at once."""
    shuffled = np.random.default_rng(seed).permutation(rows)
    place = np.empty(len(rows))
    for k in np.unique(codes[rows]):
        mine = np.flatnonzero(codes[shuffled] == k)
        place[mine] = np.arange(len(mine)) / len(mine)  # the first row of every class comes first
    return np.asarray(shuffled[np.argsort(place, kind="stable")])


def _first(partition: Partition, f: int, train: NDArray[np.intp]) -> Partition:
    """Train on the given rows and test fold f."""
    fold = np.full(len(partition.fold), UNUSED, dtype=np.int32)
    fold[train] = ALWAYS_TRAIN
    fold[partition.test_rows(f)] = 0
    return Partition(fold, 1)
