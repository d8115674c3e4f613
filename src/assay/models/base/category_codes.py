"""Columns of any labels as codes of levels: found in training, looked up afterwards.

Numbers in a moderate range go through tables by a kernel, everything else through dictionaries. Missing values (NaN,
None) have code -1, levels that training never showed -2. Levels are sorted; whole numbers are int64 whatever type they
came in, so that 1, 1.0 and True are one level.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay import _core
from assay.engines.local import thread_count
from assay.models.base.validation import feature_name, is_arrow
from assay.notes import Note
from assay.statistics.counting import offsets
from assay.types import Cells, Codes, ColumnNames, Frame, Label, Labels, Numbers

Levels = tuple[Labels, ...]
MISSING, UNSEEN = -1, -2
WIDEST = 1 << 16  # a range of numbers up to which a table is worth it, whatever the number of rows
KERNEL_TYPES = (np.float64, np.float32, np.int64, np.int32, np.uint8)


def canonical(levels: Labels) -> Labels:
    """Sorted levels in a type that follows from their values: whole numbers as int64, others as float64 or objects."""
    if levels.dtype.kind == "f" and (np.abs(levels) < 2**53).all() and (np.floor(levels) == levels).all():
        return levels.astype(np.int64)
    return levels.astype(np.int64) if levels.dtype.kind in "bu" else levels


def find_levels(X: Cells | Frame, names: ColumnNames = None) -> tuple[Codes, Levels]:
    """Codes (D, N) and the levels of every column."""
    if are_numbers(X):
        return _find_numbers(_readable(X), [feature_name(names, j) for j in range(X.shape[1])])
    columns = [find_column(column, feature_name(names, j)) for j, column in enumerate(columns_of(X))]
    return np.stack([codes for codes, _ in columns]), tuple(levels for _, levels in columns)


def look_up(X: Cells | Frame, levels: Levels, names: ColumnNames = None) -> Codes:
    """Codes (D, N) of values among the levels that training showed."""
    if are_numbers(X) and _all_numbers(levels):
        return _look_up_numbers(_readable(X), levels)
    columns = columns_of(X)
    return np.stack(
        [look_up_column(column, levels[j], feature_name(names, j)) for j, column in enumerate(columns)]
    )


def are_numbers(values: object) -> TypeGuard[Numbers]:
    """Whether this is an array of numbers or of truth values."""
    return isinstance(values, np.ndarray) and values.dtype.kind in "biuf"


def _all_numbers(levels: Levels) -> TypeGuard[tuple[Numbers, ...]]:
    return all(map(are_numbers, levels))


def columns_of(X: Cells | Frame) -> list[ArrayLike]:
    """The columns of an array or a frame."""
    if hasattr(X, "iloc"):
        return [X.iloc[:, j] for j in range(X.shape[1])]
    if hasattr(X, "get_columns"):  # polars
        return list(X.get_columns())
    if is_arrow(X):
        return list(X.columns)
    cells = np.asarray(X)
    return [cells[:, j] for j in range(cells.shape[1])]


# -- numbers ----------------------------------------------------------------------------------------------


def _readable(X: Numbers) -> Numbers:
    """Numbers in a type and with strides that the kernel takes."""
    if X.dtype == np.bool_:
        X = X.view(np.uint8)
    if X.dtype.type not in KERNEL_TYPES:
        small = X.dtype.kind in "iu" and X.dtype.itemsize <= 2
        X = X.astype(np.int32 if small else np.float64 if X.dtype.kind == "f" else np.int64)
    X = X if X.dtype.isnative else X.astype(X.dtype.newbyteorder("="))
    fits = all(step % X.itemsize == 0 for step in X.strides)
    return X if fits else np.ascontiguousarray(X)


def _find_numbers(X: Numbers, names: list[str]) -> tuple[Codes, Levels]:
    rows, width = X.shape
    low, high, whole = np.empty(width), np.empty(width), np.empty(width, dtype=np.uint8)
    _core.counts.level_ranges(X, thread_count(None), low, high, whole)
    with np.errstate(invalid="ignore"):
        reach = np.where(np.isfinite(low) & np.isfinite(high), high - low + 1, 0.0)
    tabled = (whole > 0) & (np.maximum(np.abs(low), np.abs(high)) < 2.0**53) & (reach <= max(WIDEST, rows))
    tabled |= reach == 0.0  # nothing but gaps, or infinities, which are found below
    lengths = np.where(tabled, reach, 0.0).astype(np.int64)
    first = offsets(lengths)
    table = np.concatenate([np.arange(length, dtype=np.int32) for length in lengths])
    codes = np.empty((width, rows), dtype=np.int32)
    _core.counts.table_codes(X, np.where(lengths > 0, low, 0.0), first, table, thread_count(None), codes)
    present = np.empty((1, int(first[-1])), dtype=np.int64)
    _core.counts.count_levels(codes, first, np.zeros(rows, dtype=np.int32), thread_count(None), present)
    levels: list[Labels] = []
    for j in range(width):
        if not tabled[j] or np.isinf(low[j]) != np.isinf(high[j]) or low[j] == -np.inf:
            codes[j], column_levels = _find_slowly(X[:, j], names[j])
        else:
            positions = np.flatnonzero(present[0, first[j] : first[j + 1]])
            column_levels = positions + np.int64(low[j]) if len(positions) else positions
            if len(positions) < lengths[j]:
                codes[j] = _relabelled(codes[j], positions, int(lengths[j]))
        levels.append(column_levels.astype(np.int64) if column_levels.dtype.kind == "i" else column_levels)
    return codes, tuple(levels)


def _relabelled(codes: Codes, positions: NDArray[np.intp], length: int) -> Codes:
    """Codes without the gaps of levels that never occur; missing stays missing."""
    table = np.full(length + 1, MISSING, dtype=np.int32)  # the last entry is that of code -1
    table[positions] = np.arange(len(positions), dtype=np.int32)
    return table[codes]


def _find_slowly(values: Numbers, name: str) -> tuple[Codes, Labels]:
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    infinite = np.flatnonzero(np.isinf(values) if values.dtype.kind == "f" else missing[:0])
    if len(infinite):
        raise ValueError(Note("M003", row=infinite[0], where=name))
    codes = np.full(len(values), MISSING, dtype=np.int32)
    levels: Labels
    levels, level_codes = np.unique(values[~missing], return_inverse=True)
    codes[~missing] = level_codes
    return codes, canonical(levels.astype(np.float64) if levels.dtype.kind == "f" else levels)


def _look_up_numbers(X: Numbers, levels: tuple[Numbers, ...]) -> Codes:
    tabled = [_is_dense(column_levels) for column_levels in levels]
    low = np.array(
        [
            float(column_levels[0]) if fit and len(column_levels) else 0.0
            for column_levels, fit in zip(levels, tabled, strict=True)
        ]
    )
    tables = [
        _table_of(column_levels) if fit else np.empty(0, np.int32)
        for column_levels, fit in zip(levels, tabled, strict=True)
    ]
    codes = np.empty((X.shape[1], X.shape[0]), dtype=np.int32)
    first = offsets([len(table) for table in tables])
    _core.counts.table_codes(X, low, first, np.concatenate(tables), thread_count(None), codes)
    for j in np.flatnonzero(~np.array(tabled)):
        codes[j] = _search(X[:, j], levels[j])
    return codes


def _is_dense(levels: Numbers) -> bool:
    """Whether a table from the least to the largest level is worth it."""
    if not len(levels):
        return True
    exact = levels.dtype.kind == "i" and max(-int(levels[0]), int(levels[-1])) < 2**53
    return exact and int(levels[-1]) - int(levels[0]) < max(WIDEST, 16 * len(levels))


def _table_of(levels: Numbers) -> Codes:
    if not len(levels):
        return np.empty(0, dtype=np.int32)
    table = np.full(int(levels[-1]) - int(levels[0]) + 1, UNSEEN, dtype=np.int32)
    table[levels - levels[0]] = np.arange(len(levels), dtype=np.int32)
    return table


def _search(values: Numbers, levels: Numbers) -> Codes:
    """Codes of numbers by bisection."""
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
    place = np.searchsorted(levels, values)
    place = np.minimum(place, len(levels) - 1)
    codes = np.where(levels[place] == values, place, UNSEEN)
    return np.where(missing, MISSING, codes).astype(np.int32)


# -- anything else ----------------------------------------------------------------------------------------


class Categories(Protocol):
    """What pandas knows of a categorical column."""

    @property
    def codes(self) -> ArrayLike: ...
    @property
    def categories(self) -> ArrayLike: ...


class CategoricalColumn(Protocol):
    """A categorical column of pandas."""

    @property
    def cat(self) -> Categories: ...


def _is_categorical(column: object) -> TypeGuard[CategoricalColumn]:
    return hasattr(column, "cat") and hasattr(column.cat, "categories")


def find_column(column: ArrayLike, name: str) -> tuple[Codes, Labels]:
    """Codes (N,) and the levels of one column, which messages call by this name."""
    if _is_categorical(column):
        return _find_category(column, name)
    values = _values(column)
    if are_numbers(values):
        codes, levels = _find_numbers(_readable(values[:, None]), [name])
        return codes[0], levels[0]
    raw, seen = _factorised(values, name)
    listed = list(seen)
    if all(isinstance(level, bool | int | float | np.number | np.bool_) for level in listed):
        numbers = np.array([np.nan if code < 0 else float(listed[code]) for code in raw.tolist()])
        codes, levels = _find_numbers(numbers[:, None], [name])
        return codes[0], levels[0]
    order, levels_found = _sorted(listed, name)
    table = np.full(len(listed) + 1, MISSING, dtype=np.int32)
    table[order] = np.arange(len(listed), dtype=np.int32)
    return table[raw], levels_found


def _find_category(column: CategoricalColumn, name: str) -> tuple[Codes, Labels]:
    """A categorical column of pandas: its codes are taken over, categories without a row are not."""
    raw = np.asarray(column.cat.codes, dtype=np.int32)
    categories = np.asarray(column.cat.categories)
    nonempty = np.flatnonzero(np.bincount(raw[raw >= 0], minlength=len(categories)))
    codes, levels = find_column(categories[nonempty], name)
    table = np.full(len(categories) + 2, MISSING, dtype=np.int32)  # the last two: of negative codes
    table[nonempty] = codes
    return table[raw], levels


def _values(column: ArrayLike) -> Cells:
    values = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if values.dtype.kind in "mM":  # dates: as they are written
        written = values.astype(str).astype(object)
        written[np.isnat(values)] = None
        return np.asarray(written)
    return np.asarray(values)


def _factorised(values: Cells, name: str) -> tuple[Codes, dict[Label, int]]:
    """Code of each value in the order of first appearance, -1 for missing ones, and the values by code."""
    seen: dict[Label, int] = {}
    codes = np.empty(len(values), dtype=np.int32)
    try:
        for row, value in enumerate(values.tolist()):
            codes[row] = MISSING if is_missing(value) else seen.setdefault(value, len(seen))
    except TypeError:
        raise ValueError(Note("M004", row=row, name=name, value=value)) from None
    return codes, seen


def is_missing(value: object) -> bool:
    """None, NaN, and what pandas writes for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value


