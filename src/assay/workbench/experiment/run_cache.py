"""Runs that name no folder are kept in the user's cache: the newest twenty, and at most a gigabyte of them."""

from __future__ import annotations

import os
import re
import shutil
import time
from pathlib import Path

from assay.notes import Note
from assay.workbench.experiment.run_lock import is_locked

MOST_RUNS, MOST_BYTES = 20, 10**9
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")


def cache_folder() -> Path:
    """Where runs are kept: in XDG_CACHE_HOME, if that is an absolute path, else in ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "assay" / "runs"


def keep_run(source: str) -> tuple[Path | None, tuple[Note, ...]]:
    """A new folder for a run over this source; None, and a note, where the cache cannot be written to."""
    runs = cache_folder()
    name = _NOT_IN_NAMES.sub("-", Path(source).name.split(".")[0])[:40].strip("-") or "table"
    stem = f"{time.strftime('%Y%m%d-%H%M%S')}-{name}"
    try:
        runs.mkdir(parents=True, exist_ok=True)
        for number in range(MOST_RUNS * MOST_RUNS):
            path = runs / (f"{stem}-{number}" if number else stem)
            if not path.exists():
                path.mkdir()
                return path, ()
    except OSError as error:
        return None, (Note("C067", path=str(runs), strerror=error.strerror or str(error)),)
    return None, (Note("C067", path=str(runs), strerror="too many runs at a time"),)


def remove_old_runs() -> None:
    """Remove the oldest runs beyond the limits, as far as nobody is writing to them; the newest one always stays."""
    runs = cache_folder()
    newest_first = sorted((path for path in runs.iterdir() if path.is_dir()), key=_when, reverse=True)
    total = 0
    for place, path in enumerate(newest_first):
        total += _size(path)
        if place and (place >= MOST_RUNS or total > MOST_BYTES) and not is_locked(path):
            shutil.rmtree(path, ignore_errors=True)


def _when(path: Path) -> tuple[float, str]:
    return path.stat().st_mtime, path.name


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
