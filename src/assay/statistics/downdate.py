"""Taking rows out of moments: the only difference in the statistics, with the digits it costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.statistics.moment_arrays import Cells, Form, MomentArrays, diag, spread_of
from assay.types import Array


def take_out(m: Cells, other: Cells) -> tuple[Cells, Array]:
    """What is left of moments without the rows behind `other`, and the relative error of that, (..., D)."""
    rows = m.rows - other.rows
    n_b = other.feature_weight()
    n = np.where(rows[..., None] > 0, m.feature_weight() - n_b, 0.0)
    # Sums of weights differ by rounding: what is left of a sum below this is no weight.
    n = np.where(n > 1e-12 * m.feature_weight(), n, 0.0)
    left = n > 0
    delta = (other.center - m.center) + (other.offset - m.offset)
    delta = np.where(n_b > 0, delta, 0.0)
    back = np.divide(n_b, n, out=np.zeros(n.shape), where=left)
    move = delta * back
    spread = spread_of(m.form, n_b * (1.0 + back), delta)
    scatter = m.scatter - other.scatter - spread
    remaining = replace(
        m,
        weight=np.where(rows > 0, np.maximum(m.weight - other.weight, 0.0), 0.0),
        rows=rows,
        center=np.where(left, m.center, 0.0),
        offset=np.where(left, m.offset - move, 0.0),
        scatter=np.where(_varies(m.form, rows, left), _non_negative(m.form, scatter), 0.0),
        present=None if m.present is None else n,
    )
    return remaining, _digits_lost(m, remaining, np.abs(move))


def _varies(form: Form, rows: Array, left: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where rows are left that can differ from their mean, in the shape of the form's scatter."""
    if form == "pooled":
        return np.asarray(rows.sum(axis=-1) > (rows > 0).sum(axis=-1))[..., None, None]
    several = (rows > 1)[..., None]
    return several & left if form == "diagonal" else several[..., None]


def _non_negative(form: Form, scatter: Array) -> Array:
    """Rounding may leave a sum of squares a shade below zero: it is zero."""
    if form == "diagonal":
        return np.maximum(scatter, 0.0)
    low = diag(scatter) < 0.0
    return np.where(low[..., :, None] | low[..., None, :], 0.0, scatter) if low.any() else scatter


def _digits_lost(before: MomentArrays, after: MomentArrays, move: Array) -> Array:
    """Relative rounding error of each feature after rows were taken out and means moved, (..., D)."""
    eps, total = np.finfo(np.float64).eps, after.feature_weight().sum(axis=-2)
    left = after.feature_weight() > 0
    if before.form == "pooled":
        old, new, n = before.within_diagonal(), after.within_diagonal(), before.weight.sum(axis=-1)[..., None]
        size = np.abs(before.mean).max(axis=-2)
        varies = _varies("pooled", after.rows, left)[..., 0]
    else:
        old, new, n = before.class_diagonal(), after.class_diagonal(), before.feature_weight()
        size, varies = np.abs(before.mean), _varies("diagonal", after.rows, left)
    varies = varies & (old > n * (8.0 * eps * size) ** 2)  # a constant feature has noise to lose, no digits
    scatter = np.where(varies, _loss(old, new), 0.0)
    scatter = scatter if before.form == "pooled" else scatter.max(axis=-2)
    weight = np.where(after.rows > 0, _loss(before.weight, after.weight), 0.0).max(axis=-1)
    variance = np.divide(after.within_diagonal(), total, out=np.zeros(total.shape), where=total > 0)
    deviation = np.sqrt(variance)[..., None, :]
    mean = _loss(move, np.where(deviation > 0, deviation, np.abs(after.mean))).max(axis=-2)
    rounding = eps * np.sqrt(before.rows.sum(axis=-1))[..., None]  # errors of a sum's terms walk at random
    return np.asarray(rounding * np.maximum(np.maximum(scatter, mean), weight[..., None]))


def _loss(old: Array, new: Array) -> Array:
    """old / new; infinite where nothing is left of something."""
    shape = np.broadcast_shapes(old.shape, new.shape)
    nothing = np.where(np.broadcast_to(old, shape) > 0, np.inf, 0.0)
    return np.divide(old, new, out=nothing, where=np.broadcast_to(new > 0, shape))
