"""Moments of training sets from those of cells, for all sets at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.numerics.blas import single_threaded
from assay.statistics.moment_arrays import Cells, Form, MomentArrays
from assay.types import Array

MANY = 64  # cells of which the sets that leave one out are merged from both ends instead
NUMBERS = 1 << 24  # in the deviations of the cells' means of sets that are combined together


def leave_one_out(seen: Array) -> bool:
    """Whether set i holds all cells but cell i, and the cells are so many that merging them is cheaper."""
    alone = seen.shape[1] > MANY and len(seen) <= seen.shape[1]
    return alone and np.array_equal(seen, 1.0 - np.eye(*seen.shape))


def combine_cells(cells: Cells, seen: Array) -> Cells:
    """Moments of the sets that hold so many copies of each cell, (M, C)."""
    if seen.shape[1] == 1 and (seen == 1.0).all():
        return cells[np.zeros(len(seen), dtype=np.intp)]
    size = max(1, NUMBERS // max(1, cells.center.size))
    parts = [_combined(cells, seen[at : at + size]) for at in range(0, len(seen), size)]
    return parts[0] if len(parts) == 1 else joined(parts)


def joined(parts: list[Cells]) -> Cells:
    """Groups of several moments one after the other."""
    arrays = [part.arrays() for part in parts]
    return parts[0].with_arrays({name: np.concatenate([part[name] for part in arrays]) for name in arrays[0]})


def _combined(cells: Cells, seen: Array) -> Cells:
    wide = cells.present is not None
    n = cells.feature_weight() if wide else cells.weight[..., None]  # (C, K, D) or (C, K, 1)
    count = seen[:, :, None, None] * n  # (M, C, K, D or 1)
    total = count.sum(axis=1)
    center = _at_heaviest(cells, seen)
    away = (cells.center - center[:, None]) + cells.offset  # means of the cells less the center, (M, C, K, D)
    if (n <= 0).any():
        away = np.where(n > 0, away, 0.0)
    share = np.divide(count, total[:, None], out=np.zeros(count.shape), where=total[:, None] > 0)
    offset = (share * away).sum(axis=1)
    present = total > 0
    with single_threaded():
        flat = cells.scatter.reshape(len(cells.scatter), -1)
        scatter = (seen @ flat).reshape(len(seen), *cells.scatter.shape[1:])
        scatter += _between(cells.form, count, away - offset[:, None])
    return replace(
        cells,
        weight=seen @ cells.weight,
        rows=seen @ cells.rows,
        center=np.where(present, center, 0.0),
        offset=np.where(present, offset, 0.0),
        scatter=scatter,
        present=total if wide else None,
    )


def _at_heaviest(cells: MomentArrays, seen: Array) -> Array:
    """For every set and class the center of the cell that weighs most in it, (M, K, D)."""
    heaviest = np.argmax(seen[:, :, None] * cells.weight, axis=1)  # (M, K)
    return np.asarray(cells.center[heaviest, np.arange(cells.n_classes)])


def _between(form: Form, count: Array, delta: Array) -> Array:
    """Σ_c count δ_c δ_cᵀ in the shape of the form's scatter; both are (M, C, K, D)."""
    if form == "diagonal":
        return np.asarray((count * delta**2).sum(axis=1))
    left = np.sqrt(count) * delta
    if form == "pooled":
        left = left.reshape(len(left), -1, left.shape[-1])
    else:
        left = np.swapaxes(left, 1, 2)
    return np.asarray(np.swapaxes(left, -1, -2) @ left)
