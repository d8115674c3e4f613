"""The type of a column, from what a pass over it has counted, and the reason in a few words."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from assay.data.convert import is_date, is_number, keeps_zeros, number_text
from assay.data.inference.detect_format import GLANCE, detect_format
from assay.data.inference.formats import DateFormat, NumberFormat, parse_format
from assay.data.inference.value_counts import ColumnCounts
from assay.data.missing_values import ABSENT
from assay.data.schema import COLUMN_TYPES, Category, Column, ColumnType
from assay.notes import Note

FEW = 10  # whole numbers with at most so many values are codes, not quantities;
SOME = 20  # with at most so many if they are far apart
MANY = 20  # rows from which on it says something that all values differ
UNIQUE = 0.95
MOST_CLASSES, CLASS_SHARE, MOST_REAL_CLASSES = 50, 0.05, 20
_KEY_NAME = re.compile(r"(^|[_\s.-])(id|ids|key|uuid|guid|index|rownames?|serial)$|^unnamed|[a-z]I[Dd]$")


def infer(tally: ColumnCounts) -> Column:
    """The column as its values suggest."""
    kind, reason = _suggest(tally)
    return describe(tally, kind, reason)


def describe(tally: ColumnCounts, kind: ColumnType, reason: Note) -> Column:
    """The column as one of the given type."""
    levels = categories_of(tally) if kind in ("categorical", "binary") else ()
    distinct, missing = None if tally.counts is None else len(tally.counts), tally.missing
    if kind == "binary" and distinct == 1 and missing:  # that there is no value is its other value
        levels, missing = (ABSENT, *levels), 0
    marked = tuple(tally.marked.items())
    column = Column(
        tally.name, kind, levels, missing, distinct, tally.examples, reason,
        markers=tally.markers, marked=marked,
    )  # fmt: skip
    if tally.written is None or kind not in ("numeric", "date"):
        return column
    example = tally.written.example
    note = _doubt(tally.name, kind, example, tally.doubt) if tally.doubt else ""
    return replace(column, reason=Note("D218", reason=reason, example=example), written=example, note=note)


def _doubt(name: str, kind: ColumnType, taken: str, other: str) -> Note:
    """What the values leave open, how Assay reads them, and how to choose otherwise."""
    if kind == "date":
        return Note("D221", name, taken=taken, other=other, type=f"{kind}:{other}")
    sign = "comma" if "1,234" in taken + other else "point"
    meaning = "thousands" if len(taken) > len(other) else "decimals"
    return Note("D222", name, sign=sign, meaning=meaning, taken=taken, type=f"{kind}:{other}")


def categories_of(tally: ColumnCounts) -> tuple[Category, ...]:
    """The values in order: numbers by size, text by letter."""
    values = sorted(tally.counts or ())
    if tally.kind == "number" and tally.whole:
        return tuple(int(value) for value in values)
    return tuple(values)


DASH = "-"


def dash_is_value(tally: ColumnCounts, target: bool) -> bool:
    """Whether "-" is a value of a column of text: a sign beside "+", or the second label of a target."""
    if DASH not in tally.marked or tally.kind != "text" or not tally.counts:
        return False
    return (target and len(tally.counts) == 1) or any(not str(value).strip("+") for value in tally.counts)


def _suggest(tally: ColumnCounts) -> tuple[ColumnType, Note]:
    if tally.present == 0:
        return "constant", Note("D200")
    distinct = math.inf if tally.counts is None else len(tally.counts)
    if distinct == 1 and not tally.missing:
        return "constant", Note("D201")
    if tally.kind == "date":
        return "date", Note("D202")
    if tally.written is not None:
        return "numeric", Note("D203" if tally.whole else "D204")
    if distinct == 1:
        return "binary", Note("D205")
    if distinct == 2 and (tally.kind != "number" or tally.present >= 10 or set(tally.counts or ()) == {0, 1}):
        return "binary", Note("D206")
    if tally.kind == "number":
        return _suggest_number(tally, distinct)
    return _suggest_text(tally, distinct)


def _suggest_number(tally: ColumnCounts, distinct: float) -> tuple[ColumnType, Note]:
    if not tally.whole:
        return "numeric", Note("D204")
    proportion = tally.share if tally.counts is None else distinct / tally.present
    if proportion >= _unique_share(tally) and tally.present >= MANY:
        why = _key_reason(tally)
        if why:
            return "identifier", why
    if tally.counts is not None and distinct <= SOME and _are_codes(tally):
        return "categorical", Note("D207", values={"values": len(tally.counts)})
    return "numeric", Note("D203")


def _key_reason(tally: ColumnCounts) -> Note | None:
    """Why whole numbers that all differ are keys, or nothing if they may well be measurements."""
    if named_like_a_key(tally.name):
        return Note("D208")
    if tally.counts is None:
        return Note("D209") if tally.increasing else None
    low, high = min(tally.counts), max(tally.counts)
    if high - low < 1.1 * len(tally.counts) and len(tally.counts) == tally.present:
        return Note("D210")
    if tally.increasing and high - low < 10 * len(tally.counts):
        return Note("D209")
    if low >= 100_000 and len(number_text(low)) == len(number_text(high)):
        return Note("D211")
    return None


def named_like_a_key(name: str) -> bool:
    """Whether a column is called as columns of keys are.

    >>> named_like_a_key("patient_id"), named_like_a_key("height")
    (True, False)
    """
    name = name.strip()
    return bool(_KEY_NAME.search(name) or _KEY_NAME.search(name.lower()))


def _unique_share(tally: ColumnCounts) -> float:
    """The part of the rows that must have a value of their own in a column of keys."""
    return 0.5 if named_like_a_key(tally.name) else UNIQUE


def _are_codes(tally: ColumnCounts) -> bool:
    """Whether whole numbers with few values stand for categories rather than for counts or steps of a scale."""
    assert tally.counts is not None
    distinct = len(tally.counts)
    values = sorted(tally.counts)
    if distinct <= FEW:
        return distinct <= 0.1 * tally.present and not _are_counts(tally.counts)
    return distinct <= 0.05 * tally.present and values[-1] - values[0] >= 2 * distinct


def _are_counts(counts: dict[float, int]) -> bool:
    """Whether the values run from 0 on and become rarer, as numbers of things do."""
    values = sorted(counts)
    if values[0] != 0 or len(values) < 4 or values[-1] - values[0] > 2 * len(values):
        return False
    often = [counts[value] for value in values]
    if often[-1] > often[0] / 4:
        return False
    return all(b <= a + 2 * math.sqrt(a + 1) for a, b in zip(often[:-1], often[1:], strict=True))


def _suggest_text(tally: ColumnCounts, distinct: float) -> tuple[ColumnType, Note]:
    proportion = tally.share if tally.counts is None else distinct / tally.present
    words = 1 + tally.blanks / tally.present
    length = tally.characters / tally.present
    if proportion > 0.5 and distinct > 2 and (words >= 3 or length > 60):
        return "text", Note("D212", words=words, percentage=100 * proportion)
    if proportion >= _unique_share(tally) and tally.present >= MANY:
        return "identifier", Note("D213", percentage=100 * proportion)
    if tally.counts is None:
        return "text", Note("D214")
    return "categorical", Note("D215", values={"values": len(tally.counts)})


@dataclass(frozen=True)
class RequestedType:
    """The type that a user gives a column, and how it is written ("" to detect that)."""

    type: ColumnType
    written: str = ""


def requested_types(types: Mapping[str, object]) -> dict[str, RequestedType]:
    """Types such as "categorical", "numeric:1.234,5" or "date:mm/dd/yyyy"; what does not exist is an error."""
    return {name: _requested_type(name, kind) for name, kind in types.items()}


def _requested_type(name: str, text: object) -> RequestedType:
    kind, colon, example = str(text).partition(":")
    if kind not in COLUMN_TYPES or (colon and kind not in ("numeric", "date")):
        raise ValueError(Note("D091", name, type=str(text), types=list(COLUMN_TYPES)))
    written = parse_format(example) if colon else None
    if colon and not isinstance(written, NumberFormat if kind == "numeric" else DateFormat):
        ways = "1.234,5 or $1,234.5" if kind == "numeric" else "dd.mm.yyyy or mm/dd/yyyy"
        raise ValueError(Note("D092", name, example=example, formats=ways))
    return RequestedType(kind, example)


def column_of_type(tally: ColumnCounts, kind: ColumnType) -> Column:
    """The column with the type that the caller gave it."""
    distinct = None if tally.counts is None else len(tally.counts)
    most = {"binary": 2, "constant": 1}.get(kind, math.inf)
    if distinct is None or distinct > most:
        if kind in ("binary", "constant"):
            raise ValueError(Note("D095", tally.name, type=kind, examples=list(tally.examples)))
    return describe(tally, kind, Note("D216"))


def as_target(tally: ColumnCounts, named: bool = False) -> Column:
    """The column that holds the labels: categorical or binary, whatever its values are.

    Quantities and dates are errors, unless the user gives a type of names.
    """
    distinct = len(tally.counts or ())
    if not named:
        _check_classes(tally, distinct)
    column = describe(tally, "binary" if distinct == 2 else "categorical", Note("D217"))
    if tally.kind == "number" and not tally.whole:  # names and no quantities: every classifier takes text
        return replace(column, levels=tuple(sorted(number_text(float(value)) for value in column.levels)))
    if tally.kind == "number" and tally.floating:  # predictions are to equal the labels, in type too
        return replace(column, levels=tuple(float(value) for value in column.levels))
    return column


def _check_classes(tally: ColumnCounts, distinct: int) -> None:
    """No target of dates, and none of many numbers, however they are written."""
    kind, whole = tally.kind, tally.whole
    values = tuple(tally.counts or ())
    if kind == "text" and values and all(map(is_date, values[:GLANCE])):
        kind = "date"
    elif kind == "text" and values and all(is_number(value) and not keeps_zeros(value) for value in values):
        kind, whole = "number", all(float(value).is_integer() for value in values)
    elif kind == "text" and (detected := detect_format(values)) is not None:
        kind, whole = detected.kind, False
    if kind == "date":
        raise ValueError(Note("D093", tally.name))
    real = not whole and distinct > MOST_REAL_CLASSES
    many = distinct > MOST_CLASSES and distinct > CLASS_SHARE * tally.present
    if kind == "number" and (real or many):
        raise ValueError(Note("D094", tally.name, distinct=distinct))
