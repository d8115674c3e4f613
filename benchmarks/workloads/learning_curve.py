"""Error against training rows: eight sizes of ten folds for three models, each rival by its own `learning_curve`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import ours
from benchmarks.data import make_classes
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import folds, size

ROWS, FEATURES, CLASSES, FOLDS = 100_000, 30, 3, 10
SHARES = tuple(np.linspace(0.125, 1.0, 8))
MODELS = ("naive", "shared", "full")
TARGET = 50.0


def rows(settings: Settings) -> Iterator[Row]:
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
