"""How many threads, and how much memory, a computation on this machine may use."""

from __future__ import annotations

import operator
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from assay.engines.progress import Meter
from assay.engines.progress import ShowProgress as Progress
from assay.notes import Note
from assay.numerics.interrupt import stop_events, stop_with

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

MOST_THREADS = 1024  # a slip such as n_jobs=10**6 must not ask the system for a million threads


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cgroup_quota() -> int | None:
    """Whole processors a container may use, or None where nothing limits it."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return None if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _from_environment(name: str) -> int | None:
    """A thread count from the environment; a list such as OMP_NUM_THREADS=4,2 counts by its first entry."""
    text = os.environ.get(name, "").split(",")[0].strip()
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(Note("N046", name=name, text=text))
    return int(text)


def _whole(n_jobs: int) -> int:
    """`n_jobs` checked: a whole number of threads, or -1."""
    note = Note("O200", n_jobs=n_jobs)
    try:
        count = operator.index(n_jobs)
    except TypeError:
        raise TypeError(note) from None
    if count < 1 and count != -1:
        raise ValueError(note)
    return count


def thread_count(n_jobs: int | None = None) -> int:
    """Threads to use: `n_jobs` if given (-1: all), else ASSAY_THREADS, else what the machine grants.

    >>> thread_count(3)
    3
    """
    requested = _from_environment("ASSAY_THREADS") if n_jobs is None else _whole(n_jobs)
    if requested is not None and requested != -1:
        return min(requested, _share.get())
    limits = [_affinity(), _cgroup_quota(), _from_environment("OMP_NUM_THREADS"), _share.get()]
    return min(limit for limit in limits if limit is not None)


_share: ContextVar[int] = ContextVar("share", default=MOST_THREADS)


@contextmanager
def at_most(threads: int) -> Iterator[None]:
    """No more threads for what the calling thread does: others work beside it.

    >>> with at_most(1):
    ...     thread_count(8)
    1
    """
    token = _share.set(min(threads, _share.get()))
    try:
        yield
    finally:
        _share.reset(token)


@contextmanager
def helpers(workers: int) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads; left early, by an error or Ctrl-C, what they still do ends at its next `check_interrupt`."""
    ended = threading.Event()
    pool = ThreadPoolExecutor(workers, initializer=stop_with, initargs=(*stop_events(), ended))
    try:
        yield pool
    finally:
        ended.set()
        pool.shutdown(cancel_futures=True)


def spread(
    work: Callable[[Item, int], Outcome], items: Sequence[Item], n_jobs: int | None = None
) -> list[Outcome]:
    """work(item, threads) of every item, in order; of several items, some at a time with their share of the threads.

    >>> spread(lambda item, threads: item * item, [1, 2, 3], 2)
    [1, 4, 9]
    """
    threads = thread_count(n_jobs)
    workers = min(threads, len(items))
    if workers <= 1:
        return [work(item, threads) for item in items]
    with helpers(workers) as pool:
        return list(pool.map(lambda item: work(item, max(1, threads // workers)), items))


_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def memory_limit() -> int:
    """Bytes that statistics may take: ASSAY_MEMORY (such as 800M or 4G), else a quarter of the machine's memory.

    >>> memory_limit() > 2**20
    True
    """
    text = os.environ.get("ASSAY_MEMORY", "").strip().upper().removesuffix("B")
    if not text:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    number, unit = (text[:-1], text[-1]) if text[-1] in _UNITS else (text, "")
    try:
        limit = int(float(number) * _UNITS[unit])
    except (ValueError, OverflowError):
        limit = 0
    if limit < 1:
        raise ValueError(Note("N047", text=text))
    return limit


class Engine(Protocol):
    """Where work is done: how many threads and how much memory there are, and how the user hears of progress."""

    @property
    def threads(self) -> int: ...
    @property
    def memory(self) -> int: ...
    def each(
        self, tasks: Sequence[Item], work: Callable[[Item], Outcome], label: str = "", together: bool = True
    ) -> Iterator[Outcome]: ...
    def meter(self, total: int, label: str) -> Meter: ...


@dataclass(frozen=True)
class LocalEngine:
    """Threads of this process.

    Examples
    --------
    >>> list(LocalEngine(2).each([1, 2, 3], lambda number: number * number))
    [1, 4, 9]
    """

    n_jobs: int | None = None
    progress: Progress = None

    @property
    def threads(self) -> int:
        """Threads that the caller may use: inside `each` its share of them."""
        return thread_count(self.n_jobs)

    @property
    def memory(self) -> int:
        """Bytes that statistics and scores may take."""
        return memory_limit()

    def each(
        self, tasks: Sequence[Item], work: Callable[[Item], Outcome], label: str = "", together: bool = True
    ) -> Iterator[Outcome]:
        """work(task) of every task, in order; several at a time, each with its share of the threads, if `together`."""
        threads = self.threads
        workers = min(threads, len(tasks)) if together else 1
        with self.meter(len(tasks), label) as meter:
            if workers <= 1:
                for task in tasks:
                    yield work(task)
                    meter.advance()
                return
            with helpers(workers) as pool:
                for outcome in pool.map(partial(_with_share, work, max(1, threads // workers)), tasks):
                    yield outcome
                    meter.advance()

    def meter(self, total: int, label: str) -> Meter:
        """Counts parts that are done, on the user's terminal or for the user's function."""
        return Meter(total, label, self.progress)


def _with_share(work: Callable[[Item], Outcome], threads: int, task: Item) -> Outcome:
    with at_most(threads):
        return work(task)
