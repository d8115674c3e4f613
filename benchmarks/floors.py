"""What the machine itself needs: a plain read of X, and one X.T @ X.

Both are done the way that proved quickest here: row blocks of a cache's size handed to two threads, each
calling single-threaded BLAS.  No program that must look at all of X can be quicker than the first, none that
needs all its second moments quicker than the second.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController

from benchmarks.data import Array

THREADS = 2
READ_BLOCK = 4096
GRAM_BLOCKS = (512, 1024, 2048, 4096, 8192, 16384)


class Floors:
    """The two floors of one array; the block of X.T @ X is the quickest of a few tried beforehand."""

    def __init__(self, X: Array) -> None:
        self._X = X
        self._controller = ThreadpoolController()
        self._pool = ThreadPoolExecutor(THREADS)
        self.gram_block = min(GRAM_BLOCKS, key=self._gram_seconds)

    def read(self) -> float:
        """Sum of all elements."""
        return float(self._blocked(np.sum, READ_BLOCK))

    def gram(self) -> Array:
        """X.T @ X."""
        product: Array = self._blocked(_gram, self.gram_block)
        return product

    def runs(self) -> dict[str, Callable[[], Any]]:
        return {"read": self.read, "gram": self.gram}

    def close(self) -> None:
        self._pool.shutdown()

    def _gram_seconds(self, block: int) -> float:
        def once() -> float:
            start = perf_counter()
            self._blocked(_gram, block)
            return perf_counter() - start

        return min(once() for _ in range(3))

    def _blocked(self, of_block: Callable[[Array], Any], block: int) -> Any:
        """Sum of `of_block` over row blocks, a contiguous share of the rows to each thread."""
        X = self._X
        bounds = np.linspace(0, len(X), THREADS + 1, dtype=int)

        def share(thread: int) -> Any:
            stop = int(bounds[thread + 1])
            starts = range(int(bounds[thread]), stop, block)
            return sum(of_block(X[start : min(start + block, stop)]) for start in starts)

        with self._controller.limit(limits=1, user_api="blas"):
            return sum(self._pool.map(share, range(THREADS)))


def _gram(block: Array) -> Array:
    product: Array = block.T @ block
    return product
