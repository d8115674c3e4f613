"""R's glmnet: `cv.glmnet` with alpha=0, which is our objective with lambda = l2.

R is started beforehand and reads the data from files, so that neither is charged to it; one line on its standard input
is one run. What is timed is the call with the few numbers it writes.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Array, Labels
from benchmarks.harness import Part

NAME = "cv.glmnet(alpha=0)"
SCRIPT = Path(__file__).with_name("glmnet.R")


@cache
def absent() -> str:
    """Why it cannot be measured, or an empty text."""
    program = shutil.which("Rscript")
    if program is None:
        return "R is not installed (Debian: r-cran-glmnet)"
    with tempfile.TemporaryDirectory(prefix="assay-bench-") as folder:
        asks = Path(folder) / "asks.R"
        asks.write_text('cat(requireNamespace("glmnet", quietly = TRUE))\n')
        done = subprocess.run([program, str(asks)], capture_output=True, text=True, check=False)
    there = done.returncode == 0 and done.stdout.strip().endswith("TRUE")
    return "" if there else "R has no package glmnet (Debian: r-cran-glmnet)"


@dataclass(frozen=True)
class Found:
    """Cross-validated errors, and the weights of all rows (C, D) and intercepts (C,) at the weakest penalty."""

    errors: Array
    weights: Array
    intercepts: Array


class Session:
    """An R process that holds the data and waits."""

    def __init__(self, X: Array, y: Labels, fold: NDArray[np.integer], l2: Array) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="assay-bench-")
        self.folder = Path(self._folder.name)
        self.shape = (X.shape[1] + 1, 1 if y.max() == 1 else int(y.max()) + 1)
        (self.folder / "sizes.txt").write_text(f"{len(X)} {X.shape[1]} {y.max() + 1} {len(l2)}\n")
        for name, values in {"X": X.T, "lambda": l2}.items():
            np.ascontiguousarray(values, dtype=np.float64).tofile(self.folder / f"{name}.bin")
        for name, whole in {"y": y, "foldid": fold + 1}.items():
            whole.astype(np.int32).tofile(self.folder / f"{name}.bin")
        self._process = subprocess.Popen(
            [shutil.which("Rscript") or "Rscript", str(SCRIPT), str(self.folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.version = self._heard("ready").removeprefix("ready").strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()  # closes its input, at which it ends
        self._folder.cleanup()

    def part(self) -> Part:
        return Part(f"glmnet {self.version}", {"one thread": self.run})

    def run(self) -> Found:
        """One `cv.glmnet`."""
        assert self._process.stdin is not None
        self._process.stdin.write("run\n")
        self._process.stdin.flush()
        self._heard("done")
        weights = np.fromfile(self.folder / "weights.bin").reshape(self.shape, order="F")
        return Found(np.fromfile(self.folder / "errors.bin"), weights[1:].T, weights[0])

    def _heard(self, expected: str) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.startswith(expected):
            raise RuntimeError(f"R ended instead of saying {expected!r}; it said {line.strip()!r}.")
        return line
