"""Logistic regression, 20 penalties times 10 folds, against LogisticRegressionCV and R's cv.glmnet.

All sides minimise the mean log loss of each training part plus l2/2 |W|², on the same folds with the same penalties.
scikit-learn is asked for the gradient that ours stops at; notes tell where each of them did stop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks import harness, ours
from benchmarks.agreement import Splits, predictions
from benchmarks.data import Array, Labels, gaussian_classes
from benchmarks.floors import Floors
from benchmarks.harness import Contest, Part, Settings, contest
from benchmarks.objectives import fold_weights, posteriors, relative_gradient, start_gradient
from benchmarks.rivals import glmnet
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.workloads.kfold import folds, size

PENALTIES, FOLDS = 20, 10
TOLERANCE = 1e-6  # ours by default: largest gradient at the solution, relative to the start
ROWS_A_FEATURE = 12  # at least, so that a fold's tested rows tell its weights


@dataclass(frozen=True)
class Case:
    """A size, how many folds the slow rival really solves, and the targets against either rival."""

    n_rows: int
    n_features: int
    n_classes: int
    solved: int
    target: float
    glmnet_target: float


CASES = (Case(100_000, 50, 3, 2, 40.0, 12.0), Case(5_000, 200, 2, FOLDS, 8.0, 4.0))


def cases(settings: Settings) -> list[harness.Case]:
    return [partial(measure, settings, case) for case in CASES]


@dataclass(frozen=True)
class Problem:
    """The data of a case with its folds and penalties, from strong to weak."""

    X: Array
    y: Labels
    splits: Splits
    l2: tuple[float, ...]

    @property
    def title(self) -> str:
        shape = f"{size(self.X)}, {self.y.max() + 1} classes"
        return f"logistic, {len(self.l2)} penalties x {len(self.splits)}-fold, {shape}"

    def evaluate(self) -> Any:
        """Our timed side."""
        models = ours.penalised(ours.LogisticRegression, self.l2)
        return ours.evaluated(models, self.X, self.y, ours.KFold(FOLDS), posterior=False)


def read_problem(settings: Settings, case: Case) -> Problem:
    n_rows = max(settings.rows(case.n_rows), ROWS_A_FEATURE * case.n_features)
    X, y = gaussian_classes(n_rows, case.n_features, case.n_classes)
    return Problem(X, y, folds(ours.KFold(FOLDS), X, y), ours.path(PENALTIES).values(X, scaled=False))


def measure(settings: Settings, case: Case) -> Iterator[Row]:
    """One size against both rivals."""
    problem = read_problem(settings, case)
    yield against_sklearn(settings, problem, case)
    if reason := glmnet.absent():
        yield absent_row(problem.title, glmnet.NAME, case.glmnet_target, reason)
    else:
        yield against_glmnet(settings, problem, case)


def against_sklearn(settings: Settings, problem: Problem, case: Case) -> Row:
    solved = problem.splits[: case.solved]
    n_train = float(np.mean([len(train) for train, _ in problem.splits]))
    Cs = [1.0 / (l2 * n_train) for l2 in problem.l2]  # ascending, as its warm starts want it
    tol = TOLERANCE * start_gradient(problem.X, problem.y)
    part = sklearn.logistic_path(problem.X, problem.y, solved, Cs, tol, len(problem.splits))
    result = _contest(settings, problem, part)
    notes = [f"tol={tol:.1e}, refit=False", path_note(problem, solved, result.value, result.parts[0].value)]
    if case.solved < len(problem.splits):
        notes.insert(
            0, f"the rival solves all penalties of {case.solved} folds, the other folds repeat that work"
        )
    rival = f"{part.name}, the best of {' and '.join(sklearn.PATH_SOLVERS)}"
    return row_of(result, problem.title, rival, case.target, notes=notes)


def against_glmnet(settings: Settings, problem: Problem, case: Case) -> Row:
    fold = np.empty(len(problem.y), dtype=np.int32)
    for number, (_, test) in enumerate(problem.splits):
        fold[test] = number
    with glmnet.Session(problem.X, problem.y, fold, np.array(problem.l2)) as session:
        result = _contest(settings, problem, session.part())
    found: glmnet.Found = result.parts[0].value
    ours_found = np.array([evaluation.error for evaluation in result.value.values()])
    start = start_gradient(problem.X, problem.y)
    weakest = relative_gradient(problem.X, problem.y, found.weights, found.intercepts, problem.l2[-1], start)
    notes = [
        f"{session.part().name}, its default thresh",
        f"errors of {len(problem.l2)} penalties differ by at most {np.abs(ours_found - found.errors).max():.1e}",
        f"relative gradient of its fit to all rows at the weakest penalty {weakest:.0e}",
    ]
    return row_of(result, problem.title, glmnet.NAME, case.glmnet_target, notes=notes)


def _contest(settings: Settings, problem: Problem, part: Part) -> Contest:
    floors = Floors(problem.X)
    try:
        return contest(settings, problem.evaluate, [part], floors.runs())
    finally:
        floors.close()


def path_note(problem: Problem, splits: Splits, evaluations: Any, weights: Sequence[Array]) -> str:
    """Largest relative gradients of both sides, and how far their out-of-fold answers lie apart."""
    X, y = problem.X, problem.y
    mine, theirs, apart, unequal, total = 0.0, 0.0, 0.0, 0, 0
    for (train, test), of_fold in zip(splits, weights, strict=True):
        X_train, y_train = X[train], y[train]
        start = start_gradient(X_train, y_train)
        for l2, evaluation, solved in zip(problem.l2, evaluations.values(), of_fold, strict=True):
            log_posterior = evaluation.log_posterior[test]
            W, b = fold_weights(X[test], log_posterior)
            mine = max(mine, relative_gradient(X_train, y_train, W, b, l2, start))
            W, b = solved[:, :-1], solved[:, -1]
            theirs = max(theirs, relative_gradient(X_train, y_train, W, b, l2, start))
            posterior = posteriors(X[test], W, b)
            apart = max(apart, float(np.abs(posterior - np.exp(log_posterior)).max()))
            predicted = predictions(evaluation, len(y))[test]
            unequal += int(np.sum(posterior.argmax(axis=1) != predicted))
            total += len(test)
    return (
        f"largest relative gradient {mine:.0e} (ours) and {theirs:.0e}; posteriors differ by at most {apart:.0e}, "
        f"{unequal} of {total} predictions"
    )
