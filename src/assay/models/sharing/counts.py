"""Labels of rows, and the counts of training parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.plans import ALWAYS_TRAIN, Partition
from assay.statistics.solve_diagnostics import check_classes

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Labels:
    """Class of each row, the classes, and weights (None: all one)."""

    codes: NDArray[np.int32]
    classes: NDArray[Any]
    weight: Array | None


def training_counts(reader: Any, rows: Any, keys: Any, labels: Labels, partition: Partition) -> Any:
    """Counts of the training part of every fold, (F, ...), as a reader counts rows that it has read."""
    group, groups = _groups(partition)
    cells = reader.count(
        rows, keys, labels.codes, len(labels.classes), group=group, n_groups=groups, weight=labels.weight
    )
    others = np.arange(groups) != np.arange(partition.n_folds)[:, None]
    return cells.combined(others).in_rows()


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


def _less_own(weight: NDArray[Any], n_folds: int) -> NDArray[Any]:
    """Weight of each class in every training part, (F, K): what comes before the fold with what comes after it."""
    before, after = np.zeros_like(weight), np.zeros_like(weight)
    np.cumsum(weight[:-1], axis=0, out=before[1:])
    np.cumsum(weight[:0:-1], axis=0, out=after[-2::-1])
    return np.asarray((before + after)[:n_folds])
