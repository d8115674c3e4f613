"""Searches by passes over the rows: every candidate of a step is tried in one, for models whose scores allow it.

The hits are those of models fitted to each subset. Subsets of which a pass cannot tell them are left to the study.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.data.table import Table
from assay.models.base.estimators import clone, parts_of
from assay.models.features.drop_reference import DropReference
from assay.models.features.fill_empty import FillEmpty
from assay.models.features.impute import Impute
from assay.models.features.scale import Standardize
from assay.models.features.table_encoder import left_out
from assay.models.gaussian.gaussian_classifier import GaussianClassifier
from assay.models.linear.least_squares import LeastSquaresClassifier
from assay.models.naive_bayes.gaussian import GaussianNB
from assay.models.table.table_classifier import TableClassifier
from assay.selection.features.additive_scores import AdditiveScores
from assay.selection.features.feature_columns import FeatureColumns
from assay.selection.features.sorted_rows import SearchData, SortedRows
from assay.selection.features.stepwise import Moves
from assay.selection.features.subsets import Subsets
from assay.selection.features.sweep_operator import SweepOperator
from assay.sharing.moments.training import Reading, training
from assay.sharing.overrides import overrides
from assay.statistics import cells_bytes
from assay.types import Array, Codes, RowClassifier


class OnePass(Protocol):
    """A search by passes over the rows."""

    strategy: str

    def hits(self, moves: Moves) -> Array:
        """Weight of the rows that are right in each subset; NaN for those that must be solved by themselves."""


def bare_of(subsets: Subsets) -> Subsets | None:
    """The same subsets of a bare model on numbers whose passes judge them, if there is one."""
    if subsets.loss is not None or subsets.study.splits.row_by_row or overrides(subsets.model) is not None:
        return None
    bare = _of_table(subsets) if isinstance(subsets.model, TableClassifier) else _without_steps(subsets)
    return bare if bare is not None and bare.numbers and _kind(bare.model) is not None else None


def one_pass(bare: Subsets, key: int, both_ways: bool) -> OnePass | None:
    """The passes of a search, whose features may enter and leave or not; None where its tests do not count alike."""
    study, kind = bare.study, _kind(bare.model)
    splits, data = study.splits, study.dataset
    if kind is None or not bare.evenly(key) or _needed(bare, key) > data.engine.memory:
        return None
    if kind is SweepOperator and any(len(feature) > 1 for feature in bare.features.columns):
        return None  # several columns do not move in one sweep
    bare.model._check_params()
    study.check_classes()
    rows, test = splits.pairs(splits.cell, bare.tests[key])
    models, of_row = np.unique(splits.model[test], return_inverse=True)
    split: Codes = of_row.astype(np.int32)
    moments = training(study, Reading(bare.model.moments_form, None, bare.model.missing_ok), models)
    sorted_rows = SortedRows.of(
        np.arange(len(test)) if rows is None else rows, split, (len(models), data.n_features, data.n_classes),
        data.codes, data.weight,
    )  # fmt: skip
    rows_and_moments = SearchData(
        data.matrix(), sorted_rows, moments.in_rows(), bare.features, both_ways, data.engine.threads
    )
    return kind(clone(bare.model), rows_and_moments)


def _kind(model: RowClassifier) -> type[AdditiveScores] | type[SweepOperator] | None:
    if isinstance(model, GaussianNB):
        return AdditiveScores
    if isinstance(model, LeastSquaresClassifier):
        return SweepOperator
    if isinstance(model, GaussianClassifier) and model.shrinkage == 0.0:
        return {"diagonal": AdditiveScores, "full": None if model._own else SweepOperator}.get(
            model._structure
        )
    return None


def _needed(subsets: Subsets, key: int) -> int:
    """Memory for the moments of the training subsets and for the rows in the order of a search."""
    data, models = subsets.study.dataset, int(subsets.tests[key].sum())
    places = int(subsets.times[key].sum()) + models * data.n_classes * int(_core.search.search_rows)
    cells = cells_bytes(subsets.model.moments_form, models + 1, data.n_classes, data.n_features)
    return 4 * cells + 8 * places * (data.n_features + data.n_classes)


def _without_steps(subsets: Subsets) -> Subsets | None:
    """The model at the end of a pipeline, where the steps before it do nothing here."""
    parts = [part for _, part in parts_of(subsets.model)]
    if not parts:
        return subsets
    return (
        replace(subsets, model=parts[-1]) if subsets.numbers and _idle(parts, subsets.table, False) else None
    )


def _of_table(subsets: Subsets) -> Subsets | None:
    """The model on the columns that a typed table becomes: levels are columns of 0 and 1, and move together."""
    table = subsets.table
    if not isinstance(table, Table) or any(left_out(column) for column in table.schema):
        return None
    encoded = clone(subsets.model).encoded(table)
    encoder, design, names = encoded.encoder_, encoded.design(table), table.schema.names
    if not isinstance(design, np.ndarray) or {group.column for group in encoder.groups_} != {*names}:
        return None
    estimator = encoded.matrix_estimator()
    parts = [part for _, part in parts_of(estimator)] or [estimator]
    if not _idle(parts, design, any(group.width > 1 for group in encoder.groups_)):
        return None
    sources = np.asarray(encoder.sources_, dtype=object)  # a flag of missing values moves with its column
    columns = tuple(
        np.concatenate([np.flatnonzero(sources == names[j]) for j in feature]).astype(np.int32)
        for feature in subsets.features.columns
    )
    features = FeatureColumns(subsets.features.names, columns, tuple(map(str, encoded.design_names_)))
    return replace(subsets, model=parts[-1], study=subsets.study_of(design), features=features)


def _idle(parts: list[Any], X: NDArray[np.floating], levels: bool) -> bool:
    """Whether the steps before the last part leave the search as it is.

    Filling gaps is nothing where there are none, dropping a reference level nothing where there are no levels; and
    models whose scores do not depend on the features of the columns see no scaling.
    """
    gaps = X.dtype.kind == "f" and bool(np.isnan(X).any())
    fine = {
        Impute: not gaps,
        FillEmpty: not gaps,
        DropReference: not levels,
        Standardize: not gaps and _scale_free(parts[-1]),
    }
    return all(fine.get(type(step), False) for step in parts[:-1])


def _scale_free(model: RowClassifier) -> bool:
    """Whether features of the columns change nothing."""
    if isinstance(model, GaussianClassifier):
        return model.shrinkage == 0.0 and model._structure != "spherical"
    return isinstance(model, GaussianNB) or (isinstance(model, LeastSquaresClassifier) and model.l2 == 0.0)
