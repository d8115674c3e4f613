"""`assay fit` of models solved from statistics on a file larger than memory should have to be: its peak memory.

The file is written to a temporary folder and removed at the end.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import large_file, real_data
from benchmarks.harness import Settings
from benchmarks.rows import Row, absent_row
from benchmarks.table import quantity

SIZE = 2_000_000_000
ROOM = 2.5  # times the file must be free on the disk
LIMIT = 600.0
MODELS = ("gaussian_nb", "gaussian_shared")
MEGABYTE = 1e6


def rows(settings: Settings) -> Iterator[Row]:
    size = settings.rows(SIZE)
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        reason = absent(Path(folder), size)
        if reason:
            yield from (
                absent_row(_title(model, size), _rival(), 1.0, reason, sense="at most") for model in MODELS
            )
            return
        path = Path(folder) / "large.csv"
        start = perf_counter()
        n_rows = large_file.write(path, size)
        settings.report(f"{quantity(size / MEGABYTE, 'MB')} written in {perf_counter() - start:.3g} s")
        for model in MODELS:
            yield measure(settings, model, path, n_rows)


def absent(folder: Path, size: int) -> str:
    """Why nothing can be measured, or an empty text."""
    if not hasattr(os, "wait4"):
        return "this system does not tell the peak of a process"
    free = shutil.disk_usage(folder).free
    if free < ROOM * size:
        return f"{folder.parent} has {free / 1e9:.1f} GB free and {ROOM * size / 1e9:.1f} GB are needed"
    return ""


def measure(settings: Settings, model: str, path: Path, n_rows: int) -> Row:
    """The peak of one process; it hardly differs from one run to the next."""
    size = path.stat().st_size
    command = ["fit", str(path), "--target", "y", "--model", model, "--out", str(path.with_suffix(".assay"))]
    found = watched([sys.executable, "-m", "assay", *command])
    peak, speed = found["peak"] / MEGABYTE, size / MEGABYTE / found["seconds"]
    settings.report(f"{model}: {peak:.0f} MB at its highest, {speed:.3g} MB/s")
    return Row(
        workload=_title(model, size),
        rival=_rival(),
        sense="at most",
        target=1.0,
        unit="MB",
        sign=" of it",
        ours=(peak,),
        theirs=(LIMIT,),
        ratios=(peak / LIMIT,),
        notes=(
            f"one process, {quantity(found['seconds'], 's')}, {quantity(speed, 'MB')}/s of the file",
            f"{n_rows} rows of {large_file.COLUMNS} numbers and a class",
            f"the size of the file is {size / MEGABYTE / peak:.1f} times the peak",
        ),
    )


def watched(command: list[str]) -> dict[str, Any]:
    """Peak memory and seconds of a command that must succeed."""
    watch = [sys.executable, "-m", "benchmarks.watch", *command]
    done = subprocess.run(watch, cwd=real_data.ROOT, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    if found["code"] != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {found['code']}: {done.stderr.strip()}")
    return found


def _title(model: str, size: int) -> str:
    return f"peak memory, assay fit, {model}, CSV of {size / 1e9:.2g} GB"


def _rival() -> str:
    return f"limit of {LIMIT:.0f} MB"
