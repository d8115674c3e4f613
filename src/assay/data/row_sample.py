"""A sample of rows that depends on row numbers alone: the same from memory, from disk, and in blocks of any size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.data.table import Table, stack
from assay.numerics.row_hash import row_hashes

KEY = 0xA55A  # any fixed number; other keys give other samples


def row_keys(first: int, count: int) -> NDArray[np.uint64]:
    """A random-looking number for each of the rows `first`, `first + 1`, ..., no two alike."""
    return row_hashes(KEY, np.arange(first, first + count))


def sampled_rows(n_rows: int, most: int) -> NDArray[np.int64]:
    """The `most` rows with the smallest keys, in order; all rows if there are no more than that.

    >>> sampled_rows(5, 3), sampled_rows(2, 3)
    (array([0, 3, 4]), array([0, 1]))
    """
    if n_rows <= most:
        return np.arange(n_rows, dtype=np.int64)
    return np.sort(np.argpartition(row_keys(0, n_rows), most - 1)[:most])


class RowSample:
    """At most `most` rows of a stream of blocks: those that `sampled_rows` takes from the whole table.

    Memory is bounded by three times `most` rows, however long the stream.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.n_rows = 0
        self._parts: list[Table] = []
        self._keys = np.empty(0, dtype=np.uint64)
        self._limit = np.uint64(np.iinfo(np.uint64).max)

    def add(self, block: Table) -> None:
        keys = row_keys(self.n_rows, len(block))
        self.n_rows += len(block)
        rows = np.flatnonzero(keys <= self._limit)
        if not len(rows) and self._parts:
            return
        self._parts.append(block if len(rows) == len(block) else block.take(rows))
        self._keys = np.append(self._keys, keys[rows])
        if len(self._keys) > 2 * self.most:
            self._prune()

    def table(self) -> Table | None:
        """The sampled rows in the order of the stream; None if no block came."""
        if not self._parts:
            return None
        if len(self._keys) > self.most:
            self._prune()
        return stack(self._parts)

    def _prune(self) -> None:
        best = np.sort(np.argpartition(self._keys, self.most - 1)[: self.most])
        self._parts = [stack(self._parts).take(best)]
        self._keys = self._keys[best]
        self._limit = self._keys.max()
