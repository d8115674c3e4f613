"""Sparse tables: compressed rows, whose zeros are never written out."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse

from assay.numerics.sparse import canonical, check_indices
from assay.types import Array


def is_sparse(X: Any) -> bool:
    """Whether X is a sparse matrix or array of SciPy."""
    return bool(issparse(X))


def compressed_rows(X: Any) -> Any:
    """A sparse matrix in compressed rows, its indices checked and each entry once; every other table as it is."""
    if not is_sparse(X) or X.ndim != 2:
        return X
    check_indices(X)
    return canonical(X.tocsr())


def sparse_center(X: Any) -> Array:
    """The centre of sparse columns is 0."""
    return np.zeros(X.shape[1])


def sparse_deviations(X: Any, weight: Array | None) -> Array:
    """Root mean square of each column, 0 for columns whose entries are all the same."""
    n_rows, width = X.shape
    weight = np.ones(n_rows) if weight is None else weight
    squares = X.multiply(X).T @ weight
    sums = np.asarray(X.T @ weight).ravel()
    total = float(weight.sum())
    mean_square, mean = np.asarray(squares).ravel() / total, sums / total
    varies = mean_square - mean**2 > 1e-14 * mean_square
    return np.asarray(np.where(varies, np.sqrt(mean_square), 0.0))
