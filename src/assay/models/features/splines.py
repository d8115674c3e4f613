r"""Piecewise polynomials of a column: the B-splines of a degree whose pieces meet at quantiles.

    B_i,0 = 1 between knots i and i+1, otherwise 0
    B_i,p = (x - t_i)/(t_i+p - t_i) B_i,p-1 + (t_i+p+1 - x)/(t_i+p+1 - t_i+1) B_i+1,p-1

(de Boor, *A Practical Guide to Splines*, chapter X.) They are not negative, at most p + 1 of them are not 0 at any x,
and they add up to 1. Beyond the outer knots they keep the value they have there: a polynomial would run away.
"""

from __future__ import annotations

import numpy as np

from assay.types import Array


def quantile_knots(X: Array, weight: Array | None, count: int) -> Array:
    """Quantiles 0, 1/(count-1), ..., 1 of each column, (D, count): values that occur, repeated where many are equal.

    >>> quantile_knots(np.array([[3.0], [1.0], [2.0], [4.0], [5.0]]), None, 3).tolist()
    [[1.0, 3.0, 5.0]]
    """
    weights = np.ones(len(X)) if weight is None else weight
    used = weights > 0
    rows, weights = X[used], weights[used]
    out = np.empty((X.shape[1], count))
    for column in range(X.shape[1]):
        order = np.argsort(rows[:, column], kind="stable")
        reached = np.cumsum(weights[order])
        # Sums of weights are rounded; a quantile must not move to the next value for that.
        wanted = np.arange(count) / (count - 1) * reached[-1] * (1.0 - 1e-12)
        out[column] = rows[order[np.searchsorted(reached, wanted)], column]
    return out


def n_splines(knots: Array, degree: int) -> int:
    """Number of functions of a column: pieces plus degree; a column that does not vary has one, the constant."""
    pieces = len(np.unique(knots)) - 1
    return pieces + degree if pieces else 1


def splines(x: Array, knots: Array, degree: int) -> Array:
    """Values of the functions of one column, (N, functions).

    >>> splines(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0]), 1).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    inner = np.unique(knots)
    if len(inner) == 1:
        return np.ones((len(x), 1))
    full = np.concatenate([np.repeat(inner[0], degree), inner, np.repeat(inner[-1], degree)])
    x = np.clip(x, inner[0], inner[-1])
    piece = np.clip(np.searchsorted(inner, x, side="right") - 1, 0, len(inner) - 2)
    at = piece + degree  # the knot of `full` to the left of x
    local = np.zeros((len(x), degree + 1))
    local[:, 0] = 1.0
    for p in range(1, degree + 1):
        carried = np.zeros(len(x))
        for i in range(p):
            right, left = full[at + i + 1] - x, x - full[at + 1 - p + i]
            share = local[:, i] / (right + left)
            local[:, i] = carried + right * share
            carried = left * share
        local[:, p] = carried
    out = np.zeros((len(x), n_splines(knots, degree)))
    np.put_along_axis(out, piece[:, None] + np.arange(degree + 1), local, axis=1)
    return out
