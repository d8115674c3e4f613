"""Peak extra memory of a 10-fold evaluation, and of a nested choice, less the stored posteriors, as a share of X."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.harness import Settings
from benchmarks.rows import Row, absent_row
from benchmarks.workloads.kfold import CLASSES, FEATURES, FOLDS, ROWS

TARGET = 0.3
CHOICE = (1_000_000, 20, 10, 10)  # rows, features, classes, folds of the nested choice
CHOICE_TARGET = 0.5
MEGABYTE = 1e6
ROOT = Path(__file__).parents[2]


def rows(settings: Settings) -> Iterator[Row]:
    for name in ("naive", "shared", "full", "family"):
        yield measure(settings, name, f"{name}, ", (settings.rows(ROWS), FEATURES, CLASSES, FOLDS), TARGET)
    sizes = (settings.rows(CHOICE[0]), *CHOICE[1:])
    yield measure(settings, "nested", "choice among 20 Gaussian settings, nested in ", sizes, CHOICE_TARGET)


def measure(settings: Settings, name: str, work: str, sizes: tuple[int, int, int, int], target: float) -> Row:
    """Peaks of as many fresh processes as there are rounds."""
    n_rows, features, classes, folds = sizes
    title = f"peak extra memory, {work}{folds}-fold, {n_rows}x{features}, {classes} classes"
    if not Path("/proc/self/status").exists():
        reason = "this system has no /proc to read the peak from"
        return absent_row(title, "size of X", target, reason, sense="at most")
    command = [sys.executable, "-m", "benchmarks.peak", name, *map(str, sizes)]
    found = []
    for _ in range(settings.rounds):
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        found.append(json.loads(done.stdout))
    extras = tuple((one["extra"] - one["posteriors"]) / MEGABYTE for one in found)
    size, stored = found[0]["size"] / MEGABYTE, found[0]["posteriors"] / MEGABYTE
    return Row(
        workload=title,
        rival="size of X",
        sense="at most",
        target=target,
        unit="MB",
        sign=" of X",
        ours=extras,
        theirs=(size,) * len(extras),
        ratios=tuple(extra / size for extra in extras),
        notes=(f"{len(extras)} processes", f"{stored:.1f} MB of posteriors not counted", *_doubt(found)),
    )


def _doubt(found: list[dict[str, float | bool]]) -> list[str]:
    if all(one["exact"] for one in found):
        return []
    return ["the kernel would not reset the peak: an upper bound"]
