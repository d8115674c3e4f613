"""Linear support vector machines with the hinge loss, 15 penalties times 5 folds, against a loop of LinearSVC.

The loop is extrapolated: every third penalty is fitted in two folds, so that two processes have equal work. LinearSVC
also penalises the intercept, which costs it little on centred columns; notes compare both sides in both objectives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.agreement import Splits, predictions
from benchmarks.data import Array, Labels, gaussian_classes
from benchmarks.floors import Floors
from benchmarks.harness import Settings, contest
from benchmarks.objectives import hinge
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import folds, size

ROWS, FEATURES, FOLDS = 50_000, 50, 5
COSTS = np.geomspace(1e-3, 1e2, 15)  # C of LinearSVC, strong penalty first
FITTED_COSTS, FITTED_FOLDS = slice(1, None, 3), 2
TARGET = 100.0


def rows(settings: Settings) -> Iterator[Row]:
    X, y = centred(settings.rows(ROWS), FEATURES)
    yield measure(settings, X, y)


def centred(n_rows: int, n_features: int) -> tuple[Array, Labels]:
    """Two classes, every column about its mean."""
    X, y = gaussian_classes(n_rows, n_features, 2)
    return X - X.mean(axis=0), y


def measure(settings: Settings, X: Array, y: Labels) -> Row:
    """The whole path of all folds against some of the fits."""
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)
    n_train = float(np.mean([len(train) for train, _ in splits]))
    l2 = [float(1.0 / (C * n_train)) for C in COSTS]
    fitted = COSTS[FITTED_COSTS]
    jobs = [(train, float(C)) for train, _ in splits[:FITTED_FOLDS] for C in fitted]
    part = sklearn.svm_loop(X, y, jobs, len(COSTS) * FOLDS)
    models = ours.penalised(ours.linear_svm, l2)
    floors = Floors(X)
    result = contest(settings, lambda: ours.evaluated(models, X, y, plan), [part], floors.runs())
    floors.close()
    found = batched(result.parts[0].value, len(fitted))
    fits = [dict(zip(l2[FITTED_COSTS], of_fold, strict=True)) for of_fold in found]
    notes = [
        f"the rival fits C={', '.join(f'{C:.2g}' for C in fitted)} in {FITTED_FOLDS} folds",
        *agreement(X, y, splits, fits, dict(zip(l2, result.value.values(), strict=True))),
    ]
    title = f"linear SVM, hinge, {len(COSTS)} penalties x {FOLDS}-fold, {size(X)}"
    return row_of(result, title, f"loop of {part.name} fits", TARGET, notes=notes)


def batched(values: list[Any], n: int) -> list[list[Any]]:
    """The values of one fold after the other."""
    return [values[start : start + n] for start in range(0, len(values), n)]


def agreement(
    X: Array, y: Labels, splits: Splits, fits: list[dict[float, Any]], evaluations: dict[float, Any]
) -> Iterator[str]:
    """Objectives and predictions of the fits that both sides made; ours are made once more, by themselves."""
    above: list[tuple[float, float]] = []
    unfinished = unequal = total = 0
    for (train, test), of_fold in zip(splits, fits, strict=False):
        for l2, (w, b, converged) in of_fold.items():
            above.append(
                objectives(X[train], y[train], ours.linear_svm(l2).fit(X[train], y[train]), w, b, l2)
            )
            unfinished += not converged
            predicted = predictions(evaluations[l2], len(y))[test]
            unequal += int(np.sum((X[test] @ w + b > 0) != predicted))
            total += len(test)
    free, penalised = np.array(above).T
    yield objective_note(free, penalised)
    yield f"LinearSVC reached max_iter in {unfinished} of {len(above)} fits"
    yield f"{unequal} of {total} predictions differ"


def objectives(X: Array, y: Labels, mine: Any, w: Array, b: float, l2: float) -> tuple[float, float]:
    """How far the rival's objective lies above ours, relative to ours: with the intercept free, and penalised."""

    def above(*, free_intercept: bool) -> float:
        ours_value = hinge(X, y, mine.coef_[0], float(mine.intercept_[0]), l2, free_intercept=free_intercept)
        theirs = hinge(X, y, w, b, l2, free_intercept=free_intercept)
        return (theirs - ours_value) / ours_value

    return above(free_intercept=True), above(free_intercept=False)


def objective_note(free: Array, penalised: Array) -> str:
    return (
        f"LinearSVC's objective lies {free.min():.0e} to {free.max():.0e} above ours (relative), "
        f"{penalised.min():.0e} to {penalised.max():.0e} with the intercept penalised, which is what it minimises"
    )
