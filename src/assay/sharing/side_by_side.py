"""Fits side by side on all cores: in threads, or in processes where threads would only take turns.

Fits to a small table hold Python's lock most of the time (a forest is a hundred calls for each of its trees), so that
threads gain nothing; compiled loops over a large one let it go. Processes take about a second to start, so they are
started only where fits take longer, and stay for the next call.
"""

from __future__ import annotations

import functools
import gc
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TypeVar

from sklearn.utils.parallel import Parallel, delayed

from assay.engines.local import helpers

Item = TypeVar("Item")
Kept = TypeVar("Kept")

SMALL_ROWS = 10_000  # of a table from which on compiled code takes most of the time
LARGEST = 2**24  # bytes that are sent with every fit
STARTING, STARTED = 1.0, 0.3  # seconds of fits from which on processes are started, and given work
STAYING = 240.0  # seconds for which they surely stay without work; joblib ends them after 300

_used = -math.inf  # when processes were last given work
_seconds: dict[type, float] = {}  # of a fit of each class that was worth it


def side_by_side(
    work: Callable[[Item], Kept],
    items: Sequence[Item],
    kind: type,
    n_rows: int,
    threads: int,
    done: Callable[[], None],
) -> list[Kept]:
    """work(item) of every item, in order; `done` is called after each of them, and what it raises ends the work.

    Parameters
    ----------
    kind : type
        What is fitted: the first fit tells how long the next ones take.
    n_rows : int
        Rows of the table that is worked on.
    """
    workers = min(threads, len(items))
    results: list[Kept] = []
    if workers <= 1:
        for item in items:
            results.append(work(item))
            done()
        return results
    if n_rows <= SMALL_ROWS and _can_leave(work):
        start = time.monotonic()
        enough = STARTED if start - _used < STAYING else STARTING
        seconds = _seconds.get(kind, 0.0)
        if seconds * len(items) <= enough:
            results.append(work(items[0]))
            done()
            seconds = time.monotonic() - start
        if seconds * (len(items) - len(results)) > enough:
            _seconds[kind] = seconds
            return results + _in_processes(work, items[len(results) :], workers, done)
    with helpers(workers) as pool:
        for result in pool.map(work, items[len(results) :]):
            results.append(result)
            done()
    return results


def _can_leave(work: object) -> bool:
    """Whether the work can be sent to another process, which only the main thread of the first process asks for."""
    if threading.current_thread() is not threading.main_thread():
        return False
    if multiprocessing.current_process().name != "MainProcess":
        return False
    try:
        return len(pickle.dumps(work)) <= LARGEST
    except Exception:  # whatever a model of somebody else raises: it stays here
        return False


def _in_processes(
    work: Callable[[Item], Kept], items: Sequence[Item], workers: int, done: Callable[[], None]
) -> list[Kept]:
    global _used
    pool = Parallel(n_jobs=workers, backend="loky", return_as="generator", max_nbytes=None)
    results: list[Kept] = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*which were still being processed|.*but not used")
        with closing(pool(delayed(_apart)(work, item, os.getpid()) for item in items)) as answers:
            for result in answers:
                results.append(result)
                done()
    _used = time.monotonic()
    return results


def _apart(work: Callable[[Item], Kept], item: Item, caller: int) -> Kept:
    # Where joblib may not start processes, such as inside one of its own, the work stays in the caller's.
    if os.getpid() != caller:
        _settle()
    return work(item)


@functools.cache
def _settle() -> None:
    """Once in every process: it ends with the first one, not by Ctrl-C, and its modules are no garbage.

    A process looks for garbage every second, through all that is imported, which takes as long as a fit.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
