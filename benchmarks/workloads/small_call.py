"""A small call: one ridge model on 150 rows, ten folds, beside as many fits of scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterator

from sklearn.datasets import load_iris

from benchmarks import ours
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of

FOLDS = 10


def rows(settings: Settings) -> Iterator[Row]:
    X, y = load_iris(return_X_y=True)
    plan = ours.KFold(FOLDS)
    part = sklearn.ridge_fits(X, y, list(plan.split(X, y)))
    result = contest(settings, lambda: ours.ridge_errors(X, y, plan), [part])
    yield row_of(
        result, f"a small call: ridge, {FOLDS}-fold, iris, with its error", part.name, None,
        notes=[f"error {result.value:.3f}"],
    )  # fmt: skip
