"""One linear support vector machine with the hinge loss, against LinearSVC: C = 1 and 100, even and uneven columns."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks import ours
from benchmarks.data import Array, Labels
from benchmarks.floors import Floors
from benchmarks.harness import Case, Settings, contest
from benchmarks.objectives import hinge
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size
from benchmarks.workloads.linear_svm import centred

COSTS = (1.0, 100.0)
SCALED, UNSCALED = (50_000, 50), (20_000, 20)
SPREAD = (0.1, 100.0)  # deviations of uneven columns, from the first to the last
TARGET = 20.0
NEAR = 1e-9  # tolerance of the fit that stands for the optimum


def cases(settings: Settings) -> list[Case]:
    return [partial(of_kind, settings, C, kind) for C in COSTS for kind in ("scaled", "unscaled")]


def of_kind(settings: Settings, C: float, kind: str) -> Row:
    if kind == "scaled":
        X, y = centred(settings.rows(SCALED[0]), SCALED[1])
    else:
        X, y = centred(settings.rows(UNSCALED[0]), UNSCALED[1])
        X = X * np.geomspace(*SPREAD, X.shape[1])
    return measure(settings, X, y, C, kind)


def measure(settings: Settings, X: Array, y: Labels, C: float, kind: str) -> Row:
    """One table and one C = 1/(l2 N)."""
    l2 = 1.0 / (C * len(y))
    part = sklearn.svm_fit(X, y, C)
    floors = Floors(X)
    result = contest(settings, lambda: ours.linear_svm(l2).fit(X, y), [part], floors.runs())
    floors.close()
    best, mine, theirs = (
        hinge(X, y, each.coef_[0], float(each.intercept_[0]), l2)
        for each in (ours.linear_svm(l2, tol=NEAR).fit(X, y), result.value, result.parts[0].value)
    )
    notes = [
        f"objective above the optimum, relative: {_above(mine, best)} (ours) and {_above(theirs, best)}",
        f"the optimum is a fit of ours to a duality gap of {NEAR:g}",
    ]
    if not sklearn.converged(result.parts[0].value):
        notes.append("LinearSVC reached max_iter")
    return row_of(
        result, f"single fit, linear SVM, hinge, C={C:g}, {kind} {size(X)}", part.name, TARGET, notes=notes
    )


def _above(value: float, best: float) -> str:
    return f"{max(0.0, (value - best) / best):.0e}"
