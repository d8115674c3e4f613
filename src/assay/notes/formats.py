"""How values look in the sentences of notes: ``{error:percent}``, ``{rows:count row}``, ``{names:quoted}``.

Every format is a function of a value and of the space that stands before units and between thousands: a narrow one on
a page, an ordinary one elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sized
from typing import Any

from assay.notes.numbers import (
    THIN,
    count,
    format_duration,
    plain_number,
    plain_number_range,
    plain_percent,
)
from assay.notes.phrases import listed, plural, spell_columns

_EITHER = re.compile(r"[A-Za-z' ]*/[A-Za-z' ]+")
_QUOTED = re.compile(r"quoted ?(\d*)")


def amount(value: Any) -> Any:
    """A number, or how many things a collection has."""
    return len(value) if isinstance(value, Sized) else value


def _percent(share: float, space: str) -> str:
    return f"{plain_percent(share)}{space}%"


def _percent_range(ends: Iterable[float], space: str) -> str:
    return " to ".join(_percent(end, space) for end in ends)


def _points(difference: float, space: str) -> str:
    """A difference of proportions, which keeps its sign.

    >>> _points(0.01, " "), _points(-0.0025, " ")
    ('1 percentage point', '-0.25 percentage points')
    """
    shown = f"{100 * difference:.3g}"
    return f"{shown} percentage {'point' if shown == '1' else 'points'}"


def _probability(value: float, space: str) -> str:
    """
    >>> _probability(0.999, " "), _probability(0.5, " ")
    ('>99 %', '50 %')
    """
    return f">99{space}%" if value > 0.995 else f"{100 * value:.0f}{space}%"


def _p_values(tests: Mapping[str, float], space: str) -> str:
    """
    >>> _p_values({"corrected t-test": 0.15, "McNemar": 0.12}, " ")
    'corrected t-test p = 0.15, McNemar p = 0.12'
    """
    return ", ".join(f"{name} p = {p_value:.2g}" for name, p_value in tests.items())


def _rating(value: float) -> str:
    """
    >>> _rating(3.0), _rating(3.456)
    ('3', '3.46')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _votes(votes: Iterable[tuple[str, float, float]]) -> str:
    """Neighbours, each with its similarity and its rating.

    >>> _votes([("Ann", 0.414, 2.0), ("Cid", 0.333, 4.5)])
    'Ann (similarity 0.41) rated it 2, Cid (0.33) rated it 4.5'
    """
    term, parts = "similarity ", []
    for name, similarity, rating in votes:
        parts.append(f"{name} ({term}{similarity:.2f}) rated it {_rating(rating)}")
        term = ""
    return ", ".join(parts)


FORMATS: dict[str, Callable[[Any, str], str]] = {
    "listed": lambda names, space: listed(names),
    "columns": lambda names, space: spell_columns(names),
    "either": lambda names, space: " or ".join(repr(name) for name in names),
    "choice": lambda names, space: spell_columns(names, len(names), "or"),
    "count": lambda value, space: count(amount(value), space),
    "percent": _percent,
    "percent range": _percent_range,
    "points": _points,
    "signed points": lambda value, space: f"{100 * value:+.1f} percentage points",
    "number": lambda value, space: plain_number(value),
    "number range": lambda ends, space: plain_number_range(ends),
    "probability": _probability,
    "duration": lambda seconds, space: format_duration(seconds, page=space == THIN),
    "p-values": _p_values,
    "rating": lambda value, space: _rating(value),
    "votes": lambda votes, space: _votes(votes),
}


def format_value(value: Any, spec: str, space: str = " ") -> str | None:
    """The value as its format says; None for a format that is not one of these.

    >>> format_value(2500, "count row"), format_value(1, "count category/categories"), format_value(2, "has/have")
    ('2 500 rows', '1 category', 'have')
    >>> format_value(["age", "sex"], "quoted"), format_value(0.125, "percent")
    ("'age', 'sex'", '12.5 %')
    """
    if spec in FORMATS:
        return FORMATS[spec](value, space)
    if spec.startswith("count "):
        noun, _, nouns = spec.removeprefix("count ").partition("/")
        return plural(amount(value), noun, nouns or None, space)
    if (match := _QUOTED.fullmatch(spec)) is not None:
        return listed([repr(name) for name in value], int(match[1] or 8))
    if _EITHER.fullmatch(spec):
        one, _, many = spec.partition("/")
        return one if amount(value) == 1 else many
    return None
