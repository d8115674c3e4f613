"""Minimise a function of a few parameters by quasi-Newton steps, with derivatives given or by central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

from assay.types import Array

STEP = float(np.cbrt(np.finfo(np.float64).eps))  # balances rounding against curvature in a central difference
MOST_DENSE = 200  # parameters up to which all products of curvature are kept


class Minimum(NamedTuple):
    solution: Array
    value: float
    gradient: float  # largest entry
    n_iter: int
    converged: bool


def differences(value: Callable[[Array], float], theta: Array) -> Array:
    """Central differences of a function, (P,); 0 where it has no value on a side."""
    out = np.zeros(len(theta))
    for j, size in enumerate(STEP * np.maximum(1.0, np.abs(theta))):
        forward, backward = theta.copy(), theta.copy()
        forward[j] += size
        backward[j] -= size
        slope = (value(forward) - value(backward)) / (forward[j] - backward[j])
        out[j] = slope if np.isfinite(slope) else 0.0
    return out


def minimise(
    value: Callable[[Array], float],
    slope: Callable[[Array], Array] | None,
    start: Array,
    *,
    tol: float,
    max_iter: int,
) -> Minimum:
    """Steps from `start` until the largest entry of the gradient is at most tol."""

    def descent(theta: Array) -> Array:
        if not np.isfinite(value(theta)):
            return np.zeros(len(theta))
        return differences(value, theta) if slope is None else slope(theta)

    dense = len(start) <= MOST_DENSE
    options = {"gtol": tol, "maxiter": max_iter} | ({} if dense else {"ftol": 0.0, "maxfun": 100 * max_iter})
    result = minimize(value, start, jac=descent, method="BFGS" if dense else "L-BFGS-B", options=options)
    solution = np.asarray(result.x, dtype=np.float64)
    largest = float(np.abs(descent(solution)).max())
    return Minimum(solution, float(value(solution)), largest, int(result.nit), largest <= tol)
