"""Plurals, lists and shortened names in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def class_names(n_classes: int, classes: Sequence[Any] | None) -> list[str]:
    """How sentences call the classes: the labels in quotes, or by number where nobody gave any."""
    if classes is None:
        return [f"class {k}" for k in range(n_classes)]
    return [f"class {str(label)!r}" for label in classes]


def listed(parts: Sequence[str], most: int = 8) -> str:
    """The first few parts, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    rest = f" and {len(parts) - most} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + rest


def spell_columns(names: Sequence[str], most: int = 5) -> str:
    """The names in a sentence, the last behind "and".

    >>> spell_columns(["boat", "body"]), spell_columns(["boat"]), spell_columns(list("abcdefg"))
    ('boat and body', 'boat', 'a, b, c, d, e and 2 more')
    """
    if len(names) > most or len(names) == 1:
        return listed(names, most)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def plural(count: int, noun: str) -> str:
    """A count and its noun.

    >>> plural(1, "row"), plural(2500, "row")
    ('1 row', '2 500 rows')
    """
    return f"{count:,}".replace(",", " ") + f" {noun}" + ("" if count == 1 else "s")


def chosen_on(in_parts: bool) -> str:
    """The rows that a choice rests on, in words.

    >>> chosen_on(False), chosen_on(True)
    ('the folds', 'the validation rows')
    """
    return "the validation rows" if in_parts else "the folds"


def choosing_inside(in_parts: bool, among: str = "") -> str:
    """How the honest figure came about, as the beginning of a sentence.

    >>> choosing_inside(True)
    'Testing what was chosen, once, on rows that had no say in it'
    """
    if in_parts:
        return "Testing what was chosen, once, on rows that had no say in it"
    return f"Choosing {among}inside each fold, and testing on rows that had no say in it"
