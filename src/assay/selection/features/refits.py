"""Any classifier, on any table whose columns can be taken: every set of features is evaluated by itself.

What the folds of one set share they share as in `evaluate`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.data.labels import column_names
from assay.data.table import Table
from assay.models.base import clone
from assay.models.mixed.classifier import MixedNB
from assay.models.naive_bayes.categorical import CategoricalNB, flag_places
from assay.models.sparse import is_sparse
from assay.models.table import TableClassifier
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation
from assay.selection.features.task import Array, Chosen, Figure, Task
from assay.sharing.overrides import overrides

KEPT = 4096  # evaluations that are remembered by their figures


class RefitJudge:
    """Evaluates each set of features anew."""

    shared: ClassVar[str | None] = None  # what those that inherit share between sets

    def __init__(self, task: Task) -> None:
        self.task = task
        self.strategy = self.shared or "refit"
        self._known: dict[frozenset[int], Figure] = {}
        changed = overrides(task.model)
        self._notes: dict[str, None] = {} if changed is None else {str(changed): None}

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
            self.strategy = self.shared or found.strategy
            self._notes.update(dict.fromkeys(note for note in found.notes if "was absent" in note))
            self._known[key] = Figure.of(found)
        return self._known[key]

    def _evaluated(self, chosen: Chosen) -> Evaluation:
        task = self.task
        model, X = on_columns(task.model, task.X, task.units.columns_of(chosen))
        table = isinstance(model, TableClassifier) and isinstance(X, Table) and overrides(model) is None
        if table:  # its columns are known before the folds
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


def on_columns(model: Any, X: Any, columns: NDArray[np.intp]) -> tuple[Any, Any]:
    """A copy of a model for some columns of a table, and these."""
    own, part = clone(model), take_columns(X, columns)
    if isinstance(own, MixedNB) and own.kinds:
        names, before = column_names(part), [f"x{j}" for j in columns]  # as the columns of arrays are called
        after = before if names is None else names
        now = {old: f"x{place}" if names is None else old for place, old in enumerate(after)}
        own.kinds = {now[name]: kind for name, kind in own.kinds.items() if name in now} or None
    if isinstance(own, MixedNB | CategoricalNB) and own.flags is not None:
        names = column_names(X)
        flags = flag_places(own.flags, X.shape[1] if names is None else len(names))
        own.flags = [place for place, column in enumerate(columns.tolist()) if column in flags] or None
    return own, part


def take_columns(X: Any, columns: NDArray[np.intp]) -> Any:
    """Some columns of an array, a frame, a sparse matrix, an Arrow or a typed table."""
    if is_sparse(X):
        return X.tocsr()[:, columns]  # of some formats columns cannot be taken
    if hasattr(X, "iloc"):
        return X.iloc[:, columns]
    if isinstance(X, Table):
        return X.select([X.schema.names[j] for j in columns])
    if hasattr(X, "to_pylist"):  # Arrow
        return X.select([X.column_names[j] for j in columns])
    if hasattr(X, "columns") and hasattr(X, "select"):  # polars
        return X.select([X.columns[j] for j in columns])
    return X[:, columns] if hasattr(X, "shape") else [[row[j] for j in columns] for row in X]
