"""A finding: something about a table that its owner should know before believing a model of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One observation about a table.

    Attributes
    ----------
    title : str
        What was looked at, in a few words.
    observed : float or None
        The figure found in this table.
    expected : float or None
        The figure to hold it against: that of rows drawn uniformly from a cube, or a rule of thumb.
    sentence : str
        What it means, for a reader who knows neither formula.
    column : str or None
        The column it is about, if it is about one.
    warn : bool
        Whether to act on it before models are compared.
    """

    title: str
    observed: float | None
    expected: float | None
    sentence: str
    column: str | None = None
    warn: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain values; `from_json` gives the finding back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finding:
        return cls(**data)


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
