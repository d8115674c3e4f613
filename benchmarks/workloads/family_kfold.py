"""All nine models in one call, against the sum of the estimators that exist for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks import ours
from benchmarks.agreement import Splits, fold_error_note
from benchmarks.data import Labels
from benchmarks.floors import Floors
from benchmarks.harness import Contest, Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import CLASSES, FOLDS, data, folds, size

TARGET = 80.0


def rows(settings: Settings) -> Iterator[Row]:
    X, y = data(settings)
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)
    models = ours.family()
    parts = [sklearn.cross_validation(make(), X, y, splits) for make in sklearn.TWINS.values()]
    floors = Floors(X)
    result = contest(settings, lambda: ours.evaluated(models, X, y, plan), parts, floors.runs())
    floors.close()
    title = f"{len(models)} models in one call, {FOLDS}-fold, {size(X)}, {CLASSES} classes"
    rival = f"sum of the {len(parts)} estimators that exist"
    yield row_of(result, title, rival, TARGET, notes=[*agreements(result, y, splits), who_counts(models)])


def agreements(result: Contest, y: Labels, splits: Splits) -> list[str]:
    """The comparison of fold errors for every model that has a twin."""
    return [
        f"{name}: {fold_error_note(result.value[name], y, splits, times.value)}"
        for name, times in zip(sklearn.TWINS, result.parts, strict=True)
    ]


def who_counts(models: dict[str, Any]) -> str:
    """Which rival stands for which models, and which models nobody stands for."""
    once = [f"{name} is the model of {twin}" for name, twin in sklearn.COUNTED_ONCE.items()]
    without = [name for name in models if name not in sklearn.TWINS and name not in sklearn.COUNTED_ONCE]
    return f"counted once: {', '.join(once)}; no scikit-learn counterpart: {', '.join(without)}"
