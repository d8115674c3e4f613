"""Anything that holds rows as a typed table: names and width are remembered in training and compared afterwards."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from assay.data import UNSEEN, Schema, Table
from assay.data.apply_schema import conform_table
from assay.models.base.estimators import Model
from assay.models.base.validation import check_cells, check_rows, column_names, feature_name
from assay.models.features.table_encoder import fits, is_array, table_of_array
from assay.models.naive_bayes.mixed.column_kinds import grown
from assay.types import Cells


def source_of(estimator: Model, X: Any, *, reset: bool) -> Any:
    """A table, or what `read` makes one of."""
    if isinstance(X, Table | dict | str | os.PathLike) or _is_arrow(X):
        if reset and isinstance(X, Table | dict):
            _remember(estimator, list(X.schema.names if isinstance(X, Table) else map(str, X)))
        return X
    if hasattr(X, "columns"):
        return check_cells(estimator, X, reset=reset)
    if is_array(X) and not _is_listed_text(X):
        rows = check_rows(estimator, X, reset=reset)
        return table_of_array(rows, names_of(estimator, rows.shape[1]))
    cells = np.asarray(check_cells(estimator, X, reset=reset))
    return {name: cells[:, j] for j, name in enumerate(names_of(estimator, cells.shape[1]))}


def names_of(estimator: Model, width: int) -> list[str]:
    """Names of the columns of an array: those of training, or x0, x1, ..."""
    return [str(name) for name in column_names(estimator, None, width)]


def training_table(estimator: Model, X: object) -> Table:
    """A table to learn from, its types found out."""
    source = source_of(estimator, X, reset=True)
    if isinstance(source, Table):
        return source
    from assay.data import read  # reading brings DuckDB and Arrow along

    table = read(source)
    if not hasattr(estimator, "n_features_in_"):
        _remember(estimator, list(table.schema.names))
    return table


def further_table(estimator: Model, X: object, schema: Schema) -> tuple[Table, Schema]:
    """More rows to learn from, of the same columns, and the schema with the levels that are new."""
    source = source_of(estimator, X, reset=False)
    if not isinstance(source, Table):
        from assay.data import read

        types = {c.name: f"{c.type}:{c.written}" if c.written else c.type for c in schema}
        source = read(source, types=types)
    table = source.select(schema.names)
    schema = grown(schema, table.schema)
    return table if fits(table.schema, schema) else conform_table(table, schema), schema


def known_table(estimator: Model, X: object, schema: Schema) -> Table:
    """Rows of the columns and levels that training showed."""
    source = source_of(estimator, X, reset=False)
    if isinstance(source, Table) and fits(source.schema, schema):
        return source.select(schema.names)
    from assay.data import read

    return read(source, schema=schema)


def unseen_cell(table: Table) -> tuple[int, str] | None:
    """Row and column of the first level that the schema does not know."""
    for column in table.schema:
        if column.type in ("categorical", "binary"):
            rows = np.flatnonzero(table.columns[column.name] == UNSEEN)
            if len(rows):
                return int(rows[0]), feature_name([column.name], 0)
    return None


def _remember(estimator: Model, names: list[str]) -> None:
    estimator.n_features_in_ = len(names)
    estimator.feature_names_in_ = np.asarray(names, dtype=object)


def _is_arrow(X: object) -> bool:
    """Tables of Arrow, which scikit-learn does not know; frames of pandas and polars it does."""
    return hasattr(X, "column_names") or (hasattr(X, "__arrow_c_stream__") and not hasattr(X, "columns"))


def _is_listed_text(X: object) -> bool:
    """Whether X is a list of rows some of whose values are no numbers."""
    if hasattr(X, "dtype") or hasattr(X, "__array__"):
        return False
    try:
        cells: Cells = np.asarray(X)
    except ValueError:  # ragged: the checks say so
        return False
    return cells.ndim == 2 and cells.dtype.kind in "OSU"
