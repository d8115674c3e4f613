"""From moments to normal class densities: divisors, variances and scatters.

Everything works on moments with one leading axis of groups, so ten folds or two hundred replicates are solved by
the same lines as a single fit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from assay.statistics.moments import Moments
from assay.statistics.solve_diagnostics import SolveDiagnostics
from assay.types import Array

LOG_2PI = float(np.log(2.0 * np.pi))
ONE_ROW = 1.0 + 1e-9  # importance weights that add up to one row do so but for rounding
# Least variance of a maximum-likelihood fit, in units of the total one: a singular covariance has no finite likelihood.
LIKELIEST_FLOOR = 1e-9


def divisors(m: Moments, variance: str) -> tuple[Array, Array]:
    """Divisors of each class's own scatter (G, K, D) and of the pooled one (G, D)."""
    weight = m.feature_weight()
    shared = weight.sum(axis=-2)
    if variance == "unbiased":
        return weight - 1.0, shared - (weight > 0).sum(axis=-2)
    return weight, shared


def deviations(m: Moments) -> Array:
    """Total standard deviation of each feature, the unit of every floor; exactly 0 for constant features, (G, D)."""
    return m.deviations()


def degenerate_classes(m: Moments, variance: str) -> NDArray[np.bool_]:
    """Classes with rows that are all equal (a single row, say): no variance of their own, (..., K).

    The spread decides and not the number of rows, so that a row of weight three counts as three equal rows.
    """
    return alone_in(m, np.asarray(constant_in_class(m).all(axis=-1)), variance)


def constant_in_class(m: Moments) -> NDArray[np.bool_]:
    """Features that are constant within a class, but for rounding, (..., K, D)."""
    unit = 4.0 * np.finfo(np.float64).eps
    noise = unit**2 * m.feature_weight() * (m.mean**2 + m.total_variance()[..., None, :])
    return np.asarray(m.class_diagonal() <= noise)


def alone_in(m: Moments, constant: NDArray[np.bool_], variance: str) -> NDArray[np.bool_]:
    """Classes without a variance of their own, given those that are constant in every feature used, (..., K)."""
    return np.asarray(
        (m.weight > 0) & (constant | (m.weight <= (ONE_ROW if variance == "unbiased" else 0.0)))
    )


def unobserved(m: Moments) -> NDArray[np.bool_] | None:
    """Features of which a class that is there has no value, (G, K, D); None if there are none."""
    if m.present is None:
        return None
    empty = (m.present == 0) & (m.weight[..., None] > 0) & (m.present > 0).any(axis=-2, keepdims=True)
    return np.asarray(empty) if empty.any() else None


def with_means(m: Moments) -> Moments:
    """Moments in which the overall mean stands in for the mean of values that a class never showed."""
    empty = unobserved(m)
    if empty is None:
        return m
    center, offset, _ = m.overall()
    return replace(
        m,
        center=np.where(empty, center[..., None, :], m.center),
        offset=np.where(empty, offset[..., None, :], m.offset),
    )


@dataclass(frozen=True)
class Variances:
    """Variances per class and feature, after borrowing, blending and flooring, (G, K, D)."""

    values: Array
    scale: Array  # (G, D) total deviations, 0 for constant features
    trouble: SolveDiagnostics


def ratio(top: Array, bottom: Array) -> Array:
    """top / bottom, 0 where the bottom is not positive."""
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    return np.divide(top, bottom, out=np.zeros(shape), where=np.broadcast_to(bottom > 0, shape))


def variances(
    m: Moments,
    *,
    variance: str,
    blend: float,
    spherical: bool,
    shrinkage: float,
    floor: float,
    alone: NDArray[np.bool_] | None = None,
) -> Variances:
    """Diagonal covariances: `blend` parts of the class's, 1 - blend of the shared, then shrunk and floored.

    Classes that are `alone` (None: those that are) borrow the shared one.
    """
    own_divisor, shared_divisor = divisors(m, variance)
    scale = deviations(m)
    active = scale > 0
    of_class = ratio(m.class_diagonal(), own_divisor)
    shared = ratio(m.within_diagonal(), shared_divisor)[..., None, :]
    alone = degenerate_classes(m, variance) if alone is None else alone
    borrow = alone[..., None] | (own_divisor <= 0)
    values = np.where(borrow, shared, blend * of_class + (1.0 - blend) * shared)
    count = np.maximum(active.sum(axis=-1), 1)[..., None, None]
    average = np.where(active[..., None, :], values, 0.0).sum(axis=-1, keepdims=True) / count
    shrink = 1.0 if spherical else shrinkage
    values = (1.0 - shrink) * values + shrink * average
    unit = scale**2
    if spherical:
        unit = np.broadcast_to(unit.sum(axis=-1, keepdims=True) / count[..., 0], unit.shape)
    least = floor * unit[..., None, :]
    low = (values < least) & active[..., None, :]
    tiny = np.finfo(np.float64).tiny
    values = np.where(active[..., None, :], np.maximum(values, np.maximum(least, tiny)), 1.0)
    trouble = SolveDiagnostics(
        unseen=m.weight == 0,
        borrowed=alone & (blend > 0.0),
        floored=low.sum(axis=-1) if blend > 0.0 else low.sum(axis=-1)[..., :1],
        constant=~active,
        unobserved=None if (empty := unobserved(m)) is None else empty.sum(axis=-1),
    )
    return Variances(values, scale, trouble)


def draw(mean: Array, whitener: Array, noise: Array) -> Array:
    """Normal rows from standard normal `noise` (N, D): W Wᵀ = Σ⁻¹, so noise W⁻¹ has covariance Σ."""
    active = np.flatnonzero(np.diag(whitener) > 0)
    out = np.tile(mean, (len(noise), 1))
    if len(active):
        inner = whitener[np.ix_(active, active)]
        out[:, active] += solve_triangular(inner, noise[:, active].T, trans="T", lower=False).T
    return out


def between_root(m: Moments) -> Array:
    """R with S_b = RᵀR: class means less the overall mean, each times the root of its weight, (..., K, D)."""
    return np.asarray(np.sqrt(m.weight)[..., None] * m.overall()[2])


def total_scatter(m: Moments) -> Array:
    """Σ w (x - mean)(x - mean)ᵀ over all classes, (..., D, D); within plus between, no difference."""
    root = between_root(m)
    return np.asarray(m.pooled().scatter + np.swapaxes(root, -1, -2) @ root)
