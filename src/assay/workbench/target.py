"""The labels of a target column: levels, codes, and the order of the classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assay.data.schema import Category, Column, ColumnType
from assay.data.table import MISSING, label_codes
from assay.notes import Note
from assay.types import Array, Codes

MANY_VALUES, MANY_SHARE, MANY_FRACTIONS = 50, 0.05, 20
QUANTITY = 20  # whole numbers, from which on classes look like a quantity


def labels(column: Column, values: Any) -> tuple[Column, Codes]:
    """The target as a categorical column and its codes; numbers with few values become levels, others an error."""
    if column.type in ("categorical", "binary"):
        codes, levels = label_codes(column, np.asarray(values, dtype=np.int32))
        return (column if levels == column.levels else _as_categorical(column, levels)), codes
    if column.type == "date":
        raise ValueError(Note("P031", column.name))
    if column.type == "numeric":
        return _number_labels(column, values)
    distinct = values.unique().drop_null().to_pylist()
    order = {level: code for code, level in enumerate(sorted(distinct))}
    numbers = [MISSING if value is None else order[value] for value in values.to_pylist()]
    return _as_categorical(column, tuple(order)), np.array(numbers, dtype=np.int32)


def _number_labels(column: Column, values: Array) -> tuple[Column, Codes]:
    known = ~np.isnan(values)
    distinct, inverse = np.unique(values[known], return_inverse=True)
    whole = bool(np.all(distinct == np.floor(distinct)))
    many = len(distinct) > MANY_VALUES and len(distinct) > MANY_SHARE * known.sum()
    if many or (not whole and len(distinct) > MANY_FRACTIONS):
        raise ValueError(Note("P032", column.name, distinct=len(distinct)))
    codes = np.full(len(values), MISSING, dtype=np.int32)
    codes[known] = inverse
    levels = tuple(int(v) if whole else float(v) for v in distinct)
    return _as_categorical(column, levels), codes


def _as_categorical(column: Column, levels: tuple[Category, ...]) -> Column:
    kind: ColumnType = "binary" if len(levels) == 2 else "categorical"
    return replace(column, type=kind, levels=levels, reason=Note("D217"))


def present_classes(column: Column, codes: Codes, n_dropped: int) -> tuple[Column, Codes]:
    """Only levels that occur, sorted by their own order (numbers before text where a target mixes them)."""
    counts = np.bincount(codes, minlength=len(column.levels))
    present = [k for k in np.flatnonzero(counts)]
    present.sort(key=lambda k: _sort_key(column.levels[k]))
    new = np.full(len(column.levels) + 1, MISSING, dtype=np.int32)
    new[present] = np.arange(len(present))
    levels = tuple(column.levels[k] for k in present)
    return replace(column, levels=levels, missing=n_dropped, distinct=len(levels)), new[codes]


def _sort_key(level: Category) -> tuple[int, float, str]:
    return (1, 0.0, level) if isinstance(level, str) else (0, float(level), "")


def quantity_note(column: Column) -> tuple[Note, ...]:
    """That classes look like a quantity: many numbers, most of them neighbours.

    >>> [note.code for note in quantity_note(Column("age", "categorical", tuple(range(18, 60))))]
    ['P157']
    """
    numbers = [level for level in column.levels if isinstance(level, int | float)]
    if len(numbers) < QUANTITY or len(numbers) < len(column.levels):
        return ()
    gaps = np.diff(np.sort(np.array(numbers, dtype=np.float64)))
    if (gaps == gaps.min()).mean() <= 0.5:  # codes of places, say, have gaps of every size
        return ()
    return (Note("P157", column.name, distinct=len(numbers)),)
