r"""Nearness to some of the rows: φ_m(x) = exp(-|z - c_m|² / 2w²), z the columns in deviations from their means.

Centers are drawn from the different rows, each with a chance as large as its weight. Rows are numbered in sorted order
for the draw, so neither their order nor their being repeated instead of weighted changes it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.numerics.blas import single_threaded
from assay.types import Array


@dataclass(frozen=True)
class Radial:
    """Centers (M, D) in units of the table, mean and deviation (D,) of each column, and the width in deviations."""

    centers: Array
    mean: Array
    scale: Array
    width: float

    def values(self, X: Array) -> Array:
        """Nearness of each row to each center, (N, M)."""
        with np.errstate(over="ignore", invalid="ignore"):
            squares = _squared_distances(
                (X - self.mean) / self.scale, (self.centers - self.mean) / self.scale
            )
            far = np.where(np.isnan(squares), np.inf, squares)
            return np.asarray(np.exp(-far / (2.0 * self.width**2)))


def learn_radial(X: Array, weight: Array | None, n_centers: int, width: float | None, seed: int) -> Radial:
    """Centers, scales and width from the rows that count."""
    weights = np.ones(len(X)) if weight is None else weight
    mean = weights @ X / weights.sum()
    deviation = np.sqrt(weights @ (X - mean) ** 2 / weights.sum())
    # Rounding leaves a constant column with a deviation of a few last places.
    scale = np.where(deviation > 1e-14 * np.abs(mean), deviation, 1.0)
    centers = _draw(X, weights, n_centers, seed)
    if width is None:
        width = _typical_distance((centers - mean) / scale)
    return Radial(centers, mean, scale, float(width))


def _draw(X: Array, weights: Array, count: int, seed: int) -> Array:
    """Different rows without replacement, by weight: the smallest of exponential times of rates w."""
    counted = weights > 0
    rows, weights = X[counted], weights[counted]
    order = _sorted_rows(rows)
    rows, weights = rows[order], weights[order]
    first = np.flatnonzero(np.append(True, (rows[1:] != rows[:-1]).any(axis=1)))
    rows, total = rows[first], np.add.reduceat(weights, first)
    times = np.random.default_rng(seed).exponential(size=len(rows)) / total
    return np.asarray(rows[np.sort(np.argsort(times, kind="stable")[:count])])


def _sorted_rows(rows: Array) -> NDArray[np.intp]:
    """Order of the rows by their columns from left to right; the later ones are read only where the first ties."""
    order = np.argsort(rows[:, 0], kind="stable")
    same = rows[order[1:], 0] == rows[order[:-1], 0]
    tied = np.flatnonzero(np.append(False, same) | np.append(same, False))
    # Ties stand side by side and keep the places of their run.
    among = order[tied]
    order[tied] = among[np.lexsort(rows[among].T[::-1])]
    return order


def _typical_distance(z: Array) -> float:
    """Median distance between two centers; of a single one, that of a row from the mean."""
    squares = _squared_distances(z, z)[np.triu_indices(len(z), 1)]
    typical = float(np.sqrt(np.median(squares))) if len(squares) else 0.0
    return typical if typical > 0 else float(np.sqrt(z.shape[1]))


def _squared_distances(z: Array, c: Array) -> Array:
    with single_threaded():
        crossed = z @ c.T
    return np.asarray(np.maximum((z**2).sum(axis=1)[:, None] + (c**2).sum(axis=1) - 2.0 * crossed, 0.0))
