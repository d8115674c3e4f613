"""What no statistic can use: values that are not numbers, and columns whose squares overflow or vanish."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.statistics.moments import Moments
from assay.types import Array, ColumnNames

LARGEST = 1e150  # sums of squares of larger values overflow
NARROWEST = 1e-150  # squares of smaller deviations vanish, and the column would pass for a constant one


def feature_name(names: ColumnNames, column: int) -> str:
    """How to call a column in a message."""
    return f"column {column}" if names is None else f"column {names[column]!r}"


class RangeError(ValueError):
    """A column whose numbers are too large, or too close to each other, for their squares to be held."""

    def __init__(self, code: str, column: int, names: ColumnNames, values: dict[str, object]) -> None:
        super().__init__(Note(code, values=values, column=feature_name(names, column)))
        self.code, self.column, self.values = code, column, values

    def __reduce__(self) -> tuple[object, ...]:  # a pickle would hand the note to the constructor
        return _restore, (self.args[0], self.column, self.values)

    def named(self, names: ColumnNames) -> Note:
        """The note about the column by another name: that of a table, not of a design matrix."""
        return Note(self.code, values=self.values, column=feature_name(names, self.column))


def _restore(note: Note, column: int, values: dict[str, object]) -> RangeError:
    error = RangeError(note.code, column, None, values)
    error.args = (note,)
    return error


def explain_rows(
    names: ColumnNames, X: NDArray[np.floating], *, missing_allowed: bool = False, first: int = 0
) -> ValueError | None:
    """The error that names the first value no model can use, or None if every value is fine.

    first : number of the first row
    """
    for start in range(0, X.shape[0], 65536):
        block = X[start : start + 65536]
        bad = np.isinf(block) if missing_allowed else ~np.isfinite(block)
        if bad.any():
            row, column = (int(i) for i in np.argwhere(bad)[0])
            where = f"row {first + start + row}, {feature_name(names, column)}"
            if np.isnan(block[row, column]):
                return ValueError(Note("N028", where=where))
            return ValueError(Note("N026", where=where))
    largest = np.fmax.reduce(np.abs(X), axis=0, initial=0.0)
    column = int(np.argmax(largest))
    if float(largest[column]) > LARGEST:
        return RangeError("N700", column, names, {"largest": float(largest[column])})
    return None


def finite(m: Moments) -> bool:
    """Whether nothing in the moments shows NaN, infinity or an overflow."""
    return bool(np.isfinite(m.scatter).all() and np.isfinite(m.offset).all())


def check_finite(
    m: Moments,
    X: NDArray[np.floating],
    names: ColumnNames = None,
    *,
    missing_allowed: bool = False,
    first: int = 0,
) -> None:
    """Raise one sentence if a value of the rows X behind the moments cannot be used; they are looked at only then."""
    if not finite(m):
        error = explain_rows(names, X, missing_allowed=missing_allowed, first=first)
        raise error or ValueError(Note("N027"))


def check_moments(
    m: Moments, X: NDArray[np.floating], names: ColumnNames = None, *, missing_allowed: bool = False
) -> None:
    """Raise one sentence if a value cannot be used, or if squares of a column's deviations overflow or vanish.

    The pass that gave the moments shows what is wrong; the rows X (raw, without flags) are looked at only then.
    """
    check_finite(m, X, names, missing_allowed=missing_allowed)
    check_squares(*sums_of_squares(m), X, names)


def check_squares(total: Array, squares: Array, X: NDArray[np.floating], names: ColumnNames = None) -> None:
    """Raise one sentence if a column varies and its weighted squares (D,), of this total weight (D,), vanish."""
    for column in narrow_columns(total, squares, X.shape[1]):
        values = X[:, column]
        low, high = float(np.fmin.reduce(values)), float(np.fmax.reduce(values))
        check_width(column, low, high, total[column], names)


def narrow_columns(total: Array, squares: Array, width: int) -> list[int]:
    """Columns, of the first `width`, whose squares are as good as nothing: constant ones, and those that vanish."""
    columns: list[int] = np.flatnonzero((squares < NARROWEST**2 * np.maximum(total, 1.0))[:width]).tolist()
    return columns


def check_width(column: int, low: float, high: float, total: float, names: ColumnNames) -> None:
    """Raise one sentence if such a column varies; `total` is its weight."""
    width = high - low
    # Wider ones vary in rows that do not count, constant ones nowhere.
    if 0.0 < width < 1e10 * NARROWEST / np.sqrt(min(max(total, NARROWEST), 1.0)):
        raise RangeError("N701", column, names, {"width": float(width)})


def sums_of_squares(m: Moments) -> tuple[Array, Array]:
    """Weight of each feature over all groups and classes, and its sum of squares about the mean, each (D,)."""
    n, means = m.feature_weight().reshape(-1, m.n_features), m.mean.reshape(-1, m.n_features)
    inside = m.within_diagonal() if m.form == "pooled" else m.class_diagonal()
    total = n.sum(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        mean = (n * means).sum(axis=0) / np.where(total > 0, total, 1.0)
        between = (n * (means - mean) ** 2).sum(axis=0)
        return total, np.asarray(inside.reshape(-1, m.n_features).sum(axis=0) + between)
