"""One fit on all rows, against scikit-learn's default solvers."""

from __future__ import annotations

from functools import partial

from benchmarks import ours
from benchmarks.agreement import equal_note
from benchmarks.floors import Floors
from benchmarks.harness import Case, Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import CLASSES, data, size

TARGET = 5.0
COMPARED = 20_000


def cases(settings: Settings) -> list[Case]:
    return [partial(measure, settings, name) for name in ("naive", "full", "shared")]


def measure(settings: Settings, name: str) -> Row:
    """One fit of one model."""
    X, y = data(settings)
    part = sklearn.single_fit(sklearn.TWINS[name](), X, y)
    floors = Floors(X)
    result = contest(settings, lambda: ours.model(name).fit(X, y), [part], floors.runs())
    floors.close()
    sample = X[:COMPARED]
    note = equal_note(result.value.predict(sample), result.parts[0].value.predict(sample), "predictions")
    title = f"single fit, {name}, {size(X)}, {CLASSES} classes"
    return row_of(result, title, f"{part.name}, default solver", TARGET, notes=[note])
