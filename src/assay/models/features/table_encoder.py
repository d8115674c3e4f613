"""What the encoders share: which columns of a table become numbers, and how a new table is fitted to them.

An encoder learns nothing from the values: names, types and levels stand in the schema. It is applied once, before
any fold is cut, and no fold can leak into another through it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.data import Column, Schema, Table
from assay.data.table import is_missing
from assay.models.base.estimators import Tags, Transformer, check_is_fitted
from assay.models.base.validation import check_rows, feature_names
from assay.notes import Note
from assay.types import Array, MatrixLike, Numbers

MOST_LEVELS = 255  # as many as histogram trees tell apart
FILLED_ROWS = 4096  # of a design at a time


@dataclass(frozen=True)
class Group:
    """The design columns that stand for one column of the table: `first` to `last` - 1."""

    column: str
    type: str
    first: int
    last: int

    @property
    def slice(self) -> slice:
        return slice(self.first, self.last)

    @property
    def width(self) -> int:
        return self.last - self.first


class TableEncoder(Transformer):
    """A transformer from typed tables to float64 matrices, known once the schema is.

    Attributes
    ----------
    schema_ : Schema
        The columns that are used.
    groups_ : tuple of Group
        For each of them its place in the design.
    notes_ : tuple of str
        Columns left out, why, and what to do.
    """

    column_types: ClassVar[frozenset[str]] = frozenset({"numeric", "date", "binary", "categorical"})
    flags: bool = False
    reads_values: ClassVar[bool] = (
        False  # True: fitting goes through the rows, which `fit_transform` does once
    )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _width(self, column: Column) -> int:
        """Design columns of a column."""
        raise NotImplementedError

    def _names(self, column: Column) -> list[str]:
        """Their names."""
        raise NotImplementedError

    def _fill(self, out: Array, column: Column, values: Numbers) -> None:
        """Write a column's part of the design, all zero so far."""
        raise NotImplementedError

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Keep the columns, their types and their levels.

        Parameters
        ----------
        X : Table, frame, array, or any other source of `assay.data.read`
        """
        self._check_params()
        used = self._used(self._read(X).schema)
        self.schema_ = Schema(tuple(used))
        self.groups_ = self._groups(used)
        self.diagnostics_ = self.notes_
        return self

    def _left_out(self, column: Column) -> Note | None:
        """Why a column is not encoded, None if it is."""
        return left_out(column)

    @property
    def flagged_(self) -> tuple[Column, ...]:
        """Columns whose missing values a 0/1 column of the design tells, behind the others."""
        return tuple(column for column in self.schema_ if column.missing > 0) if self.flags else ()

    @property
    def flags_(self) -> list[int]:
        """Places of these 0/1 columns in the design."""
        first = self.groups_[-1].last
        return list(range(first, first + len(self.flagged_)))

    @property
    def many_(self) -> list[int]:
        """Places of columns of more categories than models keep apart; there are none unless they are asked for."""
        return []

    @property
    def sources_(self) -> list[str]:
        """For each design column that belongs to a single column of the table, that column's name."""
        sources = [group.column for group in self.groups_ for _ in range(group.width)]
        return [*sources, *(column.name for column in self.flagged_)]

    def _used(self, schema: Schema) -> list[Column]:
        """The columns that are encoded; the others are noted."""
        reasons = [self._left_out(column) for column in schema]
        self.notes_: tuple[str, ...] = tuple(note for note in reasons if note)
        used = [column for column, note in zip(schema, reasons, strict=True) if not note]
        if not used:
            first = self.notes_[0] if self.notes_ else Note("M709")
            raise ValueError(Note("M074", kind=type(self).__name__, n_columns=len(schema), first=first))
        return used

    def _groups(self, used: list[Column]) -> tuple[Group, ...]:
        """The place of each column in the design."""
        ends = np.cumsum([0, *(self._width(column) for column in used)]).tolist()
        return tuple(
            Group(column.name, column.type, first, last)
            for column, first, last in zip(used, ends, ends[1:], strict=False)
        )

    def _read(self, X: MatrixLike) -> Table:
        """The table to learn from; its names are kept, or the width of an array without names."""
        if is_array(X):
            return table_of_array(check_rows(self, X, reset=True))
        table = X if isinstance(X, Table) else _read(X)
        self.n_features_in_ = len(table.schema)
        self.feature_names_in_ = np.asarray(table.schema.names, dtype=object)
        return table

    def fit_transform(self, X: MatrixLike, y: ArrayLike | None = None, **fit_params: object) -> Any:
        """Fit to a table and encode it."""
        return self.fit(X).transform(X)

    def transform(self, X: MatrixLike) -> Any:
        """The design matrix, float64 (N, D) in rows."""
        table = self.conform(X)
        out = np.zeros((table.n_rows, self.groups_[-1].last + len(self.flagged_)))
        # A column is written across the rows of the design: those of a block stay in the cache until all are written.
        for first in range(0, len(out), FILLED_ROWS):
            self._fill_rows(out[first : first + FILLED_ROWS], table, first)
        return out

    def _fill_rows(self, out: Array, table: Table, first: int) -> None:
        """The rows of the design that begin with this one."""
        rows = slice(first, first + len(out))
        for column, group in zip(self.schema_, self.groups_, strict=True):
            self._fill(out[:, group.slice], column, table.columns[column.name][rows])
        for place, column in zip(self.flags_, self.flagged_, strict=True):
            out[:, place] = is_missing(table.columns[column.name][rows])

    def conform(self, X: MatrixLike) -> Table:
        """X as a table whose columns have the types and levels of `schema_`."""
        check_is_fitted(self)
        if is_array(X) and feature_names(self) is None:
            return table_of_array(check_rows(self, X, reset=False))
        return X if isinstance(X, Table) and fits(X.schema, self.schema_) else _read(X, self.schema_)

    @property
    def n_features_out_(self) -> int:
        """Width of the design."""
        return self.groups_[-1].last + len(self.flagged_)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names of the design columns."""
        check_is_fitted(self)
        names = [name for column in self.schema_ for name in self._names(column)]
        return np.asarray([*names, *(flag_name(column) for column in self.flagged_)], dtype=object)


def flag_name(column: Column) -> str:
    """What the 0/1 column is called that tells where a column has no value."""
    return f"missing_{column.name}"


def left_out(column: Column) -> Note | None:
    """Why a column cannot be encoded and what to do; None if it can."""
    name = column.name
    if column.type == "text":
        return Note("M406", column=name)
    if column.type == "identifier":
        return Note("M407", column=name)
    if column.empty:
        return Note("M408", column=name)
    if column.type == "constant" or (column.type in ("categorical", "binary") and not column.levels):
        return Note("M409", column=name)
    if has_many_levels(column):
        return Note("M410", column=name, n_categories=len(column.levels), most=MOST_LEVELS)
    return None


def has_many_levels(column: Column) -> bool:
    """Whether a column has more categories than models count or keep apart."""
    return column.type == "categorical" and len(column.levels) > MOST_LEVELS


def not_read(column: Column, readers: str) -> Note:
    """The note about a column of a type that some models do not read."""
    return Note("M411", column=column.name, type=column.type, readers=readers)


def fits(schema: Schema, wanted: Schema) -> bool:
    """Whether a table of `schema` can be encoded as it is: the wanted columns are there with the same levels."""
    if schema is wanted:
        return True
    columns = {column.name: (column.type, column.levels) for column in schema}
    return all(columns.get(column.name) == (column.type, column.levels) for column in wanted)


def is_array(X: object) -> bool:
    """Whether X is a plain array of numbers: rows without names and types."""
    if isinstance(X, Table | str | os.PathLike | dict | tuple):
        return False
    if any(hasattr(X, mark) for mark in ("columns", "column_names", "__arrow_c_stream__", "__dataframe__")):
        return False
    return getattr(getattr(X, "dtype", None), "kind", "f") not in "OSTUVM"


def level_codes(values: Numbers) -> Array:
    """Codes as numbers; NaN for a missing and for an unseen level."""
    return np.where(values < 0, np.nan, values)


def table_of_array(rows: NDArray[np.floating], names: list[str] | None = None) -> Table:
    """A table of numeric columns, x0, x1, ... where they have no names."""
    names = [f"x{j}" for j in range(rows.shape[1])] if names is None else names
    columns = {name: np.asarray(rows[:, j], dtype=np.float64) for j, name in enumerate(names)}
    return Table(Schema(tuple(Column(name, "numeric") for name in names)), columns)


def _read(X: object, schema: Schema | None = None) -> Table:
    from assay.data import read  # reading brings DuckDB and Arrow along

    return read(X, schema=schema)
