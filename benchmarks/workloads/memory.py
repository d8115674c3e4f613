"""Peak extra memory of a 10-fold evaluation, less the stored posteriors, as a share of the size of X."""

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
MEGABYTE = 1e6
ROOT = Path(__file__).parents[2]


def rows(settings: Settings) -> Iterator[Row]:
    n_rows = settings.rows(ROWS)
    for name in ("naive", "shared", "full", "family"):
        title = f"peak extra memory, {name}, {FOLDS}-fold, {n_rows}x{FEATURES}, {CLASSES} classes"
        if not Path("/proc/self/status").exists():
            reason = "this system has no /proc to read the peak from"
            yield absent_row(title, "size of X", TARGET, reason, sense="at most")
        else:
            yield measure(settings, name, title, n_rows)


def measure(settings: Settings, name: str, title: str, n_rows: int) -> Row:
    """Peaks of as many fresh processes as there are rounds."""
    command = [sys.executable, "-m", "benchmarks.peak", name, *map(str, (n_rows, FEATURES, CLASSES, FOLDS))]
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
        target=TARGET,
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
