r"""Counts: how often each level or word occurs in every (group, class) cell of a table, from one pass.

A cell keeps its weight n, its number of rows and the counts c_l of every level (or word) l. Cells merge by addition,

    c = c_a + c_b,

and whole numbers are kept as whole numbers (64 bits): they merge, split and shrink without any error, so that rows
which leave restore the counts before them to the bit. Leading axes are groups (folds, replicates).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, issparse, vstack

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.statistics.weights import rows_of_one
from assay.types import Cells, Entry, Index, Numbers, Which

# Sums of fractions differ by rounding: what is left of a count below this part of it is no count.
ROUNDING = 1e-12
WHOLE = 2.0**53  # whole numbers up to here are exact in float64


ColumnMask = NDArray[np.uint8]  # 1 for the columns that stay


class WordTotals(NamedTuple):
    """What a training set says of words: (V,) rows that hold each, how often it stands in them, and rows in all."""

    documents: NDArray[np.int64]
    totals: Numbers
    n_documents: int


@dataclass(frozen=True)
class Counts:
    """Counts of categories or words; build them with :func:`count_levels` or :func:`count_words`.

    Attributes
    ----------
    weight : (..., K)
        Sum of the weights.
    rows : (..., K)
        Number of rows with a positive weight.
    counts : (..., K, L)
        Weighted counts; with many words and groups a sparse matrix with one row per cell: (G K, L).
    importance : bool
        Whether weights are importance weights, which `in_rows` scales to numbers of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from assay.statistics import count_levels
    >>> codes, classes = np.array([[0], [1], [1], [1]]), np.array([0, 0, 1, 1])
    >>> folds = count_levels(codes, classes, 2, [2], group=np.array([0, 1, 0, 1]), n_groups=2)
    >>> folds.complement().counts.tolist()  # training counts of fold 0, then of fold 1
    [[[0, 1], [0, 1]], [[1, 0], [0, 1]]]
    """

    weight: Numbers
    rows: NDArray[np.int64]
    counts: Any
    importance: bool = False

    @property
    def n_classes(self) -> int:
        return int(self.weight.shape[-1])

    @property
    def n_levels(self) -> int:
        """Levels of all columns, or words."""
        return int(self.counts.shape[-1])

    @property
    def sparse(self) -> bool:
        """Whether only counts that are not 0 are kept."""
        return bool(issparse(self.counts))

    @property
    def exact(self) -> bool:
        """Whether all counts are whole numbers, which no operation rounds."""
        return bool(self.counts.dtype.kind == "i" and self.weight.dtype.kind == "i")

    def __getitem__(self, index: Which) -> Counts:
        """Some of the groups: indexes the first axis."""
        weight, rows = self.weight[index], self.rows[index]
        if not self.sparse:
            return replace(self, weight=weight, rows=rows, counts=self.counts[index])
        cells = np.arange(self.weight.size).reshape(self.weight.shape)[index]
        return replace(self, weight=weight, rows=rows, counts=self.counts[cells.ravel()])

    def dense(self) -> Counts:
        """The same with every 0 written out."""
        if not self.sparse:
            return self
        shape = (*self.weight.shape, self.n_levels)
        return replace(self, counts=self.counts.toarray().reshape(shape))

    # -- merging ------------------------------------------------------------------------------------------

    def merge(self, other: Counts) -> Counts:
        """Counts of both sets of rows together."""
        self._check_alike(other)
        return Counts(
            self.weight + other.weight,
            self.rows + other.rows,
            self.counts + other.counts,
            self.importance or other.importance,
        )

    def _check_alike(self, other: Counts) -> None:
        if self.weight.shape != other.weight.shape or self.n_levels != other.n_levels:
            raise ValueError(
                Note(
                    "N030",
                    n_levels=self.n_levels,
                    shape=self.weight.shape,
                    other_levels=other.n_levels,
                    other_shape=other.weight.shape,
                )
            )

    def together(self) -> Counts:
        """All groups merged into one."""
        total = self[0]
        for group in range(1, len(self.weight)):
            total = total.merge(self[group])
        return total

    def combined(self, copies: Numbers) -> Counts:
        """Counts of training sets that see every row of group g `copies[m, g]` times, (M, ...), zeros included.

        Whole numbers stay exact; of fractions nothing is ever subtracted.
        """
        times = np.asarray(copies).astype(np.int64)
        counts = self._routed(times) if self.sparse else _product(times, self.counts)
        weight, rows = _product(times, self.weight), np.asarray(_product(times, self.rows), dtype=np.int64)
        return replace(self, weight=weight, rows=rows, counts=counts)

    def _routed(self, times: NDArray[np.int64]) -> Numbers:
        """Sparse counts combined, of whole numbers each set from the one before it."""
        K = self.n_classes
        out = np.zeros((len(times), K, self.n_levels), dtype=self.counts.dtype)
        for m, copies in enumerate(times):
            change = copies
            if m and self.exact:
                out[m], change = out[m - 1], copies - times[m - 1]
            for group in np.flatnonzero(change):
                part = self.counts[group * K : (group + 1) * K]
                place = np.repeat(np.arange(K), np.diff(part.indptr)), part.indices
                out[m][place] += change[group] * part.data
        return out

    def complement(self, n_folds: int | None = None) -> Counts:
        """For each of the first `n_folds` groups, the merge of all the others."""
        return stack(list(self.complements(n_folds)))

    def complements(self, n_folds: int | None = None) -> Iterator[Counts]:
        """The complement of one group after the other, for whoever has no room for all.

        Whole numbers: all less the group's own, which is exact. Fractions: prefixes with suffixes, which add only.
        """
        groups = len(self.weight)
        n_folds = groups if n_folds is None else n_folds
        if self.exact:
            total = self.together()
            yield from (total._less(self[fold]) for fold in range(n_folds))
            return
        before = self[0]._empty()
        after = [before]
        for fold in range(groups - 1, 0, -1):
            after.append(self[fold].merge(after[-1]))
        for fold in range(n_folds):
            yield before.merge(after.pop())
            before = before.merge(self[fold])

    def _less(self, other: Counts) -> Counts:
        return replace(
            self,
            weight=self.weight - other.weight,
            rows=self.rows - other.rows,
            counts=self.counts - other.counts,
        )

    def _empty(self) -> Counts:
        weight, rows = np.zeros_like(self.weight), np.zeros_like(self.rows)
        return replace(self, weight=weight, rows=rows, counts=self.counts * 0)

    def without(self, other: Counts) -> Counts:
        """These counts after the rows behind `other` left; refused where more would leave than there is."""
        self._check_alike(other)
        left = self._less(other)
        short = left.shortage(self)
        if short is not None:
            *cell, level = short
            raise ValueError(
                Note(
                    "N031",
                    category=level,
                    cell=tuple(cell),
                    counted=self.dense().counts[short],
                    wanted=other.dense().counts[short],
                )
            )
        if left.exact:
            return left
        counts = left.without_rounding(self).counts
        return replace(
            left.without_rounding(self),
            counts=csr_array(counts.reshape(-1, self.n_levels)) if self.sparse else counts,
        )

    def without_each(self, leaving: Counts) -> Counts:
        """One group of counts less each of several groups that are part of it, (G, ...), zeros included."""
        left = self.dense()._less(leaving.dense())
        return left if left.exact else left.without_rounding(self)

    def without_rounding(self, before: Counts) -> Counts:
        """With what subtraction of fractions from the counts `before` leaves of nothing as nothing; zeros included."""
        counts = self.dense().counts
        counts = np.where(counts > ROUNDING * np.abs(before.dense().counts), counts, 0.0)
        weight = np.where(self.rows > 0, np.maximum(self.weight, 0), 0)
        return replace(self, weight=weight, counts=counts)

    def shortage(self, before: Counts) -> tuple[int, ...] | None:
        """Where a count fell below 0 (beyond rounding) when rows left the counts `before`; None: nowhere."""
        counts = self.dense().counts
        least = 0 if self.exact else -ROUNDING * before.dense().counts
        bad = np.argwhere(counts < least)
        return tuple(int(i) for i in bad[0]) if len(bad) else None

    # -- other views --------------------------------------------------------------------------------------

    def in_rows(self) -> Counts:
        """Weights as numbers of rows: importance weights of each group are scaled to add up to its rows."""
        if not self.importance:
            return self
        factor = rows_of_one(self.weight, self.rows)
        if self.sparse:
            counts = csr_array(self.counts.multiply(np.repeat(factor.ravel(), self.n_classes)[:, None]))
        else:
            counts = self.counts * factor[..., None, None]
        return replace(self, weight=self.weight * factor[..., None], counts=counts, importance=False)

    def select(self, columns: Which) -> Counts:
        """Counts of some of the levels or words."""
        if self.sparse:
            return replace(self, counts=csr_array(self.counts[:, columns]))
        return replace(self, counts=self.counts[..., columns])

    def placed(self, position: NDArray[np.intp], n_levels: int) -> Counts:
        """The same counts in a longer list of levels: level l moves to position[l]."""
        counts = np.zeros((*self.weight.shape, n_levels), dtype=self.counts.dtype)
        counts[..., position] = self.dense().counts
        return replace(self, counts=counts)

    def reclassed(self, position: NDArray[np.intp], n_classes: int) -> Counts:
        """The same cells in a longer list of classes: class k moves to position[k]."""

        def spread(values: NDArray[Entry], axis: int) -> NDArray[Entry]:
            shape = list(values.shape)
            shape[axis] = n_classes
            out = np.zeros(shape, dtype=values.dtype)
            index: list[slice | Index] = [slice(None)] * values.ndim
            index[axis] = position
            out[tuple(index)] = values
            return out

        return replace(
            self,
            weight=spread(self.weight, -1),
            rows=spread(self.rows, -1),
            counts=spread(self.dense().counts, -2),
        )

    def of_classes(self, classes: NDArray[np.intp]) -> Counts:
        """Some of the classes."""
        return replace(
            self,
            weight=self.weight[..., classes],
            rows=self.rows[..., classes],
            counts=self.dense().counts[..., classes, :],
        )

    # -- plain arrays -------------------------------------------------------------------------------------

    def to_arrays(self) -> dict[str, Numbers]:
        """The counts as a dictionary of plain arrays, zeros included, and what weights are if not numbers of rows."""
        arrays = {"weight": self.weight, "rows": self.rows, "counts": self.dense().counts}
        return arrays | ({"importance": np.ones(1)} if self.importance else {})

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, ArrayLike]) -> Counts:
        """Counts from what :meth:`to_arrays` gave (also after a trip through ``numpy.savez``)."""
        values = {name: np.asarray(arrays[name]) for name in arrays}
        wanted = {"weight", "rows", "counts"}
        if set(values) - {"importance"} != wanted:
            raise ValueError(Note("N032", given=sorted(values), wanted=sorted(wanted)))
        weight, rows, counts = (values[name] for name in ("weight", "rows", "counts"))
        if weight.ndim < 1 or rows.shape != weight.shape or counts.shape[:-1] != weight.shape:
            raise ValueError(Note("N033", first=weight.shape, second=rows.shape, third=counts.shape))
        importance = bool(np.any(values.get("importance", False)))
        return cls(_numbers(weight), rows.astype(np.int64), _numbers(counts), importance)


def _product(times: NDArray[np.int64], values: Numbers) -> Numbers:
    """Sums over the first axis, each value as often as given; exact for whole numbers."""
    flat = values.reshape(len(values), -1)
    whole = values.dtype.kind == "i"
    if (
        whole
        and float(np.abs(flat).max(initial=0)) * float(np.abs(times).sum(axis=1).max(initial=0)) >= WHOLE
    ):
        product: Numbers = times @ flat
    else:
        with single_threaded():  # a threaded product would change bits with its thread count
            product = times.astype(np.float64) @ flat.astype(np.float64, copy=False)
    return np.asarray(product.astype(values.dtype, copy=False)).reshape(len(times), *values.shape[1:])


def _numbers(values: Cells) -> Numbers:
    return values.astype(np.int64 if values.dtype.kind in "biu" else np.float64)


def stack(parts: list[Counts]) -> Counts:
    """Counts of several groups along a new first axis."""
    weight, rows = np.stack([part.weight for part in parts]), np.stack([part.rows for part in parts])
    tables = [part.counts for part in parts]
    counts = csr_array(vstack(tables, format="csr")) if parts[0].sparse else np.stack(tables)
    return replace(parts[0], weight=weight, rows=rows, counts=counts)
