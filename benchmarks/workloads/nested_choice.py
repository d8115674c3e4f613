"""A choice among 30 settings of a Gaussian classifier, nested 5x5, beside GridSearchCV inside cross_val_score."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from benchmarks import ours
from benchmarks.data import make_classes
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import folds, size

ROWS, FEATURES, CLASSES, FOLDS = 100_000, 30, 3, 5
BLENDS, SHRINKAGES = np.linspace(0.0, 1.0, 6), np.linspace(0.0, 0.4, 5)
TARGET = 200.0


def rows(settings: Settings) -> Iterator[Row]:
    X, y = make_classes(settings.rows(ROWS), FEATURES, CLASSES)
    plan = ours.KFold(FOLDS)
    count = len(list(product(BLENDS, SHRINKAGES)))
    # The rival blends nothing: as many values of the one regularisation that it has.
    part = sklearn.nested_search(
        sklearn.TWINS["full"](), {"reg_param": np.linspace(0.0, 0.9, count)}, X, y, folds(plan, X, y), FOLDS
    )
    result = contest(settings, lambda: ours.nested_gaussian(X, y, plan, FOLDS, BLENDS, SHRINKAGES), [part])
    found = result.value
    yield row_of(
        result,
        f"nested {FOLDS}x{FOLDS}, {count} settings of blend and shrinkage, {size(X)}, {CLASSES} classes",
        f"GridSearchCV inside cross_val_score, {part.name}",
        TARGET,
        notes=[f"honest error {found.error:.4f}, optimism {found.optimism:.1g}"],
    )
