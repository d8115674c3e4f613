"""Leave-one-out of neighbours behind a scaler: one search among all rows, then each row's own scale.

Without row i a column of deviation 1 has deviation 1/√w, where w follows from the row's own value and is nearly 1. A
squared distance under the scale of the other rows is therefore between min(w) and max(w) times that under the scale of
all. A list a little longer than asked for, measured again under the row's own scale, holds the nearest rows if its last
one, times min(w), is farther than the k-th of them. Rows for which it is not are searched with longer lists, and then
by themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.base import clone, parts_of
from assay.models.features.scale import Standardize
from assay.models.validation import check_rows
from assay.numerics.neighbors import Near

Array = NDArray[np.float64]
LEAST_ROWS = 500  # fewer are quickly fitted one by one
LONGER = (16, 256)  # neighbours beyond those asked for, at first and at last
LOST = 1e-6  # share of a column's sum of squares below which too few digits are left without a row
BLOCK = 2**24  # numbers measured at a time
ROUNDING = 1e-9


def can_scale(model: Any, n_rows: int, weight: Array | None) -> bool:
    """Whether the model is Euclidean neighbours behind a scaler by deviations, of enough rows without weights."""
    parts = [part for _, part in parts_of(model)]
    scaled = len(parts) == 2 and isinstance(parts[0], Standardize) and not parts[0].needs_extremes
    return scaled and parts[1].metric == "euclidean" and weight is None and n_rows >= LEAST_ROWS


def scaled_lists(
    model: Any, X: Any, y: NDArray[Any], k: int, n_jobs: int | None
) -> tuple[Any, Near, NDArray[np.intp]]:
    """The fitted neighbours, the k nearest of every row under its own scale, and the rows that remain in doubt."""
    (_, scaler), (_, last) = parts_of(clone(model))
    rows = np.asarray(check_rows(scaler, X, reset=True), dtype=np.float64)
    Z = scaler.fit(rows).transform(rows)
    fitted = last.fit(Z, y)
    factor, known = own_scales(Z, scaler.variance)
    near = Near(np.zeros((len(Z), k), np.int32), np.ones((len(Z), k)))
    left = np.flatnonzero(known)
    for more in LONGER:
        length = min(k + more, len(Z) - 1)
        found = fitted._nearest(Z[left], length, left.astype(np.int64), thread_count(n_jobs))
        own, sure = _remeasured(found, Z, left, factor, k, length == len(Z) - 1)
        near.rows[left], near.distances[left] = own.rows, own.distances
        left = left[~sure]
        if not len(left):
            break
    return fitted, near, np.union1d(left, np.flatnonzero(~known))


def own_scales(Z: Array, variance: str) -> tuple[Array, NDArray[np.bool_]]:
    """What each row's columns are multiplied by under the scale of the other rows, (N, D), and whether it is known."""
    n = len(Z)
    centred = Z - Z.mean(axis=0)
    squares = (centred * centred).sum(axis=0)
    varies = squares > 0
    rest = squares - centred * centred * (n / (n - 1))
    known = (rest > LOST * squares)[:, varies].all(axis=1)
    divisor = (n - 2, n - 1) if variance == "unbiased" else (n - 1, n)
    ratio = (squares / divisor[1]) / np.where(rest > 0, rest / divisor[0], 1.0)
    return np.where(varies & (rest > 0), np.sqrt(ratio), 1.0), known


def _remeasured(
    found: Near, Z: Array, rows: NDArray[np.intp], factor: Array, k: int, whole: bool
) -> tuple[Near, NDArray[np.bool_]]:
    """The nearest k of each list under the row's own scale, and whether no other row can be nearer."""
    length, width = found.rows.shape[1], Z.shape[1]
    own = Near(np.empty((len(rows), k), np.int32), np.empty((len(rows), k)))
    size = max(1, BLOCK // (length * width))
    for start in range(0, len(rows), size):
        some = slice(start, start + size)
        i, candidates = rows[some], found.rows[some]
        differences = (Z[candidates] - Z[i][:, None]) * factor[i][:, None]
        distances = np.sqrt((differences * differences).sum(axis=2))
        order = np.lexsort((candidates, distances))[:, :k]
        own.rows[some] = np.take_along_axis(candidates, order, 1)
        own.distances[some] = np.take_along_axis(distances, order, 1)
    least = factor[rows].min(axis=1) * found.distances[:, -1]
    return own, np.asarray(whole | (own.distances[:, -1] * (1.0 + ROUNDING) < least))
