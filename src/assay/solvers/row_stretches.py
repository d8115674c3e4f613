"""Rows that are visited in an order without all lying in memory: as many at a time as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.types import Array


class RowStretches:
    """Rows (N, D+1) with a column of ones, read by their numbers whenever they are visited.

    read : function of the numbers of some rows, which gives them in that order
    room : how many are read at a time
    """

    def __init__(self, shape: tuple[int, int], read: Callable[[NDArray[np.int64]], Array], room: int) -> None:
        self.shape, self.read, self.room = shape, read, room
        # Not a cached property: those of Python 3.11 hold a lock of the class, and reading may wait for other rows.
        self._largest = max((float(np.abs(Z).max(initial=0.0)) for _, Z in self._stretches()), default=0.0)

    def _stretches(self, order: NDArray[np.int64] | None = None) -> Iterator[tuple[NDArray[np.int64], Array]]:
        for first in range(0, self.shape[0], self.room):
            last = min(first + self.room, self.shape[0])
            which = np.arange(first, last) if order is None else order[first:last]
            yield which, np.ascontiguousarray(self.read(which))

    def epoch(
        self,
        codes: NDArray[np.int32],
        size: Array,
        order: NDArray[np.int64] | None,
        seen: float,
        weights: Array,
        late: Array,
        longest: Array,
    ) -> int:
        """One pass of the perceptron's rule, as the kernel makes it over all rows at once."""
        runs, mistakes, largest = _core.network.PerceptronRuns(), 0, self._largest
        for which, Z in self._stretches(order):
            state = seen, weights, late, longest, largest, runs, float(size.max())
            mistakes += _core.network.perceptron_epoch(Z, codes[which], size[which], None, *state)
            seen += float(size[which].sum())
        if runs.current > runs.longest:
            longest[:] = weights
        return mistakes

    def __matmul__(self, W: Array) -> Array:
        """Scores (N, K) by weights (D+1, K)."""
        scores = np.empty((self.shape[0], W.shape[1]))
        for which, Z in self._stretches():
            scores[which] = Z @ W
        return scores
