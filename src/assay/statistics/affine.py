"""Affine maps of the features, applied to moments instead of rows.

What stands before a model (scaling, imputing, choosing columns, projecting) is, once its own statistics are
known, x ↦ (x - center) A + shift. Each fold has its own map; the table is never touched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.statistics.moments import Moments
from assay.types import Array

ROUNDING = (
    3e-8  # a deviation that is this part of its terms: its square is some four units in their last place
)
LEVEL = 8.0 * np.finfo(np.float64).eps  # values that differ by this part of their terms are one value


@dataclass(frozen=True)
class AffineMap:
    """x ↦ (x - center) A + shift, one map per group along leading axes.

    A is either dense (`matrix`) or picks and scales columns (`columns`, `scale`): output j is column
    `columns[j]` times `scale[j]`. Only the second kind keeps features apart, so only it maps diagonal moments.
    """

    center: Array  # (..., D)
    shift: Array  # (..., E)
    columns: NDArray[np.intp] | None = None  # (E,)
    scale: Array | None = None  # (..., E)
    matrix: Array | None = None  # (..., D, E)

    def dense(self) -> Array:
        """A as a matrix, (..., D, E)."""
        if self.matrix is not None:
            return self.matrix
        assert self.columns is not None and self.scale is not None
        out = np.zeros((*self.scale.shape[:-1], self.center.shape[-1], len(self.columns)))
        out[..., self.columns, np.arange(len(self.columns))] = self.scale
        return out

    def times(self, right: Array) -> Array:
        """A times matrices (..., E, F), which may have further axes before the last two."""
        more = (..., *(None,) * (right.ndim - self.center.ndim - 1), slice(None))
        if self._keeps_columns():
            assert self.scale is not None
            return np.asarray(self.scale[more][..., None] * right)
        return np.asarray(self.dense()[(*more, slice(None))] @ right)

    def _keeps_columns(self) -> bool:
        """Whether every column is scaled where it stands."""
        return self.columns is not None and np.array_equal(self.columns, np.arange(self.center.shape[-1]))

    def rows(self, X: NDArray[np.floating]) -> Array:
        """Transformed rows; for a map without leading axes."""
        if self.matrix is not None:
            return np.asarray((X - self.center) @ self.matrix + self.shift)
        assert self.columns is not None and self.scale is not None
        return np.asarray((X[:, self.columns] - self.center[self.columns]) * self.scale + self.shift)

    def moments(self, m: Moments) -> Moments:
        """Moments of the transformed rows."""
        away = (m.center - self.center[..., None, :]) + m.offset
        if self.matrix is None:
            assert self.columns is not None and self.scale is not None
            picked = m if self._keeps_columns() else m.select(self.columns)
            scale = self.scale[..., None, :]
            factor = scale**2 if m.form == "diagonal" else self.scale[..., :, None] * self.scale[..., None, :]
            factor = factor[..., None, :, :] if m.form == "full" else factor
            mean = away[..., self.columns] * scale + self.shift[..., None, :]
            return replace(picked, center=np.zeros(mean.shape), offset=mean, scatter=picked.scatter * factor)
        if m.form == "diagonal":
            raise ValueError(Note("N025"))
        outer = self.matrix[..., None, :, :] if m.form == "full" else self.matrix
        with single_threaded():
            mean = away @ self.matrix + self.shift[..., None, :]
            terms = np.abs(away) @ np.abs(self.matrix) + np.abs(self.shift)[..., None, :]
            noise = m.weight[..., None] * (LEVEL * terms) ** 2
            noise = noise if m.form == "full" else noise.sum(axis=-2)
            scatter = _cleared(np.swapaxes(outer, -1, -2) @ m.scatter @ outer, m.scatter, outer, noise)
        mapped = replace(m, center=np.zeros(mean.shape), offset=mean, scatter=scatter)
        return replace(mapped, offset=_levelled(mapped, terms))

    def then(self, after: AffineMap) -> AffineMap:
        """This map followed by another, as one map."""
        if self.matrix is None and after.matrix is None:
            assert self.columns is not None and self.scale is not None
            assert after.columns is not None and after.scale is not None
            scale = self.scale[..., after.columns] * after.scale
            moved = (self.shift - after.center)[..., after.columns] * after.scale + after.shift
            return AffineMap(self.center, moved, columns=self.columns[after.columns], scale=scale)
        moved = self.shift - after.center
        if after.matrix is None:
            assert self.matrix is not None and after.columns is not None and after.scale is not None
            matrix = self.matrix[..., after.columns] * after.scale[..., None, :]
            return AffineMap(
                self.center, moved[..., after.columns] * after.scale + after.shift, matrix=matrix
            )
        with single_threaded():
            moved = (moved[..., None, :] @ after.matrix)[..., 0, :] + after.shift
            return AffineMap(self.center, moved, matrix=self.times(after.matrix))


def _cleared(mapped: Array, scatter: Array, matrix: Array, noise: Array) -> Array:
    """AᵀSA with zeros for the outputs in which nothing but rounding is left of terms that cancel.

    A column that is constant once its gaps are filled must be exactly so: no variance of 1e-17, and none below 0.
    `noise` is what rounding of the values themselves may have left.
    """
    deviation = np.sqrt(np.maximum(np.diagonal(scatter, axis1=-2, axis2=-1), 0.0))
    terms = (deviation[..., None, :] @ np.abs(matrix))[
        ..., 0, :
    ]  # the largest deviation that they could add up to
    gone = np.diagonal(mapped, axis1=-2, axis2=-1) <= np.maximum((ROUNDING * terms) ** 2, noise)
    return np.where(gone[..., :, None] | gone[..., None, :], 0.0, mapped) if gone.any() else mapped


def _levelled(m: Moments, terms: Array) -> Array:
    """Class means, (..., K, E), one for all classes in outputs that are constant but for rounding.

    Means whose terms cancel, as where gaps are filled with 0 in place of 30, differ by units in the last place of
    their terms, which is more than the means themselves tell. Where rows vary within a class that is nothing; where
    they do not it would be all the spread there is, and be scaled to 1.
    """
    present = m.weight[..., None] > 0
    highest = np.where(present, m.offset, -np.inf).max(axis=-2)
    lowest = np.where(present, m.offset, np.inf).min(axis=-2)
    spread = highest - lowest
    rounding = LEVEL * np.where(present, terms, 0.0).max(axis=-2)
    flat = (m.within_diagonal() == 0.0) & (spread > 0.0) & (spread <= rounding)
    if not flat.any():
        return m.offset
    share = m.weight / np.maximum(m.weight.sum(axis=-1, keepdims=True), np.finfo(np.float64).tiny)
    return np.where(flat[..., None, :], (share[..., None] * m.offset).sum(axis=-2, keepdims=True), m.offset)
