r"""Posteriors of K classes from those of all pairs.

    minimise  Σ_i Σ_{j≠i} (r_ji p_i - r_ij p_j)²    with  Σ p_i = 1,    r_ij ≈ P(i | i or j, x)

The second method of Wu, Lin and Weng (Journal of Machine Learning Research 5, 2004). With Q_ii = Σ_{j≠i} r_ji² and
Q_ij = -r_ji r_ij it is the linear system [Q 1; 1ᵀ 0] [p; b] = [0; 1], solved for all rows together. Where the r belong
to one true posterior, r_ij = p_i / (p_i + p_j), it is found exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.numerics.blas import single_threaded
from assay.types import Array

BLOCK = 1 << 20  # numbers in the matrices of a block of rows
# Pairs are never certain: with r_ij = 0 and 1 the system may be singular. The bound is LIBSVM's.
LEAST = 1e-7
FLOOR = 1e-14  # rounding may leave the smallest posteriors at or below 0


def couple(second: Array, pairs: Sequence[tuple[int, int]], n_classes: int) -> Array:
    """Posteriors (N, K) from those of the second class of each pair of classes, (N, pairs).

    >>> couple(np.array([[0.3 / 0.8, 0.2 / 0.7, 0.2 / 0.5]]), [(0, 1), (0, 2), (1, 2)], 3).round(6).tolist()
    [[0.5, 0.3, 0.2]]
    """
    out = np.empty((len(second), n_classes))
    first, other = np.array(pairs).T
    rows = max(1, BLOCK // (n_classes + 1) ** 2)
    with single_threaded():
        for start in range(0, len(second), rows):
            part = np.clip(second[start : start + rows], LEAST, 1.0 - LEAST)
            r = np.zeros((len(part), n_classes, n_classes))
            r[:, other, first], r[:, first, other] = part, 1.0 - part
            out[start : start + rows] = _solve(r)
    return out


def _solve(r: Array) -> Array:
    """The linear system of each row, from r (N, K, K) with a diagonal of 0."""
    count, n_classes, _ = r.shape
    across = np.swapaxes(r, 1, 2)  # r_ji
    system = np.zeros((count, n_classes + 1, n_classes + 1))
    system[:, :-1, :-1] = -across * r
    diagonal = np.arange(n_classes)
    system[:, diagonal, diagonal] = (across**2).sum(axis=2)
    system[:, :-1, -1] = system[:, -1, :-1] = 1.0
    right = np.zeros((count, n_classes + 1, 1))
    right[:, -1] = 1.0
    posterior = np.maximum(np.linalg.solve(system, right)[:, :-1, 0], FLOOR)
    return np.asarray(posterior / posterior.sum(axis=1, keepdims=True))
