"""Every fold of every model of counts from one count pass: the training counts of a fold are those of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.decision.priors import class_priors
from assay.models.sharing.folds import check_classes
from assay.models.sharing.tested import Tested, posterior_or_margin
from assay.plans import ALWAYS_TRAIN, Partition
from assay.statistics import Counts
from assay.statistics.solve_diagnostics import absences

Array = NDArray[np.float64]


class Counting(Protocol):
    """What a model offers whose folds share a count pass; see `models/naive_bayes/counted.py`."""

    priors: Any

    def _counted_as(self) -> Any: ...
    def _read_all(self, X: Any) -> Any: ...
    def _fold_bytes(self, rows: Any, n_groups: int, n_classes: int) -> int: ...
    def _count_groups(self, rows: Any, codes: Any, n_classes: int, **groups: Any) -> Counts: ...
    def _fold_scores(
        self, rows: Any, cells: Counts, fold: NDArray[np.int32], n_folds: int, n_jobs: Any
    ) -> Array: ...


@dataclass(frozen=True)
class Labels:
    """Class of each row, the classes, and weights (None: all one)."""

    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weight: Array | None


def read_rows(models: list[Counting], X: Any) -> dict[Any, Any]:
    """Rows as each kind of model reads them, checked once, by what is counted."""
    rows: dict[Any, Any] = {}
    for model in models:
        if model._counted_as() not in rows:
            rows[model._counted_as()] = model._read_all(X)
    return rows


def counted_bytes(model: Counting, rows: Any, n_classes: int, partitions: list[Partition]) -> int:
    """Memory that the folds of the largest partition take."""
    return model._fold_bytes(rows, 1 + max(partition.n_folds for partition in partitions), n_classes)


def counted_scores(
    models: list[Counting],
    rows: dict[Any, Any],
    labels: Labels,
    partitions: list[Partition],
    n_jobs: int | None = None,
) -> list[list[Tested]]:
    """Out-of-fold scores of every model (outer list) and partition; equal to refitting each fold."""
    found: list[list[Tested]] = [[] for _ in models]
    for partition in partitions:
        weight = training_weights(labels, partition)
        cells: dict[Any, Counts] = {}
        for model, results in zip(models, found, strict=True):
            key = model._counted_as()
            if key not in cells:
                cells[key] = counted_cells(model, rows[key], labels, partition)
            scores = model._fold_scores(rows[key], cells[key], partition.fold, partition.n_folds, n_jobs)
            results.append(tested_scores(model, scores, weight, labels, partition, n_jobs))
    return found


def counted_cells(model: Counting, rows: Any, labels: Labels, partition: Partition) -> Counts:
    """Counts of every (fold, class); rows that are always trained on form a last group."""
    group, groups = _groups(partition)
    return model._count_groups(
        rows, labels.codes, len(labels.classes), group=group, n_groups=groups, weight=labels.weight
    )


def _groups(partition: Partition) -> tuple[NDArray[np.int32], int]:
    """The group of each row, below 0 for those that are trained on nowhere, and how many there are."""
    group, always = partition.trained, partition.trained == ALWAYS_TRAIN
    if always.any():
        group = np.where(always, np.int32(partition.n_folds), group)
    return group, partition.n_folds + int(always.any())


def training_weights(labels: Labels, partition: Partition) -> NDArray[Any]:
    """Weight of each class in the training part of every fold, (F, K); a part with a single class is refused."""
    group, groups = _groups(partition)
    size, used = len(labels.classes), group >= 0
    cell = group[used].astype(np.int64) * size + labels.codes[used]
    weight = None if labels.weight is None else labels.weight[used]
    found = _less_own(np.bincount(cell, weight, groups * size).reshape(groups, size), partition.n_folds)
    check_classes(found, labels.classes)
    return found


def tested_scores(
    model: Any,
    scores: Array,
    weight: NDArray[Any],
    labels: Labels,
    partition: Partition,
    n_jobs: int | None,
) -> Tested:
    """Posteriors and labels from the joint log likelihoods of all rows; weight (F, K) of the training parts."""
    tested = None if (partition.fold >= 0).all() else np.flatnonzero(partition.fold >= 0)
    fold = partition.fold if tested is None else np.ascontiguousarray(partition.fold[tested])
    scores = scores if tested is None else np.ascontiguousarray(scores[tested])
    predicted, unusable = posterior_or_margin(scores, True, n_jobs)
    if unusable:
        raise ValueError(f"The scores of {unusable} rows overflow; their counts are too large.")
    priors = class_priors(model.priors, weight)
    return Tested(tested, fold, scores, predicted, priors, absences(weight, labels.classes))


def _less_own(weight: NDArray[Any], n_folds: int) -> NDArray[Any]:
    """Weight of each class in every training part, (F, K): what comes before the fold with what comes after it."""
    before, after = np.zeros_like(weight), np.zeros_like(weight)
    np.cumsum(weight[:-1], axis=0, out=before[1:])
    np.cumsum(weight[:0:-1], axis=0, out=after[-2::-1])
    return np.asarray((before + after)[:n_folds])
