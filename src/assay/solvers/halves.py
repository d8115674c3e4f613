"""Work cut into two fixed halves, for two threads: the same bits as one thread that does one half after the other."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[Any]
WORTH = 1 << 21  # multiplications from which a product is worth a second thread
LONG = 1 << 14  # numbers from which work element by element is


class Halves:
    """Two hands, or one that does both halves; use it in a `with` block."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(1) if threads > 1 else None

    def __enter__(self) -> Halves:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def over(self, length: int, work: Callable[[slice], Any]) -> None:
        """Do the work for either half of 0..length."""
        middle = length // 2
        if self._pool is None:
            work(slice(0, middle))
            work(slice(middle, length))
            return
        other = self._pool.submit(work, slice(middle, length))
        work(slice(0, middle))
        other.result()

    def product(self, A: Floats, B: Floats, out: Floats) -> None:
        """A B; a large product half the rows at a time."""
        if len(A) * B.size < WORTH:
            np.matmul(A, B, out=out)
        else:
            self.over(len(A), lambda half: np.matmul(A[half], B, out=out[half]))

    def elementwise(self, length: int, work: Callable[[slice], Any]) -> None:
        """Work in which no element looks at another."""
        if length < LONG:
            work(slice(0, length))
        else:
            self.over(length, work)
