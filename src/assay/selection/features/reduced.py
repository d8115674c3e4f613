"""A pipeline, or a classifier of tables, seen as its last model where the steps before change nothing about the search.

Levels become columns of 0 and 1 whatever the fold, and those of one column move together. Filling gaps is nothing where
there are none, dropping a reference level nothing where there are no levels; and models whose scores do not depend on
the units of the columns see no scaling.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.table import Table
from assay.models.base import clone, parts_of
from assay.models.features.empty import FillEmpty
from assay.models.features.impute import Impute
from assay.models.features.reference import DropReference
from assay.models.features.scale import Standardize
from assay.models.features.tables import left_out
from assay.models.gaussian.classifier import GaussianClassifier
from assay.models.linear.least_squares import LeastSquaresClassifier
from assay.models.naive_bayes.gaussian import GaussianNB
from assay.models.table import TableClassifier
from assay.selection.features.task import Task
from assay.selection.features.units import Units


def reduced(task: Task) -> Task | None:
    """The same task for a bare model on numbers; None where a step does something that folds must learn."""
    if isinstance(task.model, TableClassifier):
        return _of_table(task) if isinstance(task.X, Table) else None
    parts = [part for _, part in parts_of(task.model)]
    if not parts:
        return task
    if not isinstance(task.X, np.ndarray) or not _idle(parts, task.X, False):
        return None
    return replace(task, model=parts[-1])


def _of_table(task: Task) -> Task | None:
    table, model = task.X, clone(task.model)
    if not isinstance(table, Table) or any(left_out(column) for column in table.schema):
        return None
    known = model.encoded(table)
    encoder, design, names = known.encoder_, known.design(table), table.schema.names
    if not isinstance(design, np.ndarray | Table) or {group.column for group in encoder.groups_} != {*names}:
        return None
    estimator = known.matrix_estimator()
    parts = [part for _, part in parts_of(estimator)] or [estimator]
    levels = any(group.width > 1 for group in encoder.groups_)
    if isinstance(design, np.ndarray) and not _idle(parts, design, levels):
        return None
    sources = np.asarray(encoder.sources_, dtype=object)  # a flag of missing values moves with its column
    columns = tuple(
        np.concatenate([np.flatnonzero(sources == names[j]) for j in unit]).astype(np.int32)
        for unit in task.units.columns
    )
    units = Units(task.units.names, columns, tuple(map(str, known.design_names_)))
    return replace(task, model=parts[-1], X=design, units=units)


def _idle(parts: list[Any], X: NDArray[np.floating], levels: bool) -> bool:
    """Whether the steps before the last part leave the search as it is."""
    gaps = X.dtype.kind == "f" and bool(np.isnan(X).any())
    for step in parts[:-1]:
        fine = {
            Impute: not gaps,
            FillEmpty: not gaps,
            DropReference: not levels,
            Standardize: not gaps and _scale_free(parts[-1]),
        }.get(type(step), False)
        if not fine:
            return False
    return True


def _scale_free(model: Any) -> bool:
    """Whether units of the columns change nothing."""
    if isinstance(model, GaussianClassifier):
        return model.shrinkage == 0.0 and model._structure != "spherical"
    return isinstance(model, GaussianNB) or (isinstance(model, LeastSquaresClassifier) and model.l2 == 0.0)
