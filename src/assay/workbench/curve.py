"""Learning curves: the error of a candidate trained on ever more of the rows.

The training rows of an outer fold are put in a fixed random order, class by class in proportion, and each size
takes the first so many of them, so that smaller sets lie inside larger ones. The setting is the one chosen inside
that fold: no tested row had a say in it. Where rows belong together, groups stand in that order, each with all of its
rows: more rows will come in further groups, too. Under priors, posteriors and tested rows are re-weighted as in the
estimate itself. Every fold is tested, of large tables the first three. The last point, all of the training rows, is the
nested estimate itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.decision import wilson
from assay.engines.progress import Progress
from assay.models.validation import Encoded
from assay.plans import ALWAYS_TRAIN, UNUSED, GivenPartitions, Partition
from assay.selection.evaluate import CHAINED, Task
from assay.selection.evaluation import Evaluation
from assay.selection.expanded import by_expansion
from assay.selection.growing import Growing
from assay.selection.learning import proportional_order
from assay.selection.named_models import named
from assay.selection.nested import Nested
from assay.selection.under_priors import row_weights, share_size

Array = NDArray[np.float64]
HALVINGS = 4
LARGE_ROWS, FEW_FOLDS = 5000, 3
Pairs = tuple[NDArray[np.int64], Array]


class CurvePoint(NamedTuple):
    """Error after training on `rows` rows, with its interval on the (effective) number of rows tested."""

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
    sample_weight: Array | None = None,
    groups: NDArray[np.int32] | None = None,
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
    priors, sample_weight, groups : array, optional
        Those that `found` was made with.
    """
    folds = range(partition.n_folds if len(labels.codes) < LARGE_ROWS else min(FEW_FOLDS, partition.n_folds))
    rows = min(len(partition.train_rows(f)) for f in folds)
    ordered = [_ordered(partition.train_rows(f), labels.codes, seed, groups) for f in folds]
    # Whole groups may be of one class: sizes that leave nothing to tell apart are left out.
    sizes = [
        size
        for size in _sizes(rows, len(labels.classes))
        if all(np.ptp(labels.codes[order[:size]]) > 0 for order in ordered)
    ]
    tested: list[list[Pairs]] = [[] for _ in sizes]
    for setting in np.unique(found.chosen[list(folds)]) if sizes else ():
        mine = [f for f in folds if found.chosen[f] == setting]
        tests = [partition.test_rows(f) for f in mine]
        orders = [ordered[f] for f in mine]
        parts = _Parts(
            models[setting], X, labels, sample_weight, tests, orders, sizes, priors, n_jobs, progress
        )
        for pairs, own in zip(tested, parts.tested(), strict=True):
            pairs.append(own)
    whole = found.evaluation
    tested.append([_pairs(whole, whole.split < partition.n_folds)])  # of the first repeat
    return tuple(
        _point(size, pairs, whole, groups) for size, pairs in zip([*sizes, rows], tested, strict=True)
    )


def _ordered(
    rows: NDArray[np.intp], codes: NDArray[np.int32], seed: int, groups: NDArray[np.int32] | None
) -> NDArray[np.intp]:
    """The rows in the order in which they are added; groups by their most frequent classes, one after the other."""
    if groups is None:
        return proportional_order(rows, codes, seed)
    names, own = np.unique(groups[rows], return_inverse=True)
    size = int(codes.max()) + 1
    counts = np.bincount(own * size + codes[rows], minlength=len(names) * size).reshape(-1, size)
    order = proportional_order(np.arange(len(names)), counts.argmax(axis=1).astype(np.int32), seed)
    place = np.empty(len(names), dtype=np.intp)
    place[order] = np.arange(len(names))
    return rows[np.argsort(place[own], kind="stable")]


def _pairs(result: Evaluation, these: NDArray[np.bool_]) -> Pairs:
    """Rows of some tested pairs, and which of them are wrong."""
    return result.rows[these], result.wrong[these]


def _point(rows: int, parts: list[Pairs], whole: Evaluation, groups: NDArray[np.int32] | None) -> CurvePoint:
    at, wrong = (np.concatenate(each) for each in zip(*parts, strict=True))
    weight = None if whole.weight is None else whole.weight[at]
    if whole.priors is not None:
        weight = row_weights(whole.codes[at], weight, whole.priors, slice(None))
    if weight is not None and not weight.any():
        raise ValueError("No tested row counts: every tested class has prior zero; use other priors.")
    error = float(wrong.mean() if weight is None else np.average(wrong, weights=weight))
    size = share_size(wrong, weight, None if groups is None else groups[at], whole.priors is not None)
    return CurvePoint(rows, error, *wilson(min(error, 1.0) * size, size))


def _sizes(rows: int, n_classes: int) -> list[int]:
    """Halves of the training part, down to a few rows a class; the whole itself is not among them."""
    least = max(10, 3 * n_classes)
    return [rows // 2**h for h in range(HALVINGS, 0, -1) if rows // 2**h >= least]


@dataclass(frozen=True, eq=False)
class _Parts:
    """Folds of one setting: the rows that each tests, and those that it is trained on in their order."""

    model: Any
    X: Any
    labels: Encoded
    weight: Array | None
    tests: list[NDArray[np.intp]]
    ordered: list[NDArray[np.intp]]
    sizes: list[int]
    priors: Any
    n_jobs: int | None
    progress: Progress

    def tested(self) -> list[Pairs]:
        """The tested pairs of every size."""
        pieces = [self._pieces(f) for f in range(len(self.tests))]
        largest = GivenPartitions([self._partition(f) for f in range(len(self.tests))])
        ((models, X),) = by_expansion(named(self.model), self.X)
        task = Task.of(models, X, self.labels, largest, self.weight, None, self.n_jobs, CHAINED)
        growing = Growing(task, models, pieces, len(self.sizes), None, self.priors, self.progress)
        (found,) = growing.evaluations().values()
        return [_pairs(each, np.ones(len(each.split), dtype=bool)) for each in found]

    def _pieces(self, f: int) -> NDArray[np.int32]:
        """The smallest size, by its number, in which each row is trained on for fold f."""
        piece = np.full(len(self.labels.codes), len(self.sizes), dtype=np.int32)
        for s in range(len(self.sizes) - 1, -1, -1):
            piece[self.ordered[f][: self.sizes[s]]] = s
        return piece

    def _partition(self, f: int) -> Partition:
        """Train on the rows of the largest size and test fold f."""
        fold = np.full(len(self.labels.codes), UNUSED, dtype=np.int32)
        fold[self.ordered[f][: self.sizes[-1]]] = ALWAYS_TRAIN
        fold[self.tests[f]] = 0
        return Partition(fold, 1)
