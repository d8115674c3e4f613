"""Every fold of every model of counts from one count pass: the training counts of a fold are those of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.models.base import clone
from assay.models.normal import class_priors
from assay.models.sharing.folds import check_classes
from assay.models.sharing.tested import Tested, posterior_or_margin
from assay.plans import ALWAYS_TRAIN, Partition
from assay.statistics import Counts

Array = NDArray[np.float64]


class Counting(Protocol):
    """What a model offers whose folds share a count pass; see `models/naive_bayes/counted.py`."""

    priors: Any

    def _counted_as(self) -> Any: ...
    def _read_all(self, X: Any) -> Any: ...
    def _count_groups(self, rows: Any, codes: Any, n_classes: int, **groups: Any) -> Counts: ...
    def _fold_scores(
        self, rows: Any, cells: Counts, fold: NDArray[np.int32], n_folds: int, n_jobs: Any
    ) -> Array: ...


def shares_counts(model: Any) -> bool:
    """Whether folds of the model can be had from counts."""
    return hasattr(model, "_counted_as") and hasattr(model, "_fold_scores")


@dataclass(frozen=True)
class Labels:
    """Class of each row, the classes, and weights (None: all one)."""

    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weight: Array | None


def counted_scores(
    models: list[Any], X: Any, labels: Labels, partitions: list[Partition], n_jobs: int | None = None
) -> list[list[Tested]]:
    """Out-of-fold scores of every model (outer list) and partition; equal to refitting each fold."""
    own: list[Counting] = [clone(model) for model in models]
    rows: dict[Any, Any] = {}
    for model in own:
        if model._counted_as() not in rows:
            rows[model._counted_as()] = model._read_all(X)
    found: list[list[Tested]] = [[] for _ in own]
    for partition in partitions:
        cells: dict[Any, Counts] = {}
        for model, results in zip(own, found, strict=True):
            key = model._counted_as()
            if key not in cells:
                cells[key] = _cells(model, rows[key], labels, partition)
            results.append(_tested(model, rows[key], cells[key], labels, partition, n_jobs))
    return found


def _cells(model: Counting, rows: Any, labels: Labels, partition: Partition) -> Counts:
    """Counts of every (fold, class); rows that are always trained on form a last group."""
    group = partition.fold
    if (group < 0).any():
        group = np.where(group == ALWAYS_TRAIN, np.int32(partition.n_folds), group)
    groups = partition.n_folds + int((partition.fold == ALWAYS_TRAIN).any())
    return model._count_groups(
        rows, labels.codes, len(labels.classes), group=group, n_groups=groups, weight=labels.weight
    )


def _tested(
    model: Counting, rows: Any, cells: Counts, labels: Labels, partition: Partition, n_jobs: int | None
) -> Tested:
    weight = _less_own(cells.weight, partition.n_folds)
    check_classes(weight, labels.classes)
    scores = model._fold_scores(rows, cells, partition.fold, partition.n_folds, n_jobs)
    tested = None if (partition.fold >= 0).all() else np.flatnonzero(partition.fold >= 0)
    fold = partition.fold if tested is None else np.ascontiguousarray(partition.fold[tested])
    scores = scores if tested is None else np.ascontiguousarray(scores[tested])
    predicted, unusable = posterior_or_margin(scores, True, n_jobs)
    if unusable:
        raise ValueError(f"The scores of {unusable} rows overflow; their counts are too large.")
    priors = class_priors(model.priors, weight)
    return Tested(tested, fold, scores, predicted, priors, _absences(weight, labels.classes))


def _less_own(weight: NDArray[Any], n_folds: int) -> NDArray[Any]:
    """Weight of each class in every training part, added up without the fold itself, (F, K)."""
    return np.stack([np.delete(weight, fold, axis=0).sum(axis=0) for fold in range(n_folds)])


def _absences(weight: NDArray[Any], classes: NDArray[Any]) -> tuple[str, ...]:
    """Classes too rare for every training part."""
    missing = (weight == 0).sum(axis=0)
    return tuple(
        f"Class {classes[k]} was absent from the training part in {missing[k]} of {len(weight)} splits."
        for k in np.flatnonzero(missing)
    )
