"""One RBF support vector machine, fit and predict, C = 1 and 100, against SVC and scikit-learn-intelex."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.data import Array, Labels, clustered_classes
from benchmarks.harness import Case, Part, Settings, contest
from benchmarks.rivals import intelex
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.workloads.kfold import size

ROWS, FEATURES, GAMMA = 20_000, 20, 0.05
COSTS = (1.0, 100.0)
TARGET, TARGET_INTELEX = 8.0, 1.4


def cases(settings: Settings) -> list[Case]:
    return [partial(measure, settings, C) for C in COSTS]


def measure(settings: Settings, C: float) -> Iterator[Row]:
    X, y = clustered_classes(settings.rows(ROWS), FEATURES)
    title = f"RBF SVM, fit and predict, C={C:g}, {size(X)}"
    yield against(settings, title, X, y, C, sklearn.svc_fit(X, y, C, GAMMA), TARGET)
    if reason := intelex.absent():
        yield absent_row(title, intelex.NAME, TARGET_INTELEX, reason)
        return
    part = sklearn.svc_fit(X, y, C, GAMMA, intelex.svc())
    yield against(settings, title, X, y, C, Part(f"{intelex.NAME} SVC", part.settings), TARGET_INTELEX)


def against(settings: Settings, title: str, X: Array, y: Labels, C: float, part: Part, target: float) -> Row:
    def fitted() -> tuple[Any, Array]:
        model = ours.kernel_svm(C=C, gamma=GAMMA).fit(X, y)
        return model, model.decision_function(X)

    result = contest(settings, fitted, [part])
    (mine, values), (theirs, others) = result.value, result.parts[0].value
    notes = [
        f"decision values differ by at most {np.abs(values - others).max():.0e}; both stop at a violation of 1e-3",
        f"{len(mine.support_)} support vectors (ours) and {len(theirs.support_)}",
    ]
    return row_of(result, title, part.name, target, notes=notes)
