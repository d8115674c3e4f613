"""The pass over the data: rows in, :class:`Moments` of every (group, class) cell out."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.statistics.constant import first_rows, levelled
from assay.statistics.filling import Filling as Filling
from assay.statistics.moment_arrays import Form, gram
from assay.statistics.moments import Moments, stack
from assay.statistics.weights import is_importance
from assay.types import Array

Reading: TypeAlias = tuple[Form, int, bool, Filling | None, int]  # form, n_classes, missing, filling, threads
PILOT_ROWS = 64
# A center this many deviations away from a cell's mean costs more than six of sixteen digits: look again.
FAR = 1e3
# A mean about a center that far is itself known to some digits only; each look wins some sixteen more of them, and
# squares of anything beyond 1e154 overflow.
RECENTRINGS = 10


def collect(
    X: NDArray[np.floating],
    codes: NDArray[np.int32],
    n_classes: int,
    *,
    form: Form = "full",
    group: NDArray[np.int32] | None = None,
    n_groups: int = 1,
    weight: Array | None = None,
    missing: bool = False,
    filling: Filling | None = None,
    threads: int = 1,
) -> Moments:
    """Moments of every (group, class) cell of X in one pass.

    Parameters
    ----------
    X : float64 or float32 array (N, D)
        In any memory order; it is not copied.
    codes : int32 (N,)
        Class of each row, 0 to K-1.
    form : {"diagonal", "pooled", "full"}
        What scatter to keep.
    group : int32 (N,), optional
        Group (fold) of each row; rows with a negative one are left out. The result then has a leading axis.
    weight : float64 (N,), optional
    missing : bool
        Skip NaN, feature by feature (diagonal form only); otherwise the result shows them as NaN.
    filling : Filling, optional
        Read NaN as these values and add flags as further features (full and pooled forms).

    Examples
    --------
    >>> import numpy as np
    >>> m = collect(np.array([[1.0], [3.0], [5.0]]), np.array([0, 0, 1], dtype=np.int32), 2)
    >>> m.mean.ravel().tolist(), m.scatter.ravel().tolist()
    ([2.0, 5.0], [2.0, 0.0])
    """
    cell = codes if group is None else np.where(group < 0, -1, group * np.int32(n_classes) + codes)
    cell = np.ascontiguousarray(cell, dtype=np.int32)
    center = np.tile(_pilots(X, codes, n_classes, filling), (n_groups, 1))
    rest = (form, n_classes, missing, filling, threads)
    sums = _settled(X, cell, weight, _pass(X, cell, weight, center, *rest), *rest)
    sums = levelled(sums, X, filling, lambda wanted: first_rows(cell, weight, wanted))
    sums = replace(sums, importance=is_importance(weight))
    return sums if group is not None else sums[0]


def _settled(
    X: NDArray[np.floating], cell: NDArray[np.int32], weight: Array | None, sums: Moments, *rest: *Reading
) -> Moments:
    """Sums taken again about the mean, in the cells whose center proves far from it."""
    for _ in range(RECENTRINGS):
        with np.errstate(invalid="ignore", over="ignore"):
            far = _far_cells(sums)
        if not far.any():
            break
        if sums.form == "pooled":  # the classes of a group share one scatter
            far = np.broadcast_to(far.any(axis=-1, keepdims=True), far.shape)
        rows = np.flatnonzero((cell >= 0) & far.ravel()[cell])
        center = np.where(far[..., None], sums.mean, sums.center).reshape(-1, sums.n_features)
        again = _pass(X[rows], cell[rows], None if weight is None else weight[rows], center, *rest)
        sums = _exchanged(sums, again, far)
    return sums


def _exchanged(old: Moments, new: Moments, cells: NDArray[np.bool_]) -> Moments:
    """The old moments with these cells (G, K) from the new ones."""
    wide = cells[..., None]
    matrix = {"diagonal": wide, "pooled": wide[..., :1, :], "full": wide[..., None]}[old.form]
    return replace(
        old,
        center=np.where(wide, new.center, old.center),
        offset=np.where(wide, new.offset, old.offset),
        scatter=np.where(matrix, new.scatter, old.scatter),
    )


def _pilots(
    X: NDArray[np.floating], codes: NDArray[np.int32], n_classes: int, filling: Filling | None
) -> Array:
    """Per class, the mean of the finite values among its first rows: close enough to centre on, (K, D)."""
    prefix = min(len(codes), 4 * PILOT_ROWS * n_classes)
    while prefix < len(codes) and len(np.unique(codes[:prefix])) < n_classes:
        prefix = min(len(codes), 4 * prefix)
    order = np.argsort(codes[:prefix], kind="stable")
    starts = np.searchsorted(codes[:prefix][order], np.arange(n_classes + 1))
    width = X.shape[1] + (0 if filling is None else len(filling.indicators))
    pilots = np.zeros((n_classes, width))
    for k in range(n_classes):
        rows = X[order[starts[k] : min(starts[k] + PILOT_ROWS, starts[k + 1])]]
        values = rows.astype(np.float64) if filling is None else filling.read(rows)
        finite = np.isfinite(values)
        count = np.maximum(finite.sum(axis=0), 1)
        pilots[k] = (np.where(finite, values, 0.0) / count).sum(
            axis=0
        )  # divided first: 1e308 must not overflow
    return pilots


def _pass(
    X: NDArray[np.floating],
    cell: NDArray[np.int32],
    weight: Array | None,
    center: Array,
    form: Form,
    n_classes: int,
    missing: bool,
    filling: Filling | None,
    threads: int,
) -> Moments:
    """One run of the kernel about the given centers."""
    cells, width = center.shape
    total, sums = np.zeros(cells), np.zeros((cells, width))
    present = np.zeros((cells, width)) if missing else None
    if form == "diagonal":
        square = np.zeros((cells, width))
        _core.moments.diagonal_moments(X, cell, weight, center, threads, total, sums, square, present)
    else:
        pool = n_classes if form == "pooled" else 1
        square = np.zeros((cells // pool, width, width))
        fill, flags = (None, None) if filling is None else (filling.values, filling.indicators)
        _core.moments.full_moments(X, cell, weight, center, pool, fill, flags, threads, total, sums, square)
    rows = total if weight is None else _count(cell, weight, cells)
    return _assemble(form, n_classes, total, rows, center, sums, square, present)


def collect_replicates(
    X: NDArray[np.floating],
    codes: NDArray[np.int32],
    n_classes: int,
    multiplicity: NDArray[np.uint16],
    *,
    form: Form = "full",
    weight: Array | None = None,
    threads: int = 1,
) -> Moments:
    """Moments of many weighted replicates of X at once; `multiplicity` is (B, N), the result has B groups.

    Rows are counted once, however often a replicate drew them.

    >>> import numpy as np
    >>> X, codes = np.array([[1.0], [3.0], [5.0]]), np.zeros(3, dtype=np.int32)
    >>> drawn = np.array([[1, 1, 1], [0, 2, 1]], dtype=np.uint16)
    >>> collect_replicates(X, codes, 1, drawn).mean.ravel().round(3).tolist()
    [3.0, 3.667]
    """
    center = _pilots(X, codes, n_classes, None)
    replicates, width = len(multiplicity), X.shape[1]
    total, rows = np.zeros((replicates, n_classes)), np.zeros((replicates, n_classes))
    sums = np.zeros((replicates, n_classes, width))
    pool = {"diagonal": 0, "pooled": n_classes, "full": 1}[form]
    inner = {"diagonal": (n_classes, width), "pooled": (1, width, width), "full": (n_classes, width, width)}[
        form
    ]
    square = np.zeros((replicates, *inner))
    _core.moments.replicate_moments(
        X, codes, weight, center, multiplicity, pool, threads, total, rows, sums, square
    )
    flat = (replicates * n_classes, width)
    tiled = np.broadcast_to(center, sums.shape).reshape(flat)
    square = square.reshape(-1, *inner[1:])
    moments = _assemble(form, n_classes, total.ravel(), rows.ravel(), tiled, sums.reshape(flat), square, None)
    moments = replace(moments, importance=is_importance(weight))
    moments = _recentred(X, codes, multiplicity, weight, moments, threads)

    def first(wanted: NDArray[np.intp]) -> NDArray[np.intp]:
        parts = np.divmod(wanted, n_classes)
        rows = [
            first_rows(np.where(multiplicity[b] > 0, codes, -1), weight, np.array([k]))
            for b, k in zip(*parts, strict=True)
        ]
        return np.concatenate(rows)

    return levelled(moments, X, None, first)


def _recentred(
    X: NDArray[np.floating],
    codes: NDArray[np.int32],
    multiplicity: NDArray[np.uint16],
    weight: Array | None,
    moments: Moments,
    threads: int,
) -> Moments:
    """Replicates whose center lies far from a mean (they did not draw an outlier), summed again about the mean."""
    with np.errstate(invalid="ignore", over="ignore"):
        far = np.flatnonzero(_far_cells(moments, alone=True).any(axis=-1))
    if len(far) == 0:
        return moments
    parts = [moments[b : b + 1] for b in range(len(multiplicity))]
    for b in far:
        drawn = multiplicity[b] * (1.0 if weight is None else weight)
        cell = np.where(drawn > 0, codes, -1).astype(np.int32)
        parts[b] = _settled(X, cell, drawn, parts[b], moments.form, moments.n_classes, False, None, threads)
    return stack([part[0] for part in parts])


def _assemble(
    form: Form,
    n_classes: int,
    total: Array,
    rows: Array,
    center: Array,
    sums: Array,
    square: Array,
    present: Array | None,
) -> Moments:
    """Moments from the kernel's sums about the centers; the first axis of every array runs over the cells."""
    groups = len(total) // n_classes
    with np.errstate(invalid="ignore", over="ignore"):
        n = total[:, None] if present is None else present
        offset = np.divide(sums, n, out=np.zeros(sums.shape), where=n > 0)
        scatter = _about_mean(square, n, offset, groups, n_classes, form)

    def shaped(values: Array) -> Array:
        return values.reshape(groups, n_classes, *values.shape[1:])

    return Moments(
        form=form,
        weight=shaped(total),
        rows=shaped(rows),
        center=shaped(center),
        offset=shaped(offset),
        scatter=scatter if form == "pooled" else shaped(scatter),
        present=None if present is None else shaped(present),
    )


