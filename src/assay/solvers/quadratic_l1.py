r"""The minimum of a quadratic with absolute values, where some coordinates are free of them.

    minimise over x    gᵀ(x - s) + ½ (x - s)ᵀ H (x - s) + Σ_j λ_j |x_j|

Free coordinates (the intercepts) are solved for and drop out. The others are visited one by one, in a compiled loop;
where that is slow, since columns are nearly dependent, a Newton step among the coordinates that are not 0 goes
straight to their minimum, or to where the first of them reaches 0.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrs

from assay import _core
from assay.solvers.logistic_objective import cholesky

Array = NDArray[np.float64]
SWEEPS = 100  # of coordinate descent before a Newton step
ROUNDS = 100
LEFT = 1e-12  # share of a coordinate's curvature that is at least left when the intercepts are solved for


def with_intercepts(hessian: Array, gradient: Array, start: Array, l1: Array, tol: float) -> Array:
    """The minimum for weights (C, E+1) whose last column is free; entries without curvature stay.

    hessian : (C, E+1, C, E+1)
    l1 : (E,)
    """
    classes, width = start.shape
    inner = np.ascontiguousarray(hessian[:, :-1, :, :-1].reshape(classes * (width - 1), -1))
    across = hessian[:, -1, :, :-1].reshape(classes, -1)
    free = hessian[:, -1, :, -1].copy()
    diagonal = np.einsum("ii->i", free)
    there = diagonal > 0
    if classes > 1:  # the same for all classes changes nothing
        free += np.outer(there, there) * diagonal.mean()
    diagonal[~there] = 1.0
    solved = np.linalg.solve(free, np.column_stack([across, gradient[:, -1]]))
    curved = np.diag(inner).copy()
    inner -= across.T @ solved[:, :-1]
    diagonal = np.einsum("ii->i", inner)
    np.maximum(diagonal, LEFT * curved, out=diagonal)
    slope = gradient[:, :-1].ravel() - across.T @ solved[:, -1]
    begin = np.ascontiguousarray(start[:, :-1]).ravel()
    x = minimum(inner, slope, begin, np.tile(l1, classes), tol)
    moved = solved[:, -1] + solved[:, :-1] @ (x - begin)
    return np.column_stack([x.reshape(classes, -1), start[:, -1] - np.where(there, moved, 0.0)])


def minimum(hessian: Array, gradient: Array, start: Array, l1: Array, tol: float) -> Array:
    """x from which no coordinate would change its entry of the gradient by more than tol."""
    x, begin, slope = start, start, gradient
    for _ in range(ROUNDS):
        out = np.empty(len(x))
        made = _core.coordinate_descent(hessian, slope, begin, l1, SWEEPS, tol, out)
        if made >= 0 or not out.any():
            return out
        x = _newton(hessian, gradient + hessian @ (out - start), out, l1)
        begin, slope = x, gradient + hessian @ (x - start)
    return x


def _newton(hessian: Array, slope: Array, x: Array, l1: Array) -> Array:
    """Towards the minimum with the signs of x, up to the first coordinate that reaches 0."""
    used = np.flatnonzero(x)
    factor = cholesky(hessian[np.ix_(used, used)])
    step = -np.asarray(dpotrs(factor, slope[used] + l1[used] * np.sign(x[used]), lower=1)[0])
    crosses = (l1[used] > 0) & (x[used] * (x[used] + step) < 0)
    share = np.where(crosses, -x[used] / np.where(crosses, step, 1.0), 1.0)
    length = float(share.min())
    out = x.copy()
    out[used] = np.where(crosses & (share <= length), 0.0, x[used] + length * step)
    return out
