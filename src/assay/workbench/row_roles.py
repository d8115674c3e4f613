"""Roles of columns beside features and target: groups of rows that belong together, and sample weights.

Rows of one group (a patient, a device, a day) are in one fold: none is tested by a model that has seen another of its
group. A row of weight w counts as w rows, in training and in every metric. Both are columns of the table, or arrays of
one value per row; such columns are not used as features, and rows to be predicted need not have them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.data.convert import is_number
from assay.data.schema import Column, unknown_column
from assay.data.table import MISSING, Table, value_codes
from assay.decision import effective_size
from assay.notes import Note
from assay.plans import UNUSED, Partition
from assay.types import Array


@dataclass(frozen=True, eq=False)
class RowGroups:
    """Rows that belong together: the column, None of an array, and the number of each row's group."""

    name: str | None
    codes: NDArray[np.int32]

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Rows of each group."""
        return np.bincount(self.codes)

    @property
    def count(self) -> int:
        return len(self.sizes)

    def take(self, rows: NDArray[np.int64]) -> RowGroups:
        """The groups of some rows, numbered anew."""
        return RowGroups(self.name, np.unique(self.codes[rows], return_inverse=True)[1].astype(np.int32))

    @property
    def figures(self) -> dict[str, Any]:
        """Plain values."""
        sizes = self.sizes
        return {
            "column": self.name,
            "groups": self.count,
            "smallest": int(sizes.min()),
            "largest": int(sizes.max()),
        }

    @property
    def called(self) -> str:
        """What sentences call them by."""
        return "groups" if self.name is None else repr(self.name)

    @property
    def note(self) -> Note:
        """How they are used."""
        low, high = int(self.sizes.min()), int(self.sizes.max())
        if high == 1:
            return Note("P135", groups=self.called)
        if low == high:
            return Note("P137", groups=self.called, count=self.count, size=low)
        return Note("P136", groups=self.called, count=self.count, smallest=low, largest=high)


@dataclass(frozen=True, eq=False)
class RowWeights:
    """What each row counts: the column, None of an array, and a number above 0 for every row."""

    name: str | None
    values: Array

    @property
    def figures(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "column": self.name,
            "sum": float(self.values.sum()),
            "smallest": float(self.values.min()),
            "largest": float(self.values.max()),
            "effective_rows": effective_size(self.values),
        }

    @property
    def called(self) -> str:
        """How notes call them."""
        return "weights" if self.name is None else f"column {self.name!r}"

    @property
    def note(self) -> Note:
        """How they are used, where rows are in training sets and tested."""
        return self._note("P139")

    @property
    def in_test(self) -> Note:
        """How they are used, where rows are tested by a saved model."""
        return self._note("P140")

    def _note(self, code: str) -> Note:
        low, high = float(self.values.min()), float(self.values.max())
        if low == high:
            return Note("P138", weights=self.called, weight=low)
        effective = round(effective_size(self.values))
        return Note(code, weights=self.called, smallest=low, largest=high, effective=effective)


def check_together(partitions: list[Partition], groups: RowGroups) -> None:
    """No fold tests a row by a model of its own group: a plan of another library may not have asked for groups."""
    for partition in partitions:
        used = partition.fold != UNUSED
        cells = np.unique(np.stack([groups.codes[used], partition.fold[used]]), axis=1)[0]
        if len(np.unique(cells)) < len(cells):
            raise ValueError(Note("P027", groups=groups.called))


def check_roles(target: str | None, groups: ArrayLike | None, weights: ArrayLike | None) -> None:
    """No column is two of target, groups and weights."""
    given = [("target", target), ("groups", column_of(groups)), ("weights", column_of(weights))]
    named = [(role, name) for role, name in given if name is not None]
    for at, (role, name) in enumerate(named):
        for other, same in named[:at]:
            if name == same:
                raise ValueError(Note("P029", name, other=other, role=role))


def column_of(role: object) -> str | None:
    """The column that holds groups or weights; None for an array of them."""
    return role if isinstance(role, str) else None


def role_columns(*given: object) -> tuple[str, ...]:
    """The columns among groups and weights; arrays are none."""
    return tuple(column for role in given if (column := column_of(role)) is not None)


def take_groups(groups: ArrayLike | None, table: Table, rows: NDArray[np.int64]) -> RowGroups | None:
    """The groups of some rows of a table; every one of them must have a value, and there must be two."""
    if groups is None:
        return None
    name = column_of(groups)
    codes = _array_codes(groups, table.n_rows) if name is None else _column_codes(name, table)
    absent = rows[codes[rows] == MISSING]
    if len(absent):
        values = {"row": int(absent[0]) + 1, "rows": len(absent)}
        raise ValueError(Note("P721", values=values) if name is None else Note("P020", name, values))
    row_groups = RowGroups(name, codes).take(rows)
    if row_groups.count < 2:
        raise ValueError(Note("P722") if name is None else Note("P021", name))
    return row_groups


def _array_codes(groups: ArrayLike | None, n_rows: int) -> NDArray[np.int32]:
    # A list of names and missing values is not a list of names: NumPy would read "nan".
    values = np.asarray(groups, dtype=None if hasattr(groups, "dtype") else object)
    if values.ndim != 1 or len(values) != n_rows:
        raise ValueError(Note("P022", n_rows=n_rows, shape=values.shape))
    # What is no value does not equal itself: NaN, NaT and pandas' NA, whose answer is neither yes nor no.
    absent = np.array(
        [value is None or (value == value) is not True for value in values.tolist()], dtype=np.bool_
    )
    numbers: dict[Any, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values[~absent].tolist()]
    out = np.full(n_rows, MISSING, dtype=np.int32)
    out[~absent] = codes
    return out


def _column_codes(name: str, table: Table) -> NDArray[np.int32]:
    """A number for each different value of a column of any type, MISSING where there is none."""
    if name not in table.schema:
        raise unknown_column(name, table.schema.names, "group column")
    return value_codes(table[name])


def take_weights(
    weights: ArrayLike | None, table: Table, rows: NDArray[np.int64], before: int = 0
) -> tuple[str | None, Array] | None:
    """Name and values of the weights of some rows of a table, which begins after `before` rows; 0 is allowed."""
    if weights is None:
        return None
    name = column_of(weights)
    values = _array_numbers(weights, table.n_rows) if name is None else _column_numbers(name, table, before)
    for row in rows[~np.isfinite(values[rows]) | (values[rows] < 0)][:1]:
        raise ValueError(_bad_weight(name, float(values[row]), int(before + row + 1)))
    return name, values[rows]


def _bad_weight(name: str | None, weight: float, row: int) -> Note:
    """A weight that is missing, negative or infinite, of a column or (None) of an array."""
    if math.isnan(weight):
        return Note("P723", row=row) if name is None else Note("P724", name, row=row)
    if name is None:
        return Note("P725", weight=weight, row=row)
    return Note("P023", name, weight=weight, row=row)


def check_counting(
    target: str, column: Column, codes: NDArray[np.int32], weights: str | None, values: Array
) -> None:
    """Rows of two classes count."""
    counting = np.unique(codes[values > 0])
    if len(codes) and not len(counting):
        raise ValueError(Note("P726") if weights is None else Note("P024", weights))
    if len(counting) == 1 and len(np.unique(codes)) > 1:
        only = {"target": target, "label": column.levels[counting[0]]}
        raise ValueError(Note("P727", values=only) if weights is None else Note("P025", weights, only))


def weightless_note(weighed: tuple[str | None, Array] | None, count: int) -> tuple[Note, ...]:
    """How many rows have no weight."""
    if weighed is None or not count:
        return ()
    return (Note("P141", rows=count, weights=RowWeights(*weighed).called),)


def _array_numbers(weights: ArrayLike | None, n_rows: int) -> Array:
    try:
        values = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(Note("P028")) from None
    if values.shape != (n_rows,):
        raise ValueError(Note("P026", n_rows=n_rows, shape=values.shape))
    return values


def _column_numbers(name: str, table: Table, before: int) -> Array:
    """A column as numbers, whatever it was taken for; the first value that is none is named."""
    if name not in table.schema:
        raise unknown_column(name, table.schema.names, "weight column")
    column, values = table.schema[name], table[name]
    if column.type == "numeric":
        return np.asarray(values, dtype=np.float64)
    if column.type == "date":
        raise ValueError(Note("P728", name))
    if column.type in ("categorical", "binary"):
        levels = [_number(level) for level in column.levels]
        texts = [str(level) for level in column.levels]
    else:
        encoded = values.dictionary_encode()
        texts = encoded.dictionary.to_pylist()
        levels = [_number(text) for text in texts]
        values = encoded.indices.fill_null(MISSING).to_numpy(zero_copy_only=False)
    for at, level in enumerate(levels):
        if level is None:
            raise ValueError(_no_number(name, texts[at], before, np.flatnonzero(values == at)))
    return np.asarray(np.array([*levels, np.nan], dtype=np.float64)[values])


def _number(value: str | float) -> float | None:
    if isinstance(value, str):
        return float(value) if is_number(value) else None
    return float(value)


def _no_number(name: str, value: str, before: int, rows: NDArray[np.intp]) -> Note:
    """A text in the column of weights, in the first of these rows if there are any."""
    if len(rows):
        return Note("P019", name, value=value, row=before + int(rows[0]) + 1)
    return Note("P729", name, value=value)
