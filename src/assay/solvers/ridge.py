r"""Ridge regression from its normal equations, for many right-hand sides and whole paths of penalties.

    minimise  ½ w T wᵀ - b wᵀ + (l2 / 2) |w|²,    so    w = b (T + l2 I)⁻¹

T is the covariance of the features (divisor N) and b their covariance with a target (Golub, Van Loan, *Matrix
Computations*, 4.2 and 5.3). The squares in T cost digits: of sixteen, the condition number of the correlation
matrix takes its own number of digits away.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from assay.types import Array

EPS = float(np.finfo(np.float64).eps)
# A path uses its eigenvalues only where they promise nine digits; other penalties are solved by themselves.
PATH_ERROR = 1e-9


@dataclass(frozen=True)
class RidgeSolution:
    """Weights (K, D) of K targets, and how many features were linearly independent."""

    weights: Array
    rank: int


def rank_tolerance(width: int) -> float:
    """Share of the largest variance below which one is rounding: sums over many rows leave some 1e-14."""
    return max(width, 64) * EPS


def solve_ridge(total: Array, target: Array, scale: Array, l2: float) -> RidgeSolution:
    """Weights of least squared error for each row of `target`.

    Parameters
    ----------
    total : (D, D)
        Covariance of the features, divisor N.
    target : (K, D)
        Covariance of each target with the features.
    scale : (D,)
        Deviation of each feature; 0 leaves the feature out (weight 0).
    l2 : float
        Penalty on the squared weights.

    Features are measured in their own deviations, so units cost no digits. Where the equations are singular,
    the solution of least norm in these units is taken.

    >>> import numpy as np
    >>> solve_ridge(np.diag([4.0, 1.0]), np.array([[2.0, 3.0]]), np.array([2.0, 1.0]), 1.0).weights
    array([[0.4, 1.5]])
    """
    weights = np.zeros(target.shape)
    active = np.flatnonzero(scale > 0)
    if len(active) == 0:
        return RidgeSolution(weights, 0)
    unit = np.sqrt(scale[active] ** 2 + l2)
    matrix = total[np.ix_(active, active)] / unit[:, None] / unit[None, :]
    matrix[np.diag_indices_from(matrix)] += l2 / unit**2
    right = np.asfortranarray((target[:, active] / unit).T)
    solution, rank = _solve_positive(matrix, right)
    weights[:, active] = solution.T / unit
    return RidgeSolution(weights, rank)


def _solve_positive(matrix: Array, right: Array) -> tuple[Array, int]:
    """matrix⁻¹ right by Cholesky, or the least-norm solution and the rank where that fails; unit diagonal."""
    width = len(matrix)
    lower, info = dpotrf(matrix, lower=1)
    if info == 0 and float(np.diag(lower).min()) ** 2 > rank_tolerance(width):
        solution, _ = dpotrs(lower, right, lower=1)
        return solution, width
    values, vectors = np.linalg.eigh(matrix)
    significant = values > rank_tolerance(width) * values[-1]
    inner = vectors[:, significant]
    return inner @ ((inner.T @ right) / values[significant, None]), int(significant.sum())


def ridge_path(total: Array, target: Array, scale: Array, l2: Array) -> Array:
    """Weights (L, K, D) for each of L penalties, from one eigendecomposition T = V Λ Vᵀ.

        w(l2) = b V (Λ + l2 I)⁻¹ Vᵀ

    Equal to `solve_ridge` for each penalty; those too small for the eigenvalues' digits are handed to it.
    """
    out = np.zeros((len(l2), *target.shape))
    active = np.flatnonzero(scale > 0)
    if len(active) == 0:
        return out
    values, vectors = np.linalg.eigh(total[np.ix_(active, active)])
    least, largest = max(float(values[0]), 0.0), float(values[-1])
    digits = EPS * (largest + l2) <= PATH_ERROR * (least + l2)
    turned = target[:, active] @ vectors
    shrunk = turned / (values + l2[digits, None])[:, None, :]
    inner = out[digits]
    inner[:, :, active] = shrunk @ vectors.T
    out[digits] = inner
    for place in np.flatnonzero(~digits):
        out[place] = solve_ridge(total, target, scale, float(l2[place])).weights
    return out
