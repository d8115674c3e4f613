"""Fits that need little more than all second moments, against the product X.T @ X itself.

The quickest library known for these two models stands beside it, without a target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks import ours
from benchmarks.floors import THREADS, Floors
from benchmarks.harness import Case, Part, Settings, contest
from benchmarks.rivals import intelex
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.workloads.kfold import CLASSES, data, size

TARGET = 1.3


def cases(settings: Settings) -> list[Case]:
    return [partial(measure, settings, name) for name in ("PCA", "least squares")]


def measure(settings: Settings, name: str) -> Iterator[Row]:
    X, y = data(settings)
    fits: dict[str, tuple[Callable[[], Any], Callable[[], Part]]] = {
        "PCA": (lambda: ours.PCA().fit(X), lambda: intelex.pca(X)),
        "least squares": (lambda: ours.model("least_squares").fit(X, y), lambda: intelex.least_squares(X, y)),
    }
    fit, rival = fits[name]
    floors = Floors(X)
    title = f"single fit, {name}, {size(X)}, {CLASSES} classes"
    yield against_floor(settings, title, fit, floors)
    yield against_intelex(settings, title, fit, rival, floors)
    floors.close()


def against_floor(settings: Settings, title: str, fit: Callable[[], Any], floors: Floors) -> Row:
    """One fit as a multiple of the floor."""
    part = Part("X.T @ X", {f"{THREADS} threads": floors.gram})
    result = contest(settings, fit, [part], floors.runs())
    note = f"X.T @ X in blocks of {floors.gram_block} rows, the quickest of those tried"
    return row_of(result, title, "blocked X.T @ X", TARGET, sense="at most", notes=[note])


def against_intelex(
    settings: Settings, title: str, fit: Callable[[], Any], rival: Callable[[], Part], floors: Floors
) -> Row:
    """The same fit by the library, named as absent where it is not installed."""
    if reason := intelex.absent():
        return absent_row(title, intelex.NAME, None, reason)
    part = rival()
    for run in part.settings.values():
        run()  # its first call sets up a thread pool
    return row_of(contest(settings, fit, [part], floors.runs()), title, part.name, None)
