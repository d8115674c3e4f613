"""k-means of 300 000 rows from the same centres, 50 steps: on structureless rows, where bounds help less, and on blobs.

Ours are the assignments of Lloyd's steps in double precision; a few steps of these, written out, are compared with.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from assay.solvers.kmeans import KMeansResult, kmeans
from benchmarks.floors import THREADS
from benchmarks.harness import Case, Settings, contest
from benchmarks.rivals import kmeans as rivals
from benchmarks.rivals.kmeans import Rows
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size

ROWS, FEATURES, GROUPS, STEPS = 300_000, 32, 64, 50
TARGETS = {"structureless": 1.6, "clustered": 3.0}
APART = 3.0  # deviation of the centres of the blobs, in units of their own
CHECKED, BLOCK = 4, 8192  # steps in double precision that are written out, rows that take one at a time


def data(kind: str, n_rows: int) -> tuple[Rows, Rows]:
    """Rows and the centres to begin with, which are rows."""
    rng = np.random.default_rng(22)
    X = rng.standard_normal((n_rows, FEATURES), dtype=np.float32)
    if kind == "clustered":
        X += (
            APART * rng.standard_normal((GROUPS, FEATURES), dtype=np.float32)[rng.integers(0, GROUPS, n_rows)]
        )
    return X, X[rng.choice(n_rows, GROUPS, replace=False)]


def cases(settings: Settings) -> list[Case]:
    return [partial(measure, settings, kind, target) for kind, target in TARGETS.items()]


def measure(settings: Settings, kind: str, target: float) -> Row:
    X, start = data(kind, settings.rows(ROWS))

    def ours() -> KMeansResult:
        return kmeans(X, start, max_iter=STEPS, threads=THREADS)

    result = contest(settings, ours, [rivals.fits(X, start, STEPS)])
    title = f"k-means, {GROUPS} groups, {STEPS} steps, {kind} rows, {size(X)} float32"
    notes = [note for note in (rivals.absent_note(), _agreement(X, start)) if note]
    return row_of(result, title, rivals.NAME, target, notes=notes)


def _agreement(X: Rows, start: Rows) -> str:
    """How many rows lie in another group than after the same steps in double precision."""
    ours = kmeans(X, start, max_iter=CHECKED, threads=THREADS)
    wrong = int((ours.labels != _lloyd(X, start.astype(np.float64))).sum())
    return f"after {CHECKED} steps {wrong} of {len(X)} rows lie in another group than by Lloyd's in double precision"


def _lloyd(X: Rows, centers: NDArray[np.float64]) -> NDArray[np.intp]:
    labels = _nearest(X, centers)
    for _ in range(CHECKED):
        centers = _means(X, labels, centers)
        for empty in np.flatnonzero(np.bincount(labels, minlength=len(centers)) == 0):
            labels[((X - centers[labels]) ** 2).sum(axis=1).argmax()] = empty  # the farthest row, as ours do
            centers = _means(X, labels, centers)
        labels = _nearest(X, centers)
    return labels


def _means(X: Rows, labels: NDArray[np.intp], centers: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = np.bincount(labels, minlength=len(centers))[:, None]
    sums = np.stack([np.bincount(labels, column, len(centers)) for column in X.T], axis=1)
    return np.where(sizes > 0, sums / np.maximum(sizes, 1), centers)


def _nearest(X: Rows, centers: NDArray[np.float64]) -> NDArray[np.intp]:
    """By |c|²/2 - x·c, of which the least belongs to the nearest centre."""
    half = 0.5 * (centers * centers).sum(axis=1)
    parts = [half - X[at : at + BLOCK].astype(np.float64) @ centers.T for at in range(0, len(X), BLOCK)]
    return np.concatenate([part.argmin(axis=1) for part in parts])
