"""How long the commands take that should answer at once, as multiples of `python -c "import numpy"`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks import large_file
from benchmarks.harness import Part, Settings, contests
from benchmarks.rows import Row, row_of

# Starting a process is short and noisy, and its runs cost little.
FEWEST_ROUNDS = 9
SMALL = 20_000  # bytes
NUMPY = 'python -c "import numpy"'


def rows(settings: Settings) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        n_rows = large_file.write(Path(folder) / "small.csv", SMALL)
        yield from measure(
            replace(settings, rounds=max(settings.rounds, FEWEST_ROUNDS)), Path(folder), n_rows
        )


def measure(settings: Settings, folder: Path, n_rows: int) -> Iterator[Row]:
    """A row for each command; the commands and the import take turns."""
    commands = {"assay --help": "", "assay models": "", "assay describe small.csv": f", {n_rows} rows"}
    runs = {text: started(folder, "-m", *text.split()) for text in commands}
    part = Part(NUMPY, {"warm": started(folder, "-c", "import numpy")})
    for run in (*runs.values(), *part.settings.values()):
        run()  # warm: compiled files written, libraries in the page cache
    found = contests(settings, runs, [part])
    for text, more in commands.items():
        yield row_of(found[text], f"start-up, {text}{more}", NUMPY, None, sense="at most")


def started(folder: Path, *arguments: str) -> Callable[[], None]:
    """A run of Python from its start to its end."""

    def run() -> None:
        command = [sys.executable, *arguments]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    return run
