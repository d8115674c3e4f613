"""Covariances factorised with a stated rule for those that are singular."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import rq
from scipy.linalg.lapack import dpotrf, dtrtri

from assay.types import Array


@dataclass(frozen=True)
class Whitening:
    """A factorised covariance: covariance⁻¹ = whitener whitenerᵀ over the features that vary."""

    whitener: Array  # (D, D) upper triangular, zero in rows and columns of features left out
    log_determinant: float  # of the (repaired) covariance over the features that vary
    floored: int  # directions whose variance was raised to the floor


def whiten(covariance: Array, scale: Array, floor: float) -> Whitening:
    """Upper triangular W with W Wᵀ = covariance⁻¹.

    The covariance is measured in units of `scale` (a deviation per feature; 0 leaves the feature out). Where it
    is not positive there to within `floor`, its eigenvalues are raised to `floor`. A covariance so much wider than
    `scale` that this overflows (a sphere was mixed into it) is measured in units of its own deviations.

    >>> import numpy as np
    >>> w = whiten(np.diag([4.0, 0.25]), np.array([2.0, 0.5]), 1e-9)
    >>> np.diag(w.whitener).tolist(), w.floored
    ([0.5, 2.0], 0)
    """
    active = np.flatnonzero(scale > 0)
    width = len(scale)
    if len(active) == 0:
        return Whitening(np.zeros((width, width)), 0.0, 0)
    unit = scale[active]
    matrix = covariance if len(active) == width else covariance[np.ix_(active, active)]
    with np.errstate(over="ignore"):
        natural = matrix / unit[:, None] / unit[None, :]
    if not np.isfinite(natural).all():
        unit = np.sqrt(np.diag(matrix))
        natural = matrix / unit[:, None] / unit[None, :]
    whitener, pivots, floored = _whiten_natural(natural, floor)
    whitener = whitener / unit[:, None]
    if len(active) < width:
        inner, whitener = whitener, np.zeros((width, width))
        whitener[np.ix_(active, active)] = inner
    log_determinant = 2.0 * float(np.log(pivots).sum() + np.log(unit).sum())
    return Whitening(np.ascontiguousarray(whitener), log_determinant, floored)


def whiten_all(covariances: Array, scale: Array, floor: float) -> tuple[Array, Array, NDArray[np.intp]]:
    """`whiten` of every matrix of a stack (M, D, D) in its own units (M, D), with the same bits.

    Whiteners (M, D, D), logarithms of the determinants (M,) and the numbers of floored directions (M,).

    >>> import numpy as np
    >>> whiteners, log_determinants, _ = whiten_all(np.diag([4.0, 0.25])[None], np.array([[2.0, 0.5]]), 1e-9)
    >>> np.diag(whiteners[0]).tolist(), log_determinants.tolist()
    ([0.5, 2.0], [0.0])
    """
    whitener, floored = np.zeros(covariances.shape), np.zeros(len(scale), dtype=np.intp)
    with np.errstate(all="ignore"):
        natural = covariances / scale[:, :, None] / scale[:, None, :]
    plain = np.asarray((scale > 0).all(axis=-1) & np.isfinite(natural).all(axis=(-1, -2)))
    unit, pivots = np.where(plain[:, None], scale, 1.0), np.ones(scale.shape)
    for i in np.flatnonzero(plain):
        whitener[i], pivots[i], floored[i] = _whiten_natural(natural[i], floor)
    whitener /= unit[:, :, None]
    log_determinant = 2.0 * (np.log(pivots).sum(axis=-1) + np.log(unit).sum(axis=-1))
    for i in np.flatnonzero(~plain):
        one = whiten(covariances[i], scale[i], floor)
        whitener[i], log_determinant[i], floored[i] = one.whitener, one.log_determinant, one.floored
    return whitener, log_determinant, floored


def _whiten_natural(matrix: Array, floor: float) -> tuple[Array, Array, int]:
    """Whitener of a matrix in natural units, repaired where it is not positive enough.

    Also deviations whose product is the root of the determinant, and how many directions were raised to the floor.
    """
    lower, info = dpotrf(matrix, lower=1, clean=1)
    if info == 0 and lower.diagonal().min() ** 2 > floor:
        return dtrtri(lower, lower=1)[0].T, lower.diagonal(), 0
    values, vectors = np.linalg.eigh(matrix)
    floored = int((values < floor).sum())
    deviations = np.sqrt(np.maximum(values, max(floor, np.finfo(np.float64).tiny)))
    # The inverse root is made triangular, not the root: directions at the floor are the largest in it and keep all
    # their digits. Distances along them are of the order of 1 / floor, and of two classes they may cancel.
    inverse_root = vectors / deviations
    triangle = np.asarray(rq(inverse_root, mode="r"))
    return triangle * np.sign(np.diag(triangle)), deviations, floored
