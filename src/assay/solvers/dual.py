r"""Ridge regression with more features than rows, solved among the rows.

    W = Tᵀ (Z Zᵀ + l2 I)⁻¹ Z,    Z = rows less their mean, times √(w/N),    T = targets less theirs, times √(w/N)

The same W as (ZᵀZ + l2 I)⁻¹ of the features gives (`assay.solvers.ridge`), by N × N equations instead of D × D ones
(Saunders, Gammerman and Vovk, ICML 1998). All that is needed of the rows are their inner products: folds are parts of
one matrix, which is computed once for all of them and for every penalty.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from assay.types import Array

# Below this share of the largest eigenvalue a penalty is lost in the rounding of inner products.
LEAST_PENALTY = 1e-9


@dataclass(frozen=True)
class DualSolution:
    """Scores of a row x are bias + weights (x - mean). Shapes (D,), (K, D), (K,)."""

    mean: Array
    weights: Array
    bias: Array


def solve_dual(X: Array, targets: Array, weight: Array | None, l2: float) -> DualSolution:
    """Weights of least penalised squared error for each column of `targets` (N, K).

    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    >>> solve_dual(X, np.array([[1.0], [-1.0]]), None, 1.0).weights
    array([[0.5, 0. , 0. ]])
    """
    share = _shares(len(X), weight)
    mean, bias = share @ X, share @ targets
    root = np.sqrt(share)[:, None]
    rows = root * (X - mean)
    solution = _solve(rows @ rows.T, root * (targets - bias), l2)
    return DualSolution(mean, solution.T @ rows, bias)


def inner_products(X: Array, weight: Array | None = None) -> Array:
    """Inner products (N, N) of the rows less their mean: the mean cancels later, and large ones would cost digits."""
    centered = X - _shares(len(X), weight) @ X
    return np.asarray(centered @ centered.T)


def usable(gram: Array, l2: float) -> bool:
    """Whether the penalty is large enough for equations among the rows to keep their digits."""
    return l2 > LEAST_PENALTY * float(np.trace(gram)) / len(gram)


def dual_scores(
    gram: Array,
    targets: Array,
    weight: Array | None,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    l2: NDArray[np.floating],
) -> Array:
    """Scores (penalties, tested rows, K) by the fit to the training rows, from inner products alone.

    Inner products about the mean of the training rows follow from those about any point: with the shares p of the
    training rows, k(x, y) - Σ p_i k(x, i) - Σ p_i k(i, y) + Σ p_i p_j k(i, j).
    """
    share = _shares(len(train), None if weight is None else weight[train])
    inner, across = gram[np.ix_(train, train)], gram[np.ix_(test, train)]
    toward = inner @ share
    middle = float(share @ toward)
    inner = inner - toward[:, None] - toward + middle
    across = across - (across @ share)[:, None] - toward + middle
    bias = share @ targets[train]
    root = np.sqrt(share)[:, None]
    system, right = root * inner * root.T, root * (targets[train] - bias)
    least = LEAST_PENALTY * float(np.trace(system))
    ways = [_solve if penalty > least else _solve_largest for penalty in l2]
    return np.stack(
        [
            bias + across @ (root * way(system, right, float(penalty)))
            for way, penalty in zip(ways, l2, strict=True)
        ]
    )


def _shares(count: int, weight: Array | None) -> Array:
    return np.full(count, 1.0 / count) if weight is None else weight / weight.sum()


def _solve(matrix: Array, right: Array, l2: float) -> Array:
    lifted = matrix.copy()
    lifted[np.diag_indices_from(lifted)] += l2
    return np.asarray(cho_solve(cho_factor(lifted, lower=True, overwrite_a=True), right))


def _solve_largest(matrix: Array, right: Array, l2: float) -> Array:
    """The same for penalties that would be lost in rounding: eigenvalues that are rounding are left out."""
    values, vectors = np.linalg.eigh(matrix)
    significant = values > len(matrix) * np.finfo(float).eps * values[-1]
    return np.asarray(
        vectors[:, significant] / (values[significant] + l2) @ (vectors[:, significant].T @ right)
    )
