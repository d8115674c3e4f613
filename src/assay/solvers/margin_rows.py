"""The rows of one training part, for solvers that ask again and again for a few of them.

A standardised copy in double precision is kept where memory allows; otherwise rows are standardised as they are read.
Of a table of mostly zeros the entries that are none are kept instead: products then touch no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.rows import DenseRows, RowBlock, SolverRows, SparseBlock, SparseRows
from assay.types import Array

Places = NDArray[np.int64]
FILLED = 0.25  # share of entries up to which products with single ones take less time than whole products
ENTRY_BYTES = 12  # of an entry: a number and its column


@dataclass(frozen=True)
class MarginRows:
    """Rows z = (standardised features, 1), by their numbers in the table or in the copy.

    Attributes
    ----------
    places : (N,) row numbers
    table : where rows are read from
    copy : (rows, P+1), optional
        Standardised rows; `places` are rows of it then.
    spans : stretches of consecutive places, which a copy gives out without gathering
    """

    places: Places
    table: SolverRows
    copy: Array | None
    spans: tuple[tuple[int, int], ...]

    @staticmethod
    def of(places: Places, table: SolverRows, copy: Array | _core.base.FilledRows | None) -> MarginRows:
        if isinstance(copy, _core.base.FilledRows):
            return FilledMarginRows(places, table, None, (), copy)
        cuts = np.flatnonzero(np.diff(places) != 1) + 1
        ends = [0, *cuts.tolist(), len(places)]
        return MarginRows(places, table, copy, tuple(zip(ends[:-1], ends[1:], strict=True)))

    def __len__(self) -> int:
        return len(self.places)

    @property
    def width(self) -> int:
        """P."""
        return self.table.width

    def some(self, which: NDArray[np.intp], most_bytes: int) -> MarginRows:
        """A few of the rows, gathered where they fit."""
        places = self.places[which]
        fits = len(places) * (self.table.width + 1) * 8 <= most_bytes
        if self.copy is None and not fits:
            return MarginRows.of(places, self.table, None)
        return MarginRows(np.arange(len(places)), self.table, self._gathered(places), ((0, len(places)),))

    def dense(self, which: NDArray[np.intp]) -> Array:
        """Rows (n, P+1) in full."""
        return self._gathered(self.places[which])

    def _gathered(self, places: Places) -> Array:
        return dense_rows(self.table, places) if self.copy is None else np.take(self.copy, places, axis=0)

    def scores(self, b: Array) -> Array:
        """z·b of every row."""
        out = np.empty(len(self))
        for first, last, part in self._stretches():
            out[first:last] = part @ b if isinstance(part, np.ndarray) else part.scores(b[None])[0]
        return out

    def sums(self, r: Array) -> Array:
        """Σ r z, (M, P+1) of r (M, N)."""
        out = np.zeros((len(r), self.width + 1))
        for first, last, part in self._stretches():
            coefficients = r[:, first:last]
            out += coefficients @ part if isinstance(part, np.ndarray) else part.products(coefficients)
        return out

    def sums_of(self, which: NDArray[np.intp], r: Array) -> Array:
        """The same over a few of the rows, r (M, n)."""
        return np.asarray(r @ self.dense(which))

    def _stretches(self) -> Iterator[tuple[int, int, Array | RowBlock]]:
        if self.copy is None:
            for first in range(0, len(self), self.table.rows_a_block):
                block_places = self.places[first : first + self.table.rows_a_block]
                yield first, first + len(block_places), _block(self.table, block_places)
            return
        for first, last in self.spans:
            if last > first:
                start = int(self.places[first])
                yield first, last, self.copy[start : start + last - first]


@dataclass(frozen=True)
class FilledMarginRows(MarginRows):
    """Rows by their filled entries, which may be those of other coordinates than the columns of the table."""

    filled: _core.base.FilledRows

    @property
    def width(self) -> int:
        """P."""
        return self.filled.shape[1]

    def some(self, which: NDArray[np.intp], most_bytes: int) -> MarginRows:
        """A few of the rows."""
        return replace(self, places=self.places[which])

    def _gathered(self, places: Places) -> Array:
        out = np.empty((len(places), self.width + 1))
        self.filled.dense(places, out)
        return out

    def scores(self, b: Array) -> Array:
        """z·b of every row."""
        out = np.empty(len(self))
        self.filled.scores(self.places, b, out)
        return out

    def sums(self, r: Array) -> Array:
        """Σ r z, (M, P+1) of r (M, N)."""
        return self._sums(self.places, r)

    def sums_of(self, which: NDArray[np.intp], r: Array) -> Array:
        """The same over a few of the rows, r (M, n)."""
        return self._sums(self.places[which], r)

    def _sums(self, places: Places, r: Array) -> Array:
        out = np.zeros((len(r), self.width + 1))
        self.filled.sums(places, r, out)
        return out


def kept_rows(table: SolverRows, places: Places, most_bytes: int) -> Array | _core.base.FilledRows | None:
    """Standardised rows of these numbers: by their filled entries where those are few, in full where they fit."""
    if isinstance(table, DenseRows):
        most = min(int(FILLED * len(places) * table.width), most_bytes // ENTRY_BYTES)
        filled_rows = _core.base.fill_rows(
            table.X, places, table.fill, table.indicators, np.arange(table.width), table.center, table.unit,
            np.inf, most,
        )  # fmt: skip
        if filled_rows is not None:
            return filled_rows
    return dense_rows(table, places) if len(places) * (table.width + 1) * 8 <= most_bytes else None


def dense_rows(table: SolverRows, places: Places) -> Array:
    """Standardised rows (n, P+1) of these numbers."""
    out = np.empty((len(places), table.width + 1))
    for first in range(0, len(places), table.rows_a_block):
        block = slice(first, first + table.rows_a_block)
        out[block] = _block(table, places[block]).dense()
    return out


def _block(table: SolverRows, places: Places) -> RowBlock:
    """A block for this once: a sparse table keeps those it cuts, and ours are never the same."""
    if isinstance(table, SparseRows):
        return SparseBlock(table.X[places], table.unit)
    return table.block(places)
