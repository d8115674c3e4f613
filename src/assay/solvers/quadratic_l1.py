r"""The minimum of a quadratic with absolute values, where some coordinates are free of them.

    minimise over x    gᵀ(x - s) + ½ (x - s)ᵀ H (x - s) + Σ_j λ_j |x_j|

Free coordinates (the intercepts) are solved for and drop out. The others are visited one by one, in a compiled loop;
where that is slow, since columns are nearly dependent, Newton steps among the coordinates that are not 0 go straight
to their minimum, or as far on the way as it goes down: coordinates may reach 0, or pass it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrs

from assay import _core
from assay.solvers.logistic_objective import cholesky
from assay.types import Array

SWEEPS = 100  # of coordinate descent before a Newton step
ROUNDS = 100
STEPS = 50  # of Newton in a row, each past coordinates that change their sign
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
    present = diagonal > 0
    if classes > 1:  # the same for all classes changes nothing
        free += np.outer(present, present) * diagonal.mean()
    diagonal[~present] = 1.0
    solved = np.linalg.solve(free, np.column_stack([across, gradient[:, -1]]))
    curved = np.diag(inner).copy()
    inner -= across.T @ solved[:, :-1]
    diagonal = np.einsum("ii->i", inner)
    np.maximum(diagonal, LEFT * curved, out=diagonal)
    slope = gradient[:, :-1].ravel() - across.T @ solved[:, -1]
    begin = np.ascontiguousarray(start[:, :-1]).ravel()
    x = minimum(inner, slope, begin, np.tile(l1, classes), tol)
    moved = solved[:, -1] + solved[:, :-1] @ (x - begin)
    return np.column_stack([x.reshape(classes, -1), start[:, -1] - np.where(present, moved, 0.0)])


def minimum(hessian: Array, gradient: Array, start: Array, l1: Array, tol: float) -> Array:
    """x from which no coordinate would change its entry of the gradient by more than tol."""
    x, slope = start, gradient
    for _ in range(ROUNDS):
        out = np.empty(len(x))
        made = _core.logistic.coordinate_descent(hessian, slope, x, l1, SWEEPS, tol, out)
        if made >= 0 or not out.any():
            return out
        x = out
        with np.errstate(over="ignore", invalid="ignore"):  # a step that overflows is of length 0
            for _ in range(STEPS):
                x, settled = _newton(hessian, gradient + hessian @ (x - start), x, l1)
                if settled:
                    break
            slope = gradient + hessian @ (x - start)
    return x


def _newton(hessian: Array, slope: Array, x: Array, l1: Array) -> tuple[Array, bool]:
    """The best point on the line to the minimum with the signs of x; whether it is that minimum."""
    used = np.flatnonzero(x)
    factor = cholesky(hessian[np.ix_(used, used)])
    here, rate = x[used], l1[used]
    step = -np.asarray(dpotrs(factor, slope[used] + rate * np.sign(here), lower=1)[0])
    bend = float(step @ hessian[np.ix_(used, used)] @ step)
    length, stops = _line(here, step, float(slope[used] @ step), bend, rate)
    out = x.copy()
    out[used] = here + length * step
    out[used[stops]] = 0.0
    return out, bool((np.sign(out[used]) == np.sign(here)).all())


def _line(
    x: Array, step: Array, slope: float, bend: float, l1: Array
) -> tuple[float, NDArray[np.intp] | slice]:
    """Length t of the least slope t + ½ bend t² + Σ λ |x + t step|, and which entries are 0 there.

    The derivative grows along the line: by bend t, and by 2 λ |step| where an entry passes 0.
    """
    nothing = slice(0, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = -x / step
    passed = np.flatnonzero((at > 0) & np.isfinite(at) & (l1 > 0))
    order = passed[np.argsort(at[passed], kind="stable")]
    level = slope + float((l1 * np.sign(x) * step).sum())
    for j in order:
        if level + bend * at[j] >= 0:
            break
        level += 2.0 * l1[j] * abs(step[j])
        if level + bend * at[j] >= 0:
            return float(at[j]), np.array([j])
    return (-level / bend if bend > 0 and level < 0 else 0.0), nothing
