"""Steps of a journey: the program run in a folder as a new user would run it, and what it leaves there."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from sklearn.datasets import load_iris

from assay.main import main
from tests.commands.conftest import Done, write_csv
from tests.commands.runs import COMMAND, UNSET, environment

TIMES = ("fit_seconds", "predict_seconds")
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width", "species"]


def assay_in(folder: Path, *arguments: object) -> Done:
    """Run the program in this process, its folder and streams being those of a shell in `folder`."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)]
    out, err = streams
    kept = {name: value for name, value in os.environ.items() if name not in UNSET}
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, kept, clear=True),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main([str(argument) for argument in arguments])
    return Done(code, *(stream.buffer.getvalue().decode("utf-8") for stream in streams))  # type: ignore[attr-defined]


def done(folder: Path, *arguments: object) -> Done:
    """The same for a step that must succeed."""
    found = assay_in(folder, *arguments)
    assert found.code == 0, (arguments, found)
    assert "\x1b" not in found.out + found.err
    return found


def start(folder: Path, *arguments: object, **streams: Any) -> subprocess.Popen[str]:
    """The program as a process of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    command = [*COMMAND, *(str(argument) for argument in arguments)]
    return subprocess.Popen(command, cwd=folder, env=environment(), text=True, **pipes)


def wait_until(there: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Return as soon as something is there, or the process has ended."""
    while not there() and process.poll() is None:
        time.sleep(0.01)


@contextlib.contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """No process outlives its test."""
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()


def board(run: Path) -> list[dict[str, Any]]:
    """The leaderboard that a run folder holds, without its times: those are never the same twice."""
    rows = json.loads((run / "leaderboard.json").read_text(encoding="utf-8"))
    return [{key: value for key, value in row.items() if key not in TIMES} for row in rows]


def leftovers(folder: Path) -> list[str]:
    """Half-written files anywhere below a folder."""
    return [path.name for path in folder.rglob("*") if path.name.startswith(".") or ".part" in path.name]


def predicted(text: str) -> list[str]:
    """The column of labels that `predict` writes."""
    return [row["predicted"] for row in csv.DictReader(io.StringIO(text))]


def write_iris(folder: Path) -> Path:
    """Fisher's irises as a file: four numbers, three species."""
    bunch = load_iris()
    rows = [[*row, bunch.target_names[k]] for row, k in zip(bunch.data.tolist(), bunch.target, strict=True)]
    return write_csv(folder / "iris.csv", NAMES, rows)


def write_blobs(folder: Path, n_rows: int, n_columns: int = 8, seed: int = 0) -> Path:
    """Two classes that overlap, for runs whose length a test chooses."""
    draw = np.random.default_rng(seed)
    codes = draw.integers(2, size=n_rows)
    X = np.round(draw.normal(size=(n_rows, n_columns)) + 0.6 * codes[:, None], 3)
    rows: Sequence[Sequence[Any]] = [[*row, "ab"[k]] for row, k in zip(X.tolist(), codes, strict=True)]
    return write_csv(folder / "blobs.csv", [*(f"x{j}" for j in range(n_columns)), "class"], rows)
