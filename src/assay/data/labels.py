"""Labels of the rows of a table: given beside it, one per row, or the name of one of its columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from assay.data.schema import unknown_column
from assay.data.table import Table
from assay.notes import Note

UNNAMED = "target"  # what labels without a name are called


def column_names(X: object) -> list[Hashable] | None:
    """Names of the columns of a frame, an Arrow table, a typed table or a dictionary; None: it has none."""
    if isinstance(X, Table):
        return list(X.schema.names)
    names = X if isinstance(X, Mapping) else getattr(X, "column_names", getattr(X, "columns", None))
    return list(names) if isinstance(names, Iterable) else None


def own_name(y: object) -> str | None:
    """The name of a series of pandas or polars, or of the only column of a frame; None of labels without one."""
    columns = column_names(y) or ()
    name = columns[0] if len(columns) == 1 else getattr(y, "name", None)
    return None if name is None or name == "" else str(name)


def label_name(y: object) -> str:
    """What the column of the labels is called."""
    return own_name(y) or UNNAMED


def check_beside(names: Sequence[str], label: str | None) -> None:
    """The labels are not among the columns to predict from, by their name."""
    if label in names:
        raise ValueError(Note("D098", label=label))


def features_and_labels(X: Any, y: Any) -> tuple[Any, Any]:
    """Columns to predict from, and one label per row; y may be the name of a column of X."""
    names = [str(name) for name in column_names(X) or ()]
    if not isinstance(y, str):
        check_beside(names, own_name(y))
        return X, y
    if not names:
        raise ValueError(Note("D099", y=y))
    if y not in names:
        raise unknown_column(y, names)
    others = [name for name in names if name != y]
    if hasattr(X, "iloc"):  # pandas, whose names may be numbers
        return X.iloc[:, [names.index(name) for name in others]], X.iloc[:, names.index(y)]
    return X.select(others), X.labels(y) if isinstance(X, Table) else X[y]
