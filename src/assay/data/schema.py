"""What the columns of a table are: names, types and levels. A schema is read, never learned from labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal, get_args

from assay.data.missing_values import ABSENT, MISSING_MARKERS
from assay.notes import Note, as_note
from assay.types import Json

ColumnType = Literal["numeric", "categorical", "binary", "text", "identifier", "date", "constant"]
COLUMN_TYPES: tuple[ColumnType, ...] = get_args(ColumnType)
Category = str | int | float | bool


@dataclass(frozen=True)
class Column:
    """One column: what it is called, what it holds, and why it is taken for that.

    Attributes
    ----------
    name : str
    type : one of COLUMN_TYPES
    levels : tuple
        Of a categorical or binary column: its values in order, as the source spells them (text, integers, ...).
    missing : int
        Rows without a value, in the table the schema was read from.
    distinct : int or None
        Different values there, missing ones not counted; None where nobody counted.
    examples : tuple of str
        A few values, for display.
    reason : str
        Why the type was chosen: a few words for the reader of `assay describe`.
    written : str
        Of numbers and dates that are not written plainly: how, by an example such as "1.234,5 €" or "dd.mm.yyyy".
    markers : tuple of str
        Texts that are read as missing values here, besides empty ones.
    marked : tuple of (str, int)
        Those that were, and how often.
    note : str
        A sentence about what the values leave open, and how it was taken; empty where nothing is.
    """

    name: str
    type: ColumnType
    levels: tuple[Category, ...] = ()
    missing: int = 0
    distinct: int | None = None
    examples: tuple[str, ...] = ()
    reason: str = ""
    written: str = ""
    note: str = ""
    markers: tuple[str, ...] = field(default=MISSING_MARKERS, repr=False)
    marked: tuple[tuple[str, int], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it has no value in any row."""
        return self.type == "constant" and self.distinct == 0

    @property
    def presence(self) -> bool:
        """Whether it has one value or none, and says no more than which: its first level is that there is none."""
        return self.type == "binary" and self.levels[:1] == (ABSENT,) and self.missing == 0

    def to_json(self) -> dict[str, Json]:
        """Plain values; `from_json` gives the column back."""
        # What is seldom there is left out, as in files of before it existed.
        seldom: dict[str, Json] = {"written": self.written, "note": self.note}
        seldom["marked"] = [list(pair) for pair in self.marked]
        seldom = {name: value for name, value in seldom.items() if value}
        if self.markers != MISSING_MARKERS:
            seldom["markers"] = list(self.markers)
        return {
            "name": self.name,
            "type": self.type,
            "levels": list(self.levels),
            "missing": self.missing,
            "distinct": self.distinct,
            "examples": list(self.examples),
            "reason": self.reason,
            **seldom,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Column:
        if data["type"] not in COLUMN_TYPES:
            raise ValueError(Note("D103", data["name"], type=data["type"]))
        parts = dict(data)
        parts |= {name: tuple(data[name]) for name in ("levels", "examples", "markers") if name in data}
        # Files of format 1 have sentences in place of notes.
        parts |= {name: as_note(data[name]) for name in ("reason", "note") if data.get(name)}
        parts["marked"] = tuple((marker, count) for marker, count in data.get("marked", ()))
        return cls(**parts)


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order.

    Examples
    --------
    >>> schema = Schema((Column("age", "numeric"), Column("sex", "binary", ("f", "m"))))
    >>> schema["sex"].levels, schema.names
    (('f', 'm'), ('age', 'sex'))
    """

    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __contains__(self, name: object) -> bool:
        return any(column.name == name for column in self.columns)

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise unknown_column(name, self.names)

    def select(self, names: Sequence[str]) -> Schema:
        """The named columns, in the order given."""
        return Schema(tuple(self[name] for name in names))

    def without(self, *names: str) -> Schema:
        """All columns but the named ones."""
        for name in names:
            self[name]
        return Schema(tuple(column for column in self.columns if column.name not in names))

    def with_column(self, column: Column) -> Schema:
        """The same columns with one of them replaced."""
        self[column.name]
        return replace(self, columns=tuple(column if c.name == column.name else c for c in self.columns))

    def to_json(self) -> list[dict[str, Json]]:
        return [column.to_json() for column in self.columns]

    @classmethod
    def from_json(cls, data: list[dict[str, Any]]) -> Schema:
        return cls(tuple(Column.from_json(part) for part in data))


def unknown_column(name: str, known: Sequence[str], what: str = "column") -> ValueError:
    """The error for a name that the table does not have; the nearest names are suggested."""
    lower = {other.lower(): other for other in known}
    near = [lower[key] for key in get_close_matches(name.lower(), list(lower), n=3, cutoff=0.5)]
    if near:
        return ValueError(Note("D102", kind=what, name=name, near=near))
    return ValueError(Note("D101", kind=what, name=name, columns=list(known)))
