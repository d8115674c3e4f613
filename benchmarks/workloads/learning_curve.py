"""Error against training rows: eight sizes of ten folds for three models, each rival by its own `learning_curve`.

Besides, what a curve of the default sizes costs in evaluations, a model of every strategy; nobody else has a figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.data import Array, Labels, make_classes
from benchmarks.harness import Settings, contest, timed
from benchmarks.listing import Listing
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.table import quantity
from benchmarks.workloads.kfold import folds, size

ROWS, FEATURES, CLASSES, FOLDS = 100_000, 30, 3, 10
SHARES = tuple(np.linspace(0.125, 1.0, 8))
MODELS = ("naive", "shared", "full")
TARGET = 50.0
LISTED_ROWS, LISTED_FEATURES = 20_000, 20
SIZES = tuple(np.geomspace(1 / 32, 1.0, 8))  # the default ones
MACHINE_ROWS = 2000  # of kernel machines, whose matrices grow with the square


def rows(settings: Settings) -> Iterator[Row | Listing]:
    X, y = make_classes(settings.rows(ROWS), FEATURES, CLASSES)
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)
    models = {name: ours.model(name) for name in MODELS}
    parts = [sklearn.learning_curves(sklearn.TWINS[name](), X, y, splits, SHARES) for name in MODELS]
    result = contest(settings, lambda: ours.curves(models, X, y, plan, SHARES), parts)
    last = {name: curve.evaluations[-1].split_errors for name, curve in result.value.items()}
    gaps = [
        float(np.abs((1.0 - times.value[2][-1]) - last[name]).max())
        for name, times in zip(MODELS, result.parts, strict=True)
    ]
    yield row_of(
        result,
        f"learning curve of {len(SHARES)} sizes, naive, shared and full, {FOLDS}-fold, {size(X)}, {CLASSES} classes",
        "sum of learning_curve of the 3 estimators",
        TARGET,
        notes=[
            f"fold errors at the full size differ by at most {max(gaps):.1g}",
            "learning_curve also scores the training rows",
        ],
    )
    yield multiples(settings)


def multiples(settings: Settings) -> Listing:
    """Seconds of an evaluation and of a curve, and how many evaluations that is."""
    X, y = make_classes(settings.rows(LISTED_ROWS), LISTED_FEATURES, CLASSES)
    models = ours.of_every_strategy()
    lines = [_line(name, model, *_table(name, X, y)) for name, model in models.items()]
    return Listing(
        f"learning curves of the {len(SIZES)} default sizes in evaluations, {FOLDS}-fold, {size(X)}, {CLASSES} classes",
        ("model", "shares", "rows", "evaluation", "curve", "multiple"),
        tuple(lines),
    )


def _table(name: str, X: Array, y: Labels) -> tuple[Array, Labels]:
    """The rows of a model: some for kernel machines, rounded to levels for models of them."""
    if "kernel" in name:
        return X[:MACHINE_ROWS], y[:MACHINE_ROWS]
    return (np.round(X).clip(-3, 3), y) if "levels" in name else (X, y)


def _line(name: str, model: Any, X: Array, y: Labels) -> tuple[str, ...]:
    plan = ours.KFold(FOLDS)
    once, found = timed(lambda: ours.errors(model, X, y, plan))
    curve, _ = timed(lambda: ours.curves({name: model}, X, y, plan, SIZES))
    seconds = quantity(once, "s"), quantity(curve, "s")
    return name, found.strategy, str(len(y)), *seconds, f"{curve / once:.1f}"
