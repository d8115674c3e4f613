"""What the 10-fold workloads share: the data, the folds and one contest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks import ours
from benchmarks.agreement import Splits, fold_error_note
from benchmarks.data import Array, Labels, gaussian_classes
from benchmarks.floors import Floors
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of

ROWS, FEATURES, CLASSES, FOLDS = 500_000, 50, 5, 10


def data(settings: Settings) -> tuple[Array, Labels]:
    """The data of every 10-fold and single-fit workload."""
    return gaussian_classes(settings.rows(ROWS), FEATURES, CLASSES)


def size(X: Array) -> str:
    """Rows and features as the table prints them."""
    return f"{len(X)}x{X.shape[1]}"


def folds(plan: Any, X: Array, y: Labels) -> Splits:
    """Our plan's folds as index arrays, cut before the rival's clock starts."""
    return [(train, test) for train, test in plan.split(X, y)]


def against(
    settings: Settings, title: str, name: str, estimator: Any, rival: str, target: float
) -> Iterator[Row]:
    """One model of ours against one estimator on the same folds."""
    X, y = data(settings)
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)
    part = sklearn.cross_validation(estimator, X, y, splits)
    floors = Floors(X)
    result = contest(settings, lambda: ours.evaluated(ours.model(name), X, y, plan), [part], floors.runs())
    floors.close()
    note = fold_error_note(result.value, y, splits, result.parts[0].value)
    yield row_of(result, f"{title}, {FOLDS}-fold, {size(X)}, {CLASSES} classes", rival, target, notes=[note])
