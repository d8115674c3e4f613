"""One logistic regression with scikit-learn's default penalty C = 1, both sides to the same gradient."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.data import Array, Labels, gaussian_classes
from benchmarks.floors import Floors
from benchmarks.harness import Case, Part, Settings, contest
from benchmarks.objectives import posteriors, relative_gradient, start_gradient
from benchmarks.rivals import intelex
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.workloads.kfold import size
from benchmarks.workloads.logistic import TOLERANCE

SIZES = ((100_000, 50, 3), (5_000, 200, 2))
SOLVERS = ("lbfgs", "newton-cg", "newton-cholesky")
TARGET = 2.0


def cases(settings: Settings) -> list[Case]:
    return [partial(of_size, settings, *size) for size in SIZES]


def of_size(settings: Settings, n_rows: int, n_features: int, n_classes: int) -> Iterator[Row]:
    return measure(settings, *gaussian_classes(settings.rows(n_rows), n_features, n_classes))


def measure(settings: Settings, X: Array, y: Labels) -> Iterator[Row]:
    """One table against both libraries."""
    title = f"single fit, logistic, C=1, {size(X)}, {y.max() + 1} classes"
    start = start_gradient(X, y)
    tol = TOLERANCE * start
    tolerances = dict.fromkeys(SOLVERS, tol)
    if y.max() == 1:
        tolerances["liblinear"] = sklearn.liblinear_tol(y, TOLERANCE)
    floors = Floors(X)
    part = sklearn.logistic_fit(X, y, tolerances)
    yield against(settings, title, X, y, part, f"best solver of {part.name}", floors)
    if reason := intelex.absent():
        yield absent_row(title, intelex.NAME, TARGET, reason)
    else:
        part = intelex.logistic(X, y, tol)
        for run in part.settings.values():
            run()  # its first call sets up a thread pool
        yield against(settings, title, X, y, part, part.name, floors)
    floors.close()


def against(
    settings: Settings, title: str, X: Any, y: Labels, part: Part, rival: str, floors: Floors | None = None
) -> Row:
    """One fit of ours against one rival; without floors where X is sparse."""
    l2 = 1.0 / len(y)
    runs = floors.runs() if floors else None
    result = contest(settings, lambda: ours.LogisticRegression(l2).fit(X, y), [part], runs)
    note = fit_note(X, y, result.value, result.parts[0].value, l2)
    return row_of(result, title, rival, TARGET, notes=[note])


def fit_note(X: Any, y: Labels, mine: Any, theirs: Any, l2: float) -> str:
    """Relative gradients of both sides, and how far their posteriors lie apart."""
    start = start_gradient(X, y)
    ends = [relative_gradient(X, y, each.coef_, each.intercept_, l2, start) for each in (mine, theirs)]
    answers = [posteriors(X, each.coef_, each.intercept_) for each in (mine, theirs)]
    apart = np.abs(answers[0] - answers[1]).max()
    return (
        f"relative gradient {ends[0]:.0e} (ours) and {ends[1]:.0e}; posteriors differ by at most {apart:.0e}"
    )
