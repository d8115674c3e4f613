"""All pairs of 60 000 rows: 50 neighbours among the other folds, and among all other rows, in one pass.

The rivals deliver one list; ours are two, ordered by distances in double precision. The bare matrix product of the same
rows, in blocks whose results stay in the cache, is what no search by products can go below.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from threadpoolctl import ThreadpoolController

from assay.numerics.neighbors import Near, fold_lists
from benchmarks import ours
from benchmarks.data import Labels, gaussian_classes
from benchmarks.floors import THREADS
from benchmarks.harness import Part, Settings, contest
from benchmarks.rivals import neighbors
from benchmarks.rivals.neighbors import Rows
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size

ROWS, FEATURES, CLASSES, FOLDS, NEIGHBORS = 60_000, 50, 5, 10, 50
TARGET, FLOOR_TARGET = 1.1, 1.6
TALL, WIDE = 256, 1024  # of a block of the product
CHECKED = 50  # rows whose neighbours are measured one by one


def data(settings: Settings) -> tuple[Rows, Labels]:
    """Rows in single precision."""
    X, y = gaussian_classes(settings.rows(ROWS), FEATURES, CLASSES)
    return X.astype(np.float32), y


def rows(settings: Settings) -> Iterator[Row]:
    X, y = data(settings)
    fold = ours.KFold(FOLDS).partitions(y)[0].fold
    title = (
        f"neighbours, {NEIGHBORS} of all pairs, lists of {FOLDS}-fold and leave-one-out, {size(X)} float32"
    )

    def both() -> tuple[Near, Near]:
        return fold_lists(X, NEIGHBORS, fold, THREADS)

    result = contest(
        settings, both, [neighbors.lists(X, X, NEIGHBORS + 1)]
    )  # a rival finds the row itself, too
    notes = [note for note in (neighbors.absent_note(), _exact(X, result.value[1])) if note]
    yield row_of(result, title, f"one list, {neighbors.NAME}", TARGET, notes=notes)
    part = Part("X @ X.T", {f"{THREADS} threads": lambda: product(X)})
    note = f"in blocks of {TALL}x{WIDE} that are not kept"
    yield row_of(
        contest(settings, both, [part]), title, "bare matrix product X @ X.T", FLOOR_TARGET, sense="at most",
        notes=[note],
    )  # fmt: skip


def product(X: Rows) -> None:
    """All products of rows, block by block in threads with one BLAS thread each."""

    def stretch(start: int) -> None:
        out = np.empty((TALL, WIDE), np.float32)
        left = X[start : start + TALL]
        for first in range(0, len(X), WIDE):
            right = X[first : first + WIDE]
            np.matmul(left, right.T, out=out[: len(left), : len(right)])

    with ThreadpoolController().limit(limits=1, user_api="blas"), ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(stretch, range(0, len(X), TALL)))


def _exact(X: Rows, near: Near) -> str:
    """How many neighbours differ from those of every pair measured in double precision."""
    wrong = 0
    places = np.linspace(0, len(X) - 1, min(CHECKED, len(X))).astype(int)
    for i in places:
        squares = ((X.astype(np.float64) - X[i].astype(np.float64)) ** 2).sum(axis=1)
        squares[i] = np.inf
        expected = np.lexsort((np.arange(len(X)), squares))[:NEIGHBORS]
        wrong += int((near.rows[i] != expected).sum())
    return (
        f"{wrong} of {len(places) * NEIGHBORS} neighbours differ from all pairs measured in double precision"
    )
