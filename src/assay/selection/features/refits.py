"""Any classifier, on any table whose columns can be taken: every set of features is evaluated by itself.

What the folds of one set share they share as in `evaluate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.table import Table
from assay.models.base import clone
from assay.models.table import TableClassifier
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.selection.features.task import Array, Chosen, Figure, Task

KEPT = 4096  # evaluations that are remembered by their figures


class RefitJudge:
    """Evaluates each set of features anew."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.strategy = "refit"
        self._known: dict[frozenset[int], Figure] = {}
        self._notes: dict[str, None] = {}

    def adding(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        return np.array([self._figure((*chosen, unit)).loss for unit in candidates])

    def dropping(self, chosen: Chosen, candidates: Sequence[int]) -> Array:
        return np.array([self._figure(tuple(u for u in chosen if u != unit)).loss for unit in candidates])

    def figure(self, chosen: Chosen, loss: float | None) -> Figure:
        return self._figure(chosen)

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(self._notes)

    def _figure(self, chosen: Chosen) -> Figure:
        key = frozenset(chosen)
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._evaluated(chosen)
            self.strategy = found.strategy
            self._notes.update(dict.fromkeys(note for note in found.notes if "was absent" in note))
            self._known[key] = Figure.of(found)
        return self._known[key]

    def _evaluated(self, chosen: Chosen) -> Evaluation:
        task = self.task
        model, X = clone(task.model), take_columns(task.X, task.units.columns_of(chosen))
        if isinstance(model, TableClassifier) and isinstance(
            X, Table
        ):  # its columns are known before the folds
            known = model.encoded(X)
            model, X = known.matrix_estimator(), known.design(X)
        found: Evaluation = evaluate(
            model,
            X,
            task.y,
            task.plan,
            loss=task.loss,
            sample_weight=task.weight,
            groups=task.row_groups,
            n_jobs=task.n_jobs,
            progress=False,
        )
        return found


def take_columns(X: Any, columns: NDArray[np.intp]) -> Any:
    """Some columns of an array, a frame, a sparse matrix, an Arrow or a typed table."""
    if hasattr(X, "iloc"):
        return X.iloc[:, columns]
    if isinstance(X, Table):
        return X.select([X.schema.names[j] for j in columns])
    if hasattr(X, "to_pylist"):  # Arrow
        return X.select([X.column_names[j] for j in columns])
    if hasattr(X, "columns") and hasattr(X, "select"):  # polars
        return X.select([X.columns[j] for j in columns])
    return X[:, columns] if hasattr(X, "shape") else [[row[j] for j in columns] for row in X]
