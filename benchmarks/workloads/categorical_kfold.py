"""Categorical naive Bayes, 10-fold: levels found, counted and scored, stored posterior and intervals in our time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import ours
from benchmarks.agreement import fold_error_note
from benchmarks.data import Labels
from benchmarks.harness import Settings, contest
from benchmarks.rivals import sklearn
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import FOLDS, folds, size

ROWS, COLUMNS, LEVELS, CLASSES = 1_000_000, 20, 10, 5
TARGET = 20.0


def rows(settings: Settings) -> Iterator[Row]:
    X, y = answers(settings.rows(ROWS))
    plan = ours.KFold(FOLDS)
    splits = folds(plan, X, y)
    part = sklearn.cross_validation(sklearn.categorical(LEVELS), X, y, splits)
    result = contest(settings, lambda: ours.evaluated(ours.model("categorical"), X, y, plan), [part])
    note = fold_error_note(result.value, y, splits, result.parts[0].value)
    title = f"CategoricalNB, {FOLDS}-fold, {size(X)}, {LEVELS} levels, {CLASSES} classes"
    yield row_of(result, title, "cross_val_score CategoricalNB", TARGET, notes=[note])


def answers(n_rows: int) -> tuple[Any, Labels]:
    """Codes of levels that depend a little on the class."""
    rng = np.random.default_rng(31)
    y = rng.integers(CLASSES, size=n_rows)
    typical = rng.random((n_rows, COLUMNS)) < 0.1
    return np.where(typical, 2 * y[:, None], rng.integers(LEVELS, size=(n_rows, COLUMNS))), y
