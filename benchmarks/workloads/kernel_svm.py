"""RBF support vector machines, 5 C x 4 gamma x 5 folds, against GridSearchCV(SVC) and scikit-learn-intelex."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.agreement import predictions
from benchmarks.data import Array, Labels, clustered_classes
from benchmarks.harness import Part, Settings, contest
from benchmarks.rivals import intelex
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.workloads.kfold import folds, size

ROWS, FEATURES, FOLDS = 5_000, 20, 5
RUN_FOLDS = 2  # of the rivals: folds take them about equally long, and all five six minutes
GRID = {"C": (0.1, 1.0, 10.0, 100.0, 1000.0), "gamma": (0.01, 0.03, 0.1, 0.3)}
TARGET, TARGET_INTELEX = 6.0, 5.0


def rows(settings: Settings) -> Iterator[Row]:
    X, y = clustered_classes(settings.rows(ROWS), FEATURES)
    title = f"RBF SVM, {len(GRID['C'])} C x {len(GRID['gamma'])} gamma x {FOLDS}-fold, {size(X)}"
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)[:RUN_FOLDS]
    yield against(settings, title, X, y, plan, sklearn.svc_grid(X, y, splits, GRID, FOLDS), TARGET)
    if reason := intelex.absent():
        yield absent_row(title, intelex.NAME, TARGET_INTELEX, reason)
        return
    part = sklearn.svc_grid(X, y, splits, GRID, FOLDS, intelex.svc())
    part = replace(part, name=f"{intelex.NAME} {part.name}")
    yield against(settings, title, X, y, plan, part, TARGET_INTELEX)


def against(settings: Settings, title: str, X: Array, y: Labels, plan: Any, part: Part, target: float) -> Row:
    models = {
        f"C={C:g}, gamma={gamma:g}": ours.kernel_svm(C=C, gamma=gamma)
        for C in GRID["C"]
        for gamma in GRID["gamma"]
    }
    result = contest(settings, lambda: ours.evaluated(models, X, y, plan), [part])
    note = agreement(y, folds(plan, X, y)[:RUN_FOLDS], list(result.value.values()), result.parts[0].value)
    return row_of(result, title, part.name, target, notes=[note])


def agreement(y: Labels, splits: Any, evaluations: list[Any], theirs: Any) -> str:
    """How far accuracies of folds lie apart, in rows."""
    apart = 0
    for f, (_, test) in enumerate(splits):
        for each, accuracy in zip(evaluations, theirs[f"split{f}_test_score"], strict=True):
            right = int(np.sum(predictions(each, len(y))[test] == y[test]))
            apart = max(apart, abs(right - round(float(accuracy) * len(test))))
    return f"hits in a fold differ by at most {apart} of {len(splits[0][1])} rows; both stop at a violation of 1e-3"