def _sorted(listed: list[Any], name: str) -> tuple[NDArray[np.intp], Labels]:
    """Order of the levels, and the levels in that order."""
    try:
        order = sorted(range(len(listed)), key=listed.__getitem__)
    except TypeError:
        kinds = sorted({type(level).__name__ for level in listed})
        raise ValueError(Note("M005", name=name, kinds=", ".join(kinds))) from None
    levels = np.empty(len(listed), dtype=object)
    levels[:] = [listed[i] for i in order]
    return np.array(order, dtype=np.intp), levels


def look_up_column(column: ArrayLike, levels: Labels, name: str) -> Codes:
    """Codes (N,) of one column among its levels."""
    if _is_categorical(column):
        known = look_up_column(np.asarray(column.cat.categories), levels, name)
        table = np.append(known, np.array([UNSEEN, MISSING], dtype=np.int32))  # of codes -2 and -1
        return np.asarray(table[np.asarray(column.cat.codes)], dtype=np.int32)
    values = _values(column)
    if are_numbers(values) and are_numbers(levels):
        return np.asarray(_look_up_numbers(_readable(values[:, None]), (levels,))[0])
    codes, seen = _factorised(values, name)
    _check_kind(seen, levels, name)
    known_levels = {level: code for code, level in enumerate(levels.tolist())}
    placed = np.array([*(known_levels.get(value, UNSEEN) for value in seen), MISSING], dtype=np.int32)
    return np.asarray(placed[codes])


def _check_kind(seen: dict[Label, int], levels: Labels, name: str) -> None:
    """Text where training had numbers, or the reverse, is a slip and not a new level."""
    if not len(levels) or not seen:
        return
    numbers = are_numbers(levels)
    for value in seen:
        if isinstance(value, bool | int | float | np.number | np.bool_) != numbers:
            was, now = ("numbers", "text") if numbers else ("text", "numbers")
            raise ValueError(Note("M006", name=name, was=was, value=value, now=now))
