"""BLAS and LAPACK inside Assay run single-threaded.

They change bits with their thread count, and on our small matrices threads cost time. The setting belongs to
the whole process, so the limit is counted: the first computation in sets it, the last one out restores what
the user had.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from threadpoolctl import ThreadpoolController

# Around every change of a limit, and around a fork: no child starts in the middle of one.
_lock = threading.Lock()


class Limits(Protocol):
    """What threadpoolctl gives back when a limit is set."""

    def restore_original_limits(self) -> None: ...


class Library(Protocol):
    """What threadpoolctl says of a library."""

    @property
    def internal_api(self) -> str: ...


class _Holding:
    """How many computations hold some BLAS libraries at one thread, and how to let them go."""

    def __init__(self, libraries: Callable[[], ThreadpoolController]) -> None:
        self.libraries = libraries
        self.depth = 0
        self.limiter: Limits | None = None

    def enter(self) -> None:
        with _lock:
            if self.depth == 0:
                _take_control()
                self.limiter = self.libraries().limit(limits=1)
            self.depth += 1

    def leave(self) -> None:
        with _lock:
            self.depth -= 1
            if self.depth == 0:
                self.release()

    def release(self) -> None:
        limiter, self.limiter = self.limiter, None
        if limiter is not None:
            _take_control()
            limiter.restore_original_limits()
            _take_control()


def _take_control() -> None:
    """Let any thread set limits next.

    From threadpoolctl 3.8 on, the first thread that sets a limit of OpenBLAS keeps that right and the calls of all
    others are ignored; ours must count whichever thread comes first and whichever leaves last.
    """
    for library in _all_libraries().lib_controllers:
        clear = getattr(library, "clear_controlling_thread", None)
        if clear is not None:
            clear(force=True)


@functools.cache
def _all_libraries() -> ThreadpoolController:
    import scipy.linalg  # noqa: F401  both OpenBLAS copies, NumPy's and SciPy's, must be loaded to be seen

    return ThreadpoolController().select(user_api="blas")


def _limited_by_thread(library: Library) -> bool:
    """Whether a limit of this library holds in the calling thread only (MKL, OpenBLAS on OpenMP)."""
    on_openmp = getattr(library, "threading_layer", None) == "openmp"
    return library.internal_api == "mkl" or (on_openmp and hasattr(library, "clear_controlling_thread"))


@functools.cache
def _shared_libraries() -> ThreadpoolController:
    """The libraries with one setting for the whole process."""
    libraries = _all_libraries().lib_controllers
    return _all_libraries().select(filepath=[x.filepath for x in libraries if not _limited_by_thread(x)])


@functools.cache
def _thread_libraries() -> ThreadpoolController:
    """The libraries in which every thread has a setting of its own."""
    libraries = _all_libraries().lib_controllers
    return _all_libraries().select(filepath=[x.filepath for x in libraries if _limited_by_thread(x)])


class _OwnHolding(threading.local):
    """One count for each thread."""

    def __init__(self) -> None:
        self.holding = _Holding(_thread_libraries)


_holding = _Holding(_shared_libraries)
_own = _OwnHolding()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Hold every BLAS of the process at one thread; nests, and is safe to enter from several threads."""
    # Kept here: a child forked inside the block leaves the counts it entered, not its own new ones.
    process, thread = _holding, _own.holding
    process.enter()
    try:
        thread.enter()
        try:
            yield
        finally:
            thread.leave()
    finally:
        process.leave()


def bounds_every_thread() -> bool:
    """Whether `single_threaded` holds in threads of compiled code too, which cannot enter it."""
    return not _thread_libraries().lib_controllers


def _forget_after_fork() -> None:
    """A child starts outside every computation: its parent's counts mean nothing in it."""
    global _holding, _own
    parents = (_holding, _own.holding)
    _holding, _own = _Holding(_shared_libraries), _OwnHolding()
    for holding in parents:
        holding.release()
    _lock.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget_after_fork
    )


@contextmanager
def one_openmp_thread() -> Iterator[None]:
    """One OpenMP thread for what the calling thread does.

    The sums of scikit-learn's boosting, say, change bits with the number of threads; and on busy cores its threads
    wait for each other longer than they work.
    """
    with _openmp_libraries(len(sys.modules)).limit(limits=1):
        yield


@functools.lru_cache(maxsize=1)
def _openmp_libraries(modules: int) -> ThreadpoolController:
    """OpenMP libraries; looked for again when modules have been imported since, which may have brought one."""
    return ThreadpoolController().select(user_api="openmp")
