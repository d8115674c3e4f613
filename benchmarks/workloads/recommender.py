"""Five folds of the Jester ratings by both similarities: every rating predicted from the 50 nearest critics."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

import assay
from benchmarks import ours
from benchmarks.harness import Part, Settings, contest
from benchmarks.real_data import absent, path_of
from benchmarks.rivals import ratings
from benchmarks.rows import Row, absent_row, row_of

FILE = "jester1.csv.gz"
FOLDS, NEIGHBORS = 5, 50
SURPRISE_USERS, NUMPY_USERS, PEAK_USERS = 1500, 250, 5000
TARGET, MEMORY_TARGET = 5.0, 0.1
ROOT = Path(__file__).parents[2]
Array = NDArray[Any]


def matrix(users: int | None = None) -> Array:
    """Users by jokes, NaN where there is no rating."""
    with gzip.open(path_of(FILE), "rt") as lines:
        counted = next(lines).rstrip().split(",").index("n_rated")
        ratings = [line.rstrip("\n").split(",") for line in islice(lines, users)]
    numbers: Array = np.array([[float(cell or "nan") for cell in row] for row in ratings])
    return np.delete(numbers, counted, axis=1)


def folds_of(R: Array) -> Array:
    """The fold of every rating, user by user."""
    count = int((~np.isnan(R)).sum())
    fold: Array = ours.KFold(FOLDS, stratified=False).partitions(np.zeros(count, dtype=np.int32))[0].fold
    return fold


def evaluated(R: Array) -> Any:
    """Both similarities, the weighted mean."""
    return assay.rating_errors(R, FOLDS, predictions=["weighted"], n_neighbors=NEIGHBORS)


def rows(settings: Settings) -> Iterator[Row]:
    if reason := absent(FILE):
        yield absent_row("recommender, Jester", "scikit-surprise", TARGET, reason)
        return
    R = matrix(1000 if settings.quick else None)
    users, count = len(R), int((~np.isnan(R)).sum())
    title = f"{FOLDS}-fold RMSE of both similarities, {users} users, {count} ratings, {NEIGHBORS} neighbours"
    parts = [part for part in (_surprise(R, settings.quick), _numpy(R)) if part is not None]
    for part in parts:
        result = contest(settings, lambda: evaluated(R), [part])
        found = result.value
        notes = [
            "RMSE "
            + ", ".join(
                f"{name} {found.of(name, 'weighted').rmse.value:.3f}" for name in ("euclidean", "pearson")
            )
        ]
        if part.name.startswith("NumPy"):
            notes.append(f"predictions differ by at most {_apart(R, found, result.parts[0].value):.1e}")
        yield row_of(result, title, part.name, TARGET, notes=notes)
    yield _memory(settings)


def _surprise(R: Array, quick: bool) -> Part | None:
    if ratings.surprise_absent():
        return None
    some = R[: SURPRISE_USERS // 5 if quick else SURPRISE_USERS]
    fold = folds_of(some)
    pairs = len(some) ** 2, FOLDS * len(R) ** 2
    name = f"scikit-surprise, one fold of {len(some)} users, by pairs of users"
    return Part(name, {"": lambda: ratings.surprise_errors(some, fold, NEIGHBORS)}, *pairs)


def _first_fold(R: Array) -> tuple[Array, list[Array]]:
    """The training part of the first fold, and what its first users are asked."""
    train = R.copy()
    train[~np.isnan(R)] = np.where(folds_of(R) == 0, np.nan, R[~np.isnan(R)])
    left_out = ~np.isnan(R[:NUMPY_USERS]) & np.isnan(train[:NUMPY_USERS])
    return train, [np.flatnonzero(row) for row in left_out]


def _numpy(R: Array) -> Part:
    train, asked = _first_fold(R)
    return Part(
        f"NumPy and BLAS, {NUMPY_USERS} users of one fold",
        {"": lambda: ratings.numpy_predictions(R, train, asked, NEIGHBORS)},
        NUMPY_USERS,
        FOLDS * len(R),
    )


def _apart(R: Array, found: Any, theirs: dict[str, Array]) -> float:
    """The largest difference between predictions of the first users in the first fold."""
    place = np.full(R.shape, -1)
    place[~np.isnan(R)] = np.arange(int((~np.isnan(R)).sum()))
    asked = _first_fold(R)[1]
    entries = np.concatenate([place[u, items] for u, items in enumerate(asked)])
    differences = [
        np.abs(found.of(name, "weighted").predicted[entries] - values) for name, values in theirs.items()
    ]
    return float(np.nanmax(differences))


def _memory(settings: Settings) -> Row:
    users = 500 if settings.quick else PEAK_USERS
    title = f"peak extra memory, {FOLDS}-fold RMSE against one fold, {users} users"
    if reason := ratings.surprise_absent():
        return absent_row(title, "scikit-surprise", MEMORY_TARGET, reason, sense="at most")
    peaks = {side: [_peak(side, users) for _ in range(settings.rounds)] for side in ("ours", "rival")}
    pairs = list(zip(peaks["ours"], peaks["rival"], strict=True))
    return Row(
        workload=title,
        rival="scikit-surprise, similarities of one fold",
        sense="at most",
        target=MEMORY_TARGET,
        unit="MB",
        ours=tuple(mine for mine, _ in pairs),
        theirs=tuple(theirs for _, theirs in pairs),
        ratios=tuple(mine / theirs for mine, theirs in pairs),
        notes=(f"all {FOLDS} folds and both similarities in {median(peaks['ours']):.0f} MB",),
    )


def _peak(side: str, users: int) -> float:
    command = [sys.executable, "-m", "benchmarks.ratings_peak", side, str(users)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return float(json.loads(done.stdout)["extra"]) / 1e6
