"""The .632+ estimate from 200 replicates, against a loop of fits extrapolated from ten of them."""

from __future__ import annotations

from functools import partial
from typing import Any

from benchmarks import ours
from benchmarks.agreement import replicate_note
from benchmarks.data import Array, Labels, gaussian_classes
from benchmarks.floors import Floors
from benchmarks.harness import Case, Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size

ROWS, FEATURES, CLASSES, REPLICATES, FITTED = 20_000, 50, 3, 200, 10
TARGETS = {"naive": 25.0, "shared": 100.0}


def cases(settings: Settings) -> list[Case]:
    return [partial(measure, settings, name, target) for name, target in TARGETS.items()]


def measure(settings: Settings, name: str, target: float) -> Row:
    """One model by .632+."""
    X, y = gaussian_classes(settings.rows(ROWS), FEATURES, CLASSES)
    draws = list(ours.Bootstrap(FITTED).split(X, y))
    part = sklearn.replicates(sklearn.TWINS[name](), X, y, draws, REPLICATES)
    floors = Floors(X)
    result = contest(settings, lambda: estimated(name, X, y, REPLICATES), [part], floors.runs())
    floors.close()
    few = estimated(name, X, y, FITTED)
    note = replicate_note(few, draws, result.parts[0].value)
    title = f".632+, B={REPLICATES}, {name}, {size(X)}, {CLASSES} classes"
    return row_of(result, title, f"loop of {part.name} fits", target, notes=[note])


def estimated(name: str, X: Array, y: Labels, n_replicates: int) -> Any:
    """The timed part: evaluation, and both bootstrap estimates read from it."""
    evaluation = ours.evaluated(ours.model(name), X, y, ours.Bootstrap(n_replicates))
    _ = evaluation.error_632, evaluation.error_632_plus
    return evaluation
