"""What groups of rows are like, where they lie, and how far they agree with classes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.models.projection.pca import PCA
from assay.workbench.numeric_design import GroupedRows

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Trait:
    """What a group is like in one column: its mean, that of all rows, and the difference in deviations."""

    column: str
    kind: str
    mean: float
    overall: float
    away: float


@dataclass(frozen=True)
class Portrait:
    """One group: its rows, and all columns, those it stands out by first."""

    rows: int
    share: float
    traits: tuple[Trait, ...]


def portraits(rows: GroupedRows, labels: NDArray[np.int32]) -> tuple[Portrait, ...]:
    """What each group is like, in the units of the table."""
    known = ~np.isnan(rows.design)
    values = np.where(known, rows.design, 0.0)
    total = values.sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    spread = np.sqrt(
        (np.where(known, rows.design - total, 0.0) ** 2).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    )
    found = []
    for group in range(int(labels.max()) + 1):
        mine = labels == group
        there = known[mine].sum(axis=0)
        mean = np.where(there > 0, values[mine].sum(axis=0) / np.maximum(there, 1), total)
        away = (mean - total) / np.where(spread > 0, spread, 1.0)
        traits = [
            Trait(rows.names[j], rows.kinds[j], float(mean[j]), float(total[j]), float(away[j]))
            for j in np.argsort(-np.abs(away), kind="stable")
        ]
        found.append(Portrait(int(mine.sum()), float(mine.mean()), tuple(traits)))
    return tuple(found)


def seen_from(points: Array) -> tuple[Array, tuple[float, ...]]:
    """Rows along the two directions of largest variance (one, if there is no second), and what these hold of it."""
    found = PCA(min(2, points.shape[1])).fit(points)
    kept = max(1, int((found.explained_variance_ratio_ > 1e-12).sum()))
    return found.transform(points)[:, :kept], tuple(found.explained_variance_ratio_[:kept].tolist())


def adjusted_rand(table: NDArray[np.int64]) -> float:
    """Agreement of two partitions from the rows that their parts share, less what chance alone would give.

    >>> adjusted_rand(np.array([[5, 0], [0, 5]])), adjusted_rand(np.array([[2, 2], [2, 2]])) < 0.0
    (1.0, True)
    """

    def pairs(counts: NDArray[np.int64]) -> float:
        exact = counts.astype(np.float64)
        return float((exact * (exact - 1.0)).sum() / 2.0)

    whole = pairs(np.array([table.sum()]))
    both, rows, columns = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    chance = rows * columns / whole if whole else 0.0
    most = (rows + columns) / 2.0
    return 1.0 if most == chance else (both - chance) / (most - chance)
