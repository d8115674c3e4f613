r"""How much the levels of a feature tell about the class, from counts alone.

    I = (1/N) [ Σ_lk n_lk ln n_lk - Σ_l n_l ln n_l - Σ_k n_k ln n_k + N ln N ]    in nats
    χ² = Σ_lk (n_lk - e_lk)² / e_lk,    e_lk = n_l n_k / N

Counted on N rows, features that tell nothing seem to tell (L - 1)(K - 1) / (2 N) on average (Miller, 1955), L and K the
levels and classes that occur; the corrected information has that taken off.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.types import Array

MOST_KEYS = 1 << 26  # of (column, level), that are counted without being sorted


@dataclass(frozen=True)
class Tables:
    """Counts of U occurring levels by class, (U, K), each level of one of P columns.

    Levels of a column lie in any order, one after the other or not.
    """

    counts: NDArray[np.int64]
    column: NDArray[np.int64]
    n_columns: int

    def information(self, *, corrected: bool = False, cut: bool = True) -> Array:
        """Mutual information of every column and the class, (P,); with `cut` never below 0, which no information is.

        Uncut, the corrected figure of columns that tell nothing is 0 on average.

        >>> import numpy as np
        >>> tables = Tables(np.array([[2, 0], [0, 2], [1, 1], [1, 1]]), np.array([0, 0, 1, 1]), 2)
        >>> (tables.information() / np.log(2)).round(12).tolist()
        [1.0, 0.0]
        """
        of_class = self._by_class()
        total = of_class.sum(axis=1)
        inner = _x_log_x(self.counts).sum(axis=1) - _x_log_x(self.counts.sum(axis=1))
        sums = np.bincount(self.column, inner, self.n_columns) - _x_log_x(of_class).sum(axis=1)
        estimate = (sums + _x_log_x(total)) / np.maximum(total, 1)
        if corrected:
            levels = np.bincount(self.column[self.counts.any(axis=1)], minlength=self.n_columns)
            classes = (of_class > 0).sum(axis=1)
            estimate -= np.maximum(levels - 1, 0) * np.maximum(classes - 1, 0) / (2.0 * np.maximum(total, 1))
        return np.asarray(np.maximum(estimate, 0.0) if cut else estimate)

    def chi_square(self) -> tuple[Array, NDArray[np.int64]]:
        """χ² of every column's table and its degrees of freedom, (P,) each."""
        of_class = self._by_class()
        share = of_class / np.maximum(of_class.sum(axis=1, keepdims=True), 1)
        expected = self.counts.sum(axis=1, keepdims=True) * share[self.column]
        away = np.divide(
            (self.counts - expected) ** 2, expected, out=np.zeros(expected.shape), where=expected > 0
        )
        levels = np.bincount(self.column[self.counts.any(axis=1)], minlength=self.n_columns)
        freedom = np.maximum(levels - 1, 0) * np.maximum((of_class > 0).sum(axis=1) - 1, 0)
        return np.bincount(self.column, away.sum(axis=1), self.n_columns).astype(np.float64), freedom

    def _by_class(self) -> NDArray[np.int64]:
        """Rows of each class that every column was counted on, (P, K)."""
        out = np.zeros((self.n_columns, self.counts.shape[1]), dtype=np.int64)
        np.add.at(out, self.column, self.counts)
        return out


def count_dense(levels: NDArray[np.integer], codes: NDArray[np.integer], n_classes: int) -> Tables:
    """Levels of whole columns, (N, P), numbered from 0 in each."""
    counts, column = [], []
    for j in range(levels.shape[1]):
        column_levels = levels[:, j].astype(np.int64)
        joint = np.bincount(
            column_levels * n_classes + codes, minlength=(int(column_levels.max(initial=-1)) + 1) * n_classes
        )
        counts.append(joint.reshape(-1, n_classes))
        column.append(np.full(len(counts[-1]), j))
    stacked = np.concatenate([np.zeros((0, n_classes), dtype=np.int64), *counts])
    return Tables(stacked, np.concatenate([np.zeros(0, dtype=np.int64), *column]), levels.shape[1])


def count_sparse(
    column: NDArray[np.integer],
    value: NDArray[np.generic],
    codes: NDArray[np.integer],
    class_count: NDArray[np.int64],
    n_columns: int,
) -> Tables:
    """Entries of a sparse table, each with its column, its value (not 0) and the class of its row.

    The rows of a column without an entry are its level 0. Small whole numbers are counted, others sorted.
    """
    n_classes = len(class_count)
    place, of_level = _numbered(np.asarray(column, dtype=np.int64), value, n_columns)
    joint = np.bincount(place * n_classes + codes, minlength=len(of_level) * n_classes).reshape(-1, n_classes)
    present = np.zeros((n_columns, n_classes), dtype=np.int64)
    np.add.at(present, of_level, joint)
    rest = class_count - present
    return Tables(np.concatenate([joint, rest]), np.concatenate([of_level, np.arange(n_columns)]), n_columns)


def _numbered(
    column: NDArray[np.int64], value: NDArray[np.generic], n_columns: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number for each (column, value) that occurs, of every entry; and the column of each number."""
    largest = float(np.max(value, initial=1))
    whole = largest * n_columns <= MOST_KEYS and bool((np.asarray(value) >= 1).all())
    if whole and np.array_equal(value, np.rint(np.asarray(value, dtype=np.float64))):
        span = int(largest)
        key = column * span + (np.asarray(value).astype(np.int64) - 1)
        occurs = np.bincount(key, minlength=n_columns * span) > 0
        number = np.cumsum(occurs) - 1
        return number[key], np.flatnonzero(occurs) // span
    order = np.lexsort((value, column))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(column[order]) != 0) | (np.asarray(value)[order][1:] != np.asarray(value)[order][:-1])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return place, column[order][new]


def count_bins(
    X: NDArray[np.floating], codes: NDArray[np.int32], n_classes: int, bins: int, threads: int
) -> Tables:
    """Columns of finite numbers, (N, P), each cut into bins of about as many rows, equal values together.

    The edges are the values of ranks N / bins, 2 N / bins, ...; an edge opens its bin.

    >>> import numpy as np
    >>> X = np.array([[3.0], [1.0], [2.0], [9.0], [1.0], [4.0]])
    >>> count_bins(X, np.array([1, 0, 1, 0, 0, 0], dtype=np.int32), 2, 3, 1).counts.tolist()
    [[2, 0], [0, 2], [2, 0]]
    """
    size, width = X.shape
    cuts = np.unique(np.arange(1, bins) * size // bins)
    cuts = cuts[cuts > 0]
    edges = np.empty(width, dtype=np.int64)
    counts = np.empty((width, len(cuts) + 1, n_classes), dtype=np.int64)
    _core.counts.count_bins(X, cuts, codes, threads, edges, counts)
    column, bin_number = np.nonzero(np.arange(len(cuts) + 1) <= edges[:, None])
    return Tables(counts[column, bin_number], column, width)


def join(parts: list[tuple[NDArray[np.intp], Tables]], n_columns: int) -> Tables:
    """Tables of different columns of one matrix, each with the places of its columns."""
    counts = np.concatenate([tables.counts for _, tables in parts])
    return Tables(counts, np.concatenate([places[tables.column] for places, tables in parts]), n_columns)


def _x_log_x(n: NDArray[np.generic]) -> Array:
    x = np.asarray(n, dtype=np.float64)
    return np.asarray(x * np.log(np.where(x > 0, x, 1.0)))
