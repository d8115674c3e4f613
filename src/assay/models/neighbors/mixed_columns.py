"""Columns of frames, Arrow tables and typed tables as the mixed metric compares them: numbers, and codes of categories.

A column holds categories if its type says so: texts, and what pandas, polars, Arrow or a typed table call categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.data.convert import MisfitError, is_text, plain, to_numbers
from assay.data.labels import column_names
from assay.data.sources.frames import stream_of
from assay.models.base.category_codes import MISSING, Levels, find_column, look_up_column
from assay.models.base.validation import check_cells, feature_name, feature_names
from assay.notes import Note
from assay.types import Array, Cells, Codes, Labels, MatrixLike

NUMBERS: Labels = np.empty(0, dtype=np.int64)  # the levels of a column that holds none


def has_categories(X: object) -> bool:
    """Whether X is a table with columns of categories."""
    if column_names(X) is None or not hasattr(X, "shape"):
        return False
    return bool(category_mask(X).any())


def category_mask(X: object) -> NDArray[np.bool_]:
    """Which columns of a table hold categories."""
    if isinstance(X, Table):
        return np.array([column.type not in ("numeric", "date") for column in X.schema])
    import pyarrow as pa

    columns = _arrow(X).columns
    return np.array([pa.types.is_dictionary(column.type) or is_text(plain(column)) for column in columns])


def learn_columns(estimator: object, X: MatrixLike) -> tuple[Array, Levels]:
    """Rows (N, D), categories as codes and NaN where missing, and the levels of each column, in the order of codes."""
    names = _names(estimator, X, reset=True)
    columns = [
        find_column(_cells(column), name) if category else (_numbers(column, name), NUMBERS)
        for column, name, category in zip(_arrow(X).columns, names, category_mask(X), strict=True)
    ]
    return _rows([values for values, _ in columns]), tuple(levels for _, levels in columns)


def look_up_columns(estimator: object, X: MatrixLike, levels: Levels) -> Array:
    """Rows of the same columns; a category that training never saw differs from all others."""
    names = _names(estimator, X, reset=False)
    columns = [
        look_up_column(_cells(column), column_levels, name) if len(column_levels) else _numbers(column, name)
        for column, name, column_levels in zip(_arrow(X).columns, names, levels, strict=True)
    ]
    return _rows(columns)


def _names(estimator: object, X: MatrixLike, *, reset: bool) -> list[str]:
    """What messages call the columns, after their names have been kept or compared."""
    width = check_cells(estimator, X, reset=reset).shape[1]
    return [feature_name(feature_names(estimator), j) for j in range(width)]


def _arrow(X: object) -> Any:
    if isinstance(X, Table):
        return X.to_arrow()
    stream = stream_of(X if column_names(X) is not None else np.asarray(X, dtype=object))
    assert stream is not None
    return stream.table


def _cells(column: Any) -> Cells:
    """The values of a column of categories, None where there is none."""
    return np.asarray(plain(column).to_numpy(zero_copy_only=False))


def _numbers(column: Any, name: str) -> Array:
    try:
        return to_numbers(plain(column))
    except MisfitError as misfit:
        raise ValueError(Note("M162", row=misfit.row, name=name, value=misfit.value)) from None


def _rows(columns: Sequence[Codes | Array]) -> Array:
    """Codes and numbers side by side, NaN where there is no value."""
    coded = [np.where(v == MISSING, np.nan, v) if v.dtype == np.int32 else v for v in columns]
    return np.column_stack(coded)
