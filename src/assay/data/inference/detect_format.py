"""How the numbers or dates of a column are written, found from its values; what they leave open is said.

`1,234` alone may be a thousand or little more than one, and 03/04/2024 in March or April. One value that allows a
single reading (`1,234,567`, `0,5`, 31/12/2024) settles it for the whole column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.data.inference.formats import BLANKS, SIGNS, DateFormat, NumberFormat

MISFIT_SHARE, MOST_MISFITS, FEWEST_REGULAR = 0.01, 3, 50
GLANCE = 20
# From so many values on, thousandths would not all have three digits beside numbers that have none.
ENOUGH = 30
_POINT_COUNTRIES = "$£¥₹"
_NUMBER_SHAPE = re.compile(
    rf"[+-]?[{re.escape(SIGNS)}]?[+-]?[0-9.,'\u2019{BLANKS}eE+-]+[{re.escape(SIGNS)}]?"
)
_DATE_SHAPE = re.compile(
    r"(?:([0-9]{1,2})([./-])([0-9]{1,2})\2[0-9]{4}|[0-9]{4}([./])[0-9]{1,2}\4[0-9]{1,2})(?:[ T].*)?"
)


@dataclass(frozen=True)
class DetectedFormat:
    """How a column is written, as an example, and the other example that its values allow as well, if any."""

    kind: Literal["number", "date"]
    example: str
    doubt: str = ""


def detect_format(
    values: Sequence[str],
    counts: NDArray[np.int64] | None = None,
    *,
    decimal_comma: bool = False,
    requested: bool = False,
) -> DetectedFormat | None:
    """How all the values (different ones, cleaned) are written; None if they are plain, or no numbers or dates at all.

    Parameters
    ----------
    counts : array, optional
        Rows of each value: a word among many numbers does not hide what the others are.
    decimal_comma : bool
        Whether the source is one in which a comma that could be either is rather a decimal one.
    requested : bool
        Whether somebody has said that the column is numeric: groups of digits are then no codes.
    """
    weight = np.ones(len(values), dtype=np.int64) if counts is None else counts
    if not may_be_formatted(values):
        return None
    if _DATE_SHAPE.fullmatch(values[0]):
        return _dates(values)
    return _numbers(values, weight, decimal_comma, requested)


def may_be_formatted(values: Sequence[str]) -> bool:
    """Whether the first few values look like numbers or dates."""
    glance = values[:GLANCE]
    dates = sum(_DATE_SHAPE.fullmatch(value) is not None for value in glance)
    numbers = sum(_NUMBER_SHAPE.fullmatch(value) is not None for value in glance)
    return len(glance) > 0 and (dates == len(glance) or numbers >= len(glance) - MOST_MISFITS)


def few_misfits(misfits: NDArray[np.bool_], counts: NDArray[np.int64]) -> bool:
    """Whether the values that do not fit are mistakes among many that do, left for a pass to name."""
    if not misfits.any():
        return True
    few = counts[misfits].sum() <= max(1, MISFIT_SHARE * counts.sum()) and misfits.sum() <= MOST_MISFITS
    return bool(few and (~misfits).sum() > FEWEST_REGULAR)


def _dates(values: Sequence[str]) -> DetectedFormat | None:
    matches = [_DATE_SHAPE.fullmatch(value) for value in values]
    if not all(matches):
        return None
    shapes = [match for match in matches if match is not None]
    between = {shape[2] or shape[4] for shape in shapes}
    year_first = {shape[4] is not None for shape in shapes}
    if len(between) > 1 or len(year_first) > 1:
        return None
    sign = between.pop()
    if True in year_first:
        return _checked(values, DateFormat("ymd", sign))
    day_first, month_first = DateFormat("dmy", sign), DateFormat("mdy", sign)
    first, second = (max(int(shape[part]) for shape in shapes) for part in (1, 3))
    if first > 12:
        return _checked(values, day_first)
    if second > 12:
        return _checked(values, month_first)
    return _checked(values, day_first, month_first.example)


def _checked(values: Sequence[str], written: DateFormat, doubt: str = "") -> DetectedFormat | None:
    return DetectedFormat("date", written.example, doubt) if all(map(written.fits, values)) else None


def _numbers(
    values: Sequence[str], counts: NDArray[np.int64], decimal_comma: bool, requested: bool
) -> DetectedFormat | None:
    signs = set("".join(values))
    units = [sign for sign in SIGNS if sign in signs]
    if len(units) > 1:
        return None
    unit = units[0] if units else ""
    front = bool(unit) and 2 * sum(value.lstrip("+-").startswith(unit) for value in values) > len(values)
    misfits = {}
    for written in _candidates(signs, unit, front):
        pattern = re.compile(written.pattern)
        misfits[written] = np.array([pattern.fullmatch(value) is None for value in values])
    best = min(
        misfits, key=lambda written: misfits[written].sum()
    )  # the first, that is the simplest, of equal ones
    if not few_misfits(misfits[best], counts):
        return None
    other = _other_reading(best)
    if other in misfits and misfits[other].sum() == misfits[best].sum() and other.decimal != best.decimal:
        regular = [value for value, misfit in zip(values, misfits[best], strict=True) if not misfit]
        taken, doubt = _settle(best, other, regular, decimal_comma)
        return DetectedFormat("number", taken.example, "" if doubt is None else doubt.example)
    if best == NumberFormat() or (
        best.thousands == " " and not requested and _are_codes(best, values, signs)
    ):
        return None
    return DetectedFormat("number", best.example)


def _candidates(signs: set[str], unit: str, front: bool) -> Iterable[NumberFormat]:
    """Ways of writing with the signs that occur, simple ones first."""
    pairs = [(".", "")]
    pairs += [(",", ""), (".", ",")] if "," in signs else []
    pairs += [(",", ".")] if "." in signs else []
    pairs += [(".", " "), (",", " ")] if signs & set(BLANKS) else []
    pairs += [(".", "'"), (",", "'")] if signs & set("'\u2019") else []
    return [NumberFormat(decimal, thousands, unit, front) for decimal, thousands in pairs]


def _other_reading(written: NumberFormat) -> NumberFormat:
    """The one that takes the same sign for the divider of thousands; unsigned points are always decimal ones."""
    if written.thousands or (written.decimal == "." and not written.sign):
        return written
    other = "." if written.decimal == "," else ","
    return NumberFormat(other, written.decimal, written.sign, written.front)


def _settle(
    decimal: NumberFormat, thousands: NumberFormat, values: Sequence[str], decimal_comma: bool
) -> tuple[NumberFormat, NumberFormat | None]:
    """Which of the two readings is taken, and the other if it is open; `values` fit both."""
    divided = sum(decimal.decimal in value for value in values)
    if not divided:
        return decimal, None
    whole = any(decimal.decimal not in value and re.search("[1-9]", value) for value in values)
    if whole and divided >= ENOUGH:
        return thousands, None
    if decimal.sign == "%" or (decimal.decimal == "." and decimal.sign in _POINT_COUNTRIES):
        return decimal, thousands
    # Money has two decimals where it has any.
    if not decimal.sign and decimal_comma:
        return decimal, thousands
    return thousands, decimal


def _are_codes(written: NumberFormat, values: Sequence[str], signs: set[str]) -> bool:
    """Whether groups of digits are all of the same length, as those of telephone numbers are and quantities are not."""
    if written.sign or signs & {".", ","}:
        return False
    return len({sum(sign.isdigit() for sign in value) for value in values}) == 1