def _count(cell: NDArray[np.int32], weight: Array, cells: int) -> Array:
    used = (cell >= 0) & (weight > 0)
    return np.bincount(cell[used], minlength=cells).astype(np.float64)


def _about_mean(square: Array, n: Array, offset: Array, groups: int, n_classes: int, form: Form) -> Array:
    """Scatter about the mean from sums of squares about the center."""
    if form == "diagonal":
        return np.maximum(square - n * offset**2, 0.0)
    move = np.sqrt(n) * offset
    if form == "pooled":
        move = move.reshape(groups, n_classes, -1)
        scatter = square - gram(move)
    else:
        scatter = square - move[:, :, None] * move[:, None, :]
    diagonal = np.einsum("...ii->...i", scatter)
    np.maximum(diagonal, 0.0, out=diagonal)
    return scatter


def _far_cells(sums: Moments, alone: bool = False) -> NDArray[np.bool_]:
    """Cells (groups, K) whose center lies so far from their mean that digits were lost.

    Groups are to be merged with each other, or each is to stand `alone`.
    """
    n, eps = sums.feature_weight(), np.finfo(np.float64).eps
    if sums.form == "pooled":
        squares, count = sums.within_diagonal()[:, None, :], sums.weight.sum(axis=-1)[:, None, None]
        several = sums.rows.sum(axis=-1)[:, None, None] > sums.n_classes
    else:
        squares, count, several = sums.class_diagonal(), n, sums.rows[..., None] > 1
    variance = _ratio(squares, count)
    distance = np.abs(sums.offset)
    # One row, or rows all alike, have no deviation to measure by, and every rare class and every flag would cost a
    # second look. Where other groups follow, theirs stands in, but for the largest: an outlier may be in it.
    known = several & (variance > 64 * eps * distance**2)
    others = np.zeros(1)
    if len(n) > 1 and not alone:
        others = _ratio(np.sort(squares, axis=0)[:-1].sum(axis=0), count.sum(axis=0))
    deviation = np.sqrt(np.where(known, variance, others))
    # Rounding in the center of a constant feature is not a distance.
    real = distance > 64 * eps * np.abs(sums.center)
    return np.asarray(((n > 0) & real & (distance > FAR * deviation)).any(axis=-1))


def _ratio(top: Array, bottom: Array) -> Array:
    """top / bottom, 0 where nothing is below."""
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    return np.divide(top, bottom, out=np.zeros(shape), where=np.broadcast_to(bottom > 0, shape))


def cells_bytes(form: Form, n_groups: int, n_classes: int, width: int) -> int:
    """Memory of the moments of so many groups."""
    scatter = {"diagonal": n_classes * width, "pooled": width**2, "full": n_classes * width**2}[form]
    return 8 * n_groups * (scatter + 2 * n_classes * (width + 1))
