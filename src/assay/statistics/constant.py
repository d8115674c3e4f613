"""Features that do not vary within a cell: their mean is a value of the table and their scatter 0, to the last bit.

A sum about a center leaves rounding instead: a mean that misses the value by a unit in the last place, and a variance
of 1e-17. Neither matters where the feature varies elsewhere in a training set. Where it does not, the feature would
pass for one that varies, and be scaled to deviation 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.statistics.filling import Filling
from assay.statistics.moments import Moments
from assay.types import Array

ROUNDING = 64.0 * float(np.finfo(np.float64).eps)  # of squares about a center
CHUNK = 1 << 16
Index = NDArray[np.intp]


def levelled(
    sums: Moments, X: NDArray[np.floating], filling: Filling | None, first: Callable[[Index], Index]
) -> Moments:
    """Moments (groups, K, ...) in which constant features are exactly so.

    first : the first row of each of some cells, numbered group * K + class
    """
    flat = _constant(sums)
    cells = np.flatnonzero(flat.any(axis=-1))
    if len(cells) == 0:
        return sums
    rows = X[first(cells)]
    values = np.zeros(sums.center.shape)
    values.reshape(-1, sums.n_features)[cells] = rows if filling is None else filling.read(rows)
    flat &= np.isfinite(values)
    return replace(
        sums,
        center=np.where(flat, values, sums.center),
        offset=np.where(flat, 0.0, sums.offset),
        scatter=_without(sums, flat),
    )


def _constant(sums: Moments) -> NDArray[np.bool_]:
    """Features (groups, K, D) whose scatter is no more than rounding about a center that is not their mean."""
    n, offset = sums.feature_weight(), sums.offset
    with np.errstate(invalid="ignore", over="ignore"):
        rounding = ROUNDING * n * offset**2
        if sums.form == "pooled":
            nothing = sums.within_diagonal()[..., None, :] <= rounding.sum(axis=-2, keepdims=True)
        else:
            nothing = sums.class_diagonal() <= rounding
    return np.asarray((n > 0) & (offset != 0.0) & nothing)


def _without(sums: Moments, flat: NDArray[np.bool_]) -> Array:
    """Scatter with zeros for these features."""
    if sums.form == "diagonal":
        return np.where(flat, 0.0, sums.scatter)
    gone = np.asarray(flat.any(axis=-2)) if sums.form == "pooled" else flat
    return np.where(gone[..., :, None] | gone[..., None, :], 0.0, sums.scatter)


def first_rows(cell: NDArray[np.integer], weight: Array | None, wanted: Index) -> Index:
    """The first row of each of these cells that has a weight."""
    rows = np.full(len(wanted), -1, dtype=np.intp)
    for start in range(0, len(cell), CHUNK):
        chunk = slice(start, start + CHUNK)
        chunk_cells = cell[chunk] if weight is None else np.where(weight[chunk] > 0, cell[chunk], -1)
        present, first = np.unique(chunk_cells, return_index=True)
        place = np.minimum(np.searchsorted(present, wanted), len(present) - 1)
        hit = (rows < 0) & (present[place] == wanted)
        rows[hit] = start + first[place[hit]]
        if (rows >= 0).all():
            break
    return rows
