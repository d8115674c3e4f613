"""Processor time of this process and of all processes below it: divided by seconds, the cores that are busy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time

PROCESSES = Path("/proc")


def processor_seconds() -> float:
    """Seconds up to now, those of workers that still wait for work included (where the system has /proc)."""
    ended = os.times()
    working = sum(_ticks(process) for process in _below(PROCESSES / "self"))
    return process_time() + ended.children_user + ended.children_system + working / os.sysconf("SC_CLK_TCK")


def _below(process: Path) -> Iterator[Path]:
    """Processes that a process has started and not waited for, and all below them."""
    with suppress(OSError):  # it has just ended
        for listing in process.glob("task/*/children"):
            for number in listing.read_text().split():
                yield PROCESSES / number
                yield from _below(PROCESSES / number)


def _ticks(process: Path) -> int:
    """User and system time of a process and of those that it has waited for."""
    try:
        fields = (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15]))
