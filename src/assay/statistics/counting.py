"""The pass that makes counts: levels of categorical columns by a kernel, words by a sparse product."""

from __future__ import annotations

from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, issparse

from assay import _core
from assay.notes import Note
from assay.statistics.counts import WHOLE, Counts
from assay.statistics.weights import is_importance
from assay.types import Array, Codes, Numbers, SparseMatrix

# Beyond so many numbers the cells of all groups keep only counts that are not 0.
MOST_DENSE = 1 << 22


class Grouping(TypedDict, total=False):
    """How rows are counted apart, and what each counts; see `count_levels`."""

    group: Codes
    n_groups: int
    weight: Array | None


def count_levels(
    codes: ArrayLike,
    classes: ArrayLike,
    n_classes: int,
    n_levels: ArrayLike,
    *,
    group: ArrayLike | None = None,
    n_groups: int | None = None,
    weight: ArrayLike | None = None,
    threads: int = 1,
) -> Counts:
    """Counts of the levels of every column, laid end to end.

    Parameters
    ----------
    codes : (N, D)
        Level of each value, from 0; negative ones (missing, unseen) do not count. Columns are read fastest from an
        F-ordered int32 array.
    classes : (N,)
        Class of each row; rows of a negative class or group are left out.
    n_levels : (D,)
        Levels of each column.
    group : (N,), optional
        Fold of each row; the counts then have a leading axis of `n_groups`.
    weight : (N,), optional

    Examples
    --------
    >>> count_levels([[0, 2], [1, -1]], [0, 1], 2, [2, 3]).counts.tolist()
    [[1, 0, 0, 0, 1], [0, 1, 0, 0, 0]]
    """
    columns = np.ascontiguousarray(np.asarray(codes, dtype=np.int32).T)
    first = offsets(n_levels)
    if columns.ndim != 2 or len(first) != len(columns) + 1:
        raise ValueError(Note("N029", shape=columns.T.shape, n_first=len(first) - 1))
    cell, shape = _cells(classes, n_classes, group, n_groups)
    weights = None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
    cell = _counting(cell, weights)
    size = int(np.prod(shape)), int(first[-1])
    if weights is None:
        numbers = np.empty(size, dtype=np.int64)
        _core.counts.count_levels(columns, first, cell, threads, numbers)
        return _counts(cell, shape, None, numbers)
    sums = np.empty(size)
    _core.counts.count_weighted_levels(columns, first, cell, weights, threads, sums)
    return _counts(cell, shape, weights, sums)


def count_words(
    X: ArrayLike | SparseMatrix,
    classes: ArrayLike,
    n_classes: int,
    *,
    group: ArrayLike | None = None,
    n_groups: int | None = None,
    weight: ArrayLike | None = None,
    binary: bool = False,
) -> Counts:
    """Counts of every word: sums of the columns of X within each (group, class).

    Parameters
    ----------
    X : (N, V)
        Times that each row shows each word, as an array or in compressed rows.
    binary : bool
        Count the rows that show a word at all.

    Examples
    --------
    >>> count_words([[2, 0], [1, 1]], [0, 1], 2).counts.tolist()
    [[2, 0], [1, 1]]
    """
    rows: Numbers | csr_array = csr_array(X) if issparse(X) else np.asarray(X)
    cell, shape = _cells(classes, n_classes, group, n_groups)
    weights = None if weight is None else np.ascontiguousarray(weight, dtype=np.float64)
    cell = _counting(cell, weights)
    counting = np.flatnonzero(cell >= 0)
    cells = int(np.prod(shape))
    numbers = np.ones(len(counting)) if weights is None else weights[counting]
    members = csr_array((numbers, (cell[counting], counting)), shape=(cells, rows.shape[0]))
    sums = members @ (_present(rows) if binary else _as_floats(rows))
    if not issparse(sums):
        return _counts(cell, shape, weights, np.asarray(sums))
    sums = csr_array(sums)
    if cells * rows.shape[1] <= MOST_DENSE or group is None:
        return _counts(cell, shape, weights, sums.toarray())
    sums.sort_indices()
    return _counts(cell, shape, weights, sums)


def _as_floats(rows: Numbers | csr_array) -> Array | csr_array:
    return rows if rows.dtype == np.float64 else rows.astype(np.float64)


def _present(rows: Numbers | csr_array) -> Array | csr_array:
    """1.0 where a word occurs."""
    if not issparse(rows):
        return (rows > 0).astype(np.float64)
    rows = csr_array(rows, copy=False)
    return csr_array(((rows.data > 0).astype(np.float64), rows.indices, rows.indptr), shape=rows.shape)


def offsets(n_levels: ArrayLike) -> NDArray[np.int64]:
    """Where the levels of each column begin, and where the last ones end, (D + 1,)."""
    return np.concatenate([[0], np.cumsum(np.asarray(n_levels, dtype=np.int64))]).astype(np.int64)


def _cells(
    classes: ArrayLike, n_classes: int, group: ArrayLike | None, n_groups: int | None
) -> tuple[Codes, tuple[int, ...]]:
    """Cell of each row, negative where it does not count, and the shape of the cells."""
    codes = np.ascontiguousarray(classes, dtype=np.int32)
    if group is None:
        return codes, (n_classes,)
    groups = np.asarray(group, dtype=np.int32)
    count = int(groups.max(initial=-1)) + 1 if n_groups is None else n_groups
    cell = groups * np.int32(n_classes) + codes
    return np.where((groups < 0) | (codes < 0), np.int32(-1), cell), (count, n_classes)


def _counting(cell: Codes, weight: Array | None) -> Codes:
    """Rows of weight 0 do not count."""
    return cell if weight is None or weight.all() else np.where(weight > 0, cell, np.int32(-1))


def _counts(cell: Codes, shape: tuple[int, ...], weight: Array | None, sums: Numbers | csr_array) -> Counts:
    """Counts from the sums of every cell, in whole numbers where all are."""
    counting = cell >= 0
    here = cell if counting.all() else cell[counting]
    cells = int(np.prod(shape))
    rows = np.bincount(here, minlength=cells).reshape(shape).astype(np.int64)
    total: Numbers = rows
    if weight is not None:
        total = _whole(np.bincount(here, weight[counting], cells).reshape(shape))
    sums = _whole(sums)
    counts = sums if issparse(sums) else sums.reshape(*shape, sums.shape[-1])
    return Counts(total, rows, counts, is_importance(weight))


def _whole(sums: Numbers | csr_array) -> Numbers | csr_array:
    """Sums as 64-bit integers if all are whole numbers."""
    if sums.dtype.kind == "i":
        return sums
    values = sums.data if issparse(sums) else sums
    if (np.abs(values) < WHOLE).all() and (np.floor(values) == values).all():
        return sums.astype(np.int64)
    return sums
