"""How counts, lists of names and notes inside a note are worded: formats of places in sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence, Sized
from typing import Any

from assay.notes.digits import percent
from assay.notes.phrases import listed

_EITHER = re.compile(r"[A-Za-z' ]+/[A-Za-z' ]+")


def format_words(value: Any, spec: str) -> str | None:
    """The value as its format says; None for a format that is not one of these.

    >>> format_words(2500, "count row"), format_words(1, "count category/categories"), format_words(2, "has/have")
    ('2 500 rows', '1 category', 'have')
    >>> format_words(["age", "sex"], "quoted"), format_words(["age", "sex"], "either"), format_words(0.125, "percent")
    ("'age', 'sex'", "'age' or 'sex'", '12.5 %')
    """
    if spec.startswith("count "):
        one, _, many = spec.removeprefix("count ").partition("/")
        return f"{amount(value):,} ".replace(",", " ") + (one if amount(value) == 1 else many or one + "s")
    if spec.startswith("quoted"):
        return quoted(value, int(spec.removeprefix("quoted") or 8))
    if spec == "either":
        return " or ".join(repr(name) for name in value)
    if spec == "percent":
        return f"{percent(value)} %"
    if _EITHER.fullmatch(spec):
        one, _, many = spec.partition("/")
        return one if amount(value) == 1 else many
    return None


def amount(value: Any) -> int:
    """A number, or how many things a collection has."""
    return len(value) if isinstance(value, Sized) else int(value)


def quoted(names: Sequence[Any], most: int = 8) -> str:
    """The first names in quotes, and how many more there are.

    >>> quoted(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    return listed([repr(name) for name in names], most)
