"""Sparse tables: compressed rows, whose zeros are never written out."""

from __future__ import annotations

from typing import TypeGuard

import numpy as np
from scipy.sparse import issparse

from assay import _core
from assay.engines.local import memory_limit
from assay.notes import Note
from assay.numerics.sparse import canonical, check_indices
from assay.types import Array, CompressedRows, MatrixLike


def is_sparse(X: object) -> TypeGuard[CompressedRows]:
    """Whether rows are a sparse matrix or array of SciPy; those that were read are compressed."""
    return bool(issparse(X))


def compressed_rows(X: MatrixLike) -> MatrixLike:
    """A sparse matrix in compressed rows, its indices checked and each entry once; every other table as it is."""
    if not is_sparse(X) or len(X.shape) != 2:
        return X
    check_indices(X)
    rows: CompressedRows = canonical(X.tocsr())
    return rows


def filled_rows(owner: str, X: CompressedRows) -> Array:
    """Compressed rows with their zeros filled in, for a model that reads every number of a row."""
    rows, columns = X.shape
    if 8 * rows * columns > memory_limit():
        gibibytes = 8 * rows * columns / 2**30
        raise ValueError(Note("M730", owner=owner, rows=rows, columns=columns, gibibytes=gibibytes))
    return np.asarray(X.toarray(), dtype=np.float64)


def core_matrix(X: CompressedRows) -> _core.base.SparseMatrix:
    """The rows as kernels take them; indices are of the type of the row pointers."""
    values = X.data.astype(np.float64, copy=False)
    first, column, width = X.indptr, X.indices, X.shape[1]
    if first.dtype == np.int32:
        return _core.base.SparseMatrix(
            first.astype(np.int32, copy=False), column.astype(np.int32, copy=False), values, width
        )
    return _core.base.SparseMatrix(
        first.astype(np.int64, copy=False), column.astype(np.int64, copy=False), values, width
    )


def sparse_center(X: CompressedRows) -> Array:
    """The centre of sparse columns is 0."""
    return np.zeros(X.shape[1])


def sparse_deviations(X: CompressedRows, weight: Array | None) -> Array:
    """Root mean square of each column, 0 for columns whose entries are all the same."""
    n_rows, width = X.shape
    weight = np.ones(n_rows) if weight is None else weight
    squares = X.multiply(X).T @ weight
    sums = np.asarray(X.T @ weight).ravel()
    total = float(weight.sum())
    mean_square, mean = np.asarray(squares).ravel() / total, sums / total
    varies = mean_square - mean**2 > 1e-14 * mean_square
    return np.asarray(np.where(varies, np.sqrt(mean_square), 0.0))
