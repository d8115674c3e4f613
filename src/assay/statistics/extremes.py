"""Least and largest values of each feature, of cells or of training sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.statistics.affine import AffineMap
from assay.types import Array, Integers, Numbers, Which


@dataclass(frozen=True)
class Extremes:
    """Least and largest value of each feature in each group, (G, D); NaN where a group has no value."""

    low: Array
    high: Array

    def __getitem__(self, index: Which) -> Extremes:
        """Some of the groups."""
        return Extremes(self.low[index], self.high[index])

    def mapped(self, step: AffineMap) -> Extremes:
        """The extremes after a map that keeps features apart."""
        assert step.columns is not None and step.scale is not None
        ends = [
            (end - step.center)[..., step.columns] * step.scale + step.shift for end in (self.low, self.high)
        ]
        return Extremes(np.minimum(*ends), np.maximum(*ends))

    def merge(self, other: Extremes) -> Extremes:
        """Of both sets of rows together."""
        return Extremes(np.fmin(self.low, other.low), np.fmax(self.high, other.high))

    def combined(self, copies: Numbers) -> Extremes:
        """Of M training sets that hold so many copies of each group, (M, G)."""
        held = [np.flatnonzero(groups) for groups in np.asarray(copies) > 0]
        nothing = np.full((1, self.low.shape[1]), np.nan)

        def ends(values: Array, end: np.ufunc) -> Array:
            with_nothing = np.concatenate([values, nothing])
            return np.stack([end.reduce(with_nothing[np.append(groups, len(values))]) for groups in held])

        return Extremes(ends(self.low, np.fmin), ends(self.high, np.fmax))


def collect_extremes(
    X: NDArray[np.floating], group: Integers, n_groups: int, weight: Array | None = None
) -> Extremes:
    """Extremes of every group (N,) of rows; rows of a negative group or of weight 0 do not count."""
    used = group >= 0 if weight is None else (group >= 0) & (weight > 0)
    if n_groups == 1 and len(X) and used.all():
        return Extremes(*(end.reduce(X, axis=0)[None].astype(np.float64) for end in (np.fmin, np.fmax)))
    rows = np.flatnonzero(used)
    rows = rows[np.argsort(group[rows], kind="stable")]
    present, first = np.unique(group[rows], return_index=True)

    def ends(end: np.ufunc) -> Array:
        out = np.full((n_groups, X.shape[1]), np.nan)
        if len(rows):
            out[present] = end.reduceat(X[rows], first, axis=0)
        return out

    return Extremes(ends(np.fmin), ends(np.fmax))
