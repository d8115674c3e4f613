"""Learning curves: the error of a candidate trained on ever more of the rows.

The training rows of an outer fold are put in a fixed random order, class by class in proportion, and each size
takes the first so many of them, so that smaller sets lie inside larger ones. The setting is the one chosen inside
that fold: no tested row had a say in it. Under priors, posteriors and tested rows are re-weighted as in the estimate
itself. Every fold is tested, of large tables the first three. The last point, all of
the training rows, is the nested estimate itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.decision import wilson
from assay.models.validation import Encoded
from assay.plans import ALWAYS_TRAIN, UNUSED, GivenPartitions, Partition
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.selection.learning import proportional_order
from assay.selection.nested import Nested
from assay.selection.progress import Progress
from assay.selection.under_priors import share_of_counts

Array = NDArray[np.float64]
HALVINGS = 4
LARGE_ROWS, FEW_FOLDS = 5000, 3


class CurvePoint(NamedTuple):
    """Error after training on `rows` rows, with a Wilson interval on the (effective) number of rows tested."""

    rows: int
    error: float
    low: float
    high: float


def learning_curve(
    models: list[Any],
    found: Nested,
    X: Any,
    labels: Encoded,
    partition: Partition,
    *,
    priors: Any = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: Progress = None,
) -> tuple[CurvePoint, ...]:
    """Points from a sixteenth or so of the training rows up to all of them.

    Parameters
    ----------
    models : list of estimators
        One for each setting.
    found : Nested
        The candidate's estimate; its first splits are the folds of `partition`.
    priors : array, optional
        Those that `found` was made with.
    """
    folds = range(partition.n_folds if len(labels.codes) < LARGE_ROWS else min(FEW_FOLDS, partition.n_folds))
    rows = min(len(partition.train_rows(f)) for f in folds)
    sizes = _sizes(rows, len(labels.classes))
    counts = np.zeros((len(sizes), 2, len(labels.classes)))  # wrong rows, tested rows
    for setting in np.unique(found.chosen[list(folds)]) if sizes else ():
        mine = [f for f in folds if found.chosen[f] == setting]
        ordered = [proportional_order(partition.train_rows(f), labels.codes, seed) for f in mine]
        plan = GivenPartitions(
            [
                _first(partition, f, order[:size])
                for f, order in zip(mine, ordered, strict=True)
                for size in sizes
            ]
        )
        result = evaluate(models[setting], X, labels, plan, priors=priors, n_jobs=n_jobs, progress=progress)
        counts += _counts(result, result.split % len(sizes), len(sizes))
    whole = found.evaluation
    first = whole.split < partition.n_folds  # of the first repeat
    counts = np.concatenate([counts, _counts(whole, np.where(first, 0, 1), 2)[:1]])
    return tuple(_point(size, part, whole.priors) for size, part in zip([*sizes, rows], counts, strict=True))


def _point(rows: int, counts: Array, priors: Array | None) -> CurvePoint:
    wrong, tested = counts
    error, size = share_of_counts(wrong, tested, priors)
    return CurvePoint(rows, error, *wilson(error * size if priors is not None else wrong.sum(), size))


def _counts(result: Evaluation, group: NDArray[Any], groups: int) -> Array:
    """Wrong and tested rows of each group of pairs, by true class: (groups, 2, K)."""
    size = len(result.classes)
    cell = group * size + result.truth
    wrong = np.bincount(cell, result.predicted != result.truth, minlength=groups * size)
    tested = np.bincount(cell, minlength=groups * size)
    return np.stack([wrong.reshape(groups, size), tested.reshape(groups, size)], axis=1)


def _sizes(rows: int, n_classes: int) -> list[int]:
    """Halves of the training part, down to a few rows a class; the whole itself is not among them."""
    least = max(10, 3 * n_classes)
    return [rows // 2**h for h in range(HALVINGS, 0, -1) if rows // 2**h >= least]


def _first(partition: Partition, f: int, train: NDArray[np.intp]) -> Partition:
    """Train on the given rows and test fold f."""
    fold = np.full(len(partition.fold), UNUSED, dtype=np.int32)
    fold[train] = ALWAYS_TRAIN
    fold[partition.test_rows(f)] = 0
    return Partition(fold, 1)
