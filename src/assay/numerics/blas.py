"""BLAS and LAPACK inside Assay run single-threaded.

They change bits with their thread count, and on our small matrices threads cost time. The setting belongs to
the whole process, so the limit is counted: the first computation in sets it, the last one out restores what
the user had.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from threadpoolctl import ThreadpoolController


class _Holding:
    """How many computations of this process hold BLAS at one thread, and how to let it go."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.depth = 0
        self.limiter: Any = None

    def enter(self) -> None:
        with self.lock:
            if self.depth == 0:
                self.limiter = _controller().limit(limits=1)
            self.depth += 1

    def leave(self) -> None:
        with self.lock:
            self.depth -= 1
            if self.depth == 0:
                self._release()

    def _release(self) -> None:
        limiter, self.limiter = self.limiter, None
        if limiter is not None:
            limiter.restore_original_limits()


@functools.cache
def _controller() -> ThreadpoolController:
    import scipy.linalg  # noqa: F401  both OpenBLAS copies, NumPy's and SciPy's, must be loaded to be seen

    return ThreadpoolController().select(user_api="blas")


_holding = _Holding()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Hold every BLAS of the process at one thread; nests, and is safe to enter from several threads."""
    mine = _holding  # a child forked inside the block leaves the count it entered, not its own new one
    mine.enter()
    try:
        yield
    finally:
        mine.leave()


def _forget_after_fork() -> None:
    """A child starts outside every computation: its parent's locks and counts mean nothing in it."""
    global _holding
    parents, _holding = _holding, _Holding()
    parents.lock = threading.Lock()  # another thread of the parent may have held it
    parents._release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
