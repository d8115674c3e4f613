"""How many threads a computation on this machine may use."""

from __future__ import annotations

import os
from pathlib import Path


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cgroup_quota() -> int | None:
    """Whole processors a container may use, or None where nothing limits it."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return None if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return None


def _from_environment(name: str) -> int | None:
    """A thread count from the environment; a list such as OMP_NUM_THREADS=4,2 counts by its first entry."""
    text = os.environ.get(name, "").split(",")[0].strip()
    if not text:
        return None
    if not text.isdigit() or int(text) < 1:
        raise ValueError(f"{name}={text!r} is not a number of threads; set it to 1 or more, or unset it.")
    return int(text)


def thread_count(n_jobs: int | None = None) -> int:
    """Threads to use: `n_jobs` if given (-1: all), else ASSAY_THREADS, else what the machine grants.

    >>> thread_count(3)
    3
    """
    if n_jobs is not None and n_jobs != -1:
        if n_jobs < 1:
            raise ValueError(f"n_jobs={n_jobs} is not a number of threads; give 1 or more, or -1 for all.")
        return n_jobs
    asked = _from_environment("ASSAY_THREADS") if n_jobs is None else None
    if asked is not None:
        return asked
    limits = [_affinity(), _cgroup_quota(), _from_environment("OMP_NUM_THREADS")]
    return min(limit for limit in limits if limit is not None)
