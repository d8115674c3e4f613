"""Leave-one-out against as many refits as there are rows, extrapolated from some of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import ours
from benchmarks.agreement import equal_note, predictions
from benchmarks.data import gaussian_classes
from benchmarks.floors import Floors
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size

ROWS, FEATURES, CLASSES, REFITS = 5_000, 30, 3, 200
TARGET = 500.0


def rows(settings: Settings) -> Iterator[Row]:
    for name in ("shared", "full"):
        yield measure(settings, name)


def measure(settings: Settings, name: str) -> Row:
    """One covariance by leave-one-out."""
    X, y = gaussian_classes(settings.rows(ROWS), FEATURES, CLASSES)
    left_out = np.linspace(0, len(X) - 1, min(REFITS, len(X) // 2)).astype(int).tolist()
    part = sklearn.refits(sklearn.TWINS[name](), X, y, left_out)
    floors = Floors(X)
    plan = ours.LeaveOneOut()
    result = contest(settings, lambda: ours.evaluated(ours.model(name), X, y, plan), [part], floors.runs())
    floors.close()
    theirs = np.asarray(result.parts[0].value)
    note = equal_note(predictions(result.value, len(y))[left_out], theirs, "left-out predictions")
    title = f"leave-one-out, {name} covariance, {size(X)}, {CLASSES} classes"
    return row_of(result, title, f"{len(X)} refits of {part.name}", TARGET, notes=[note])
