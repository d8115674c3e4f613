"""A finding: something about a table that its owner should know before believing a model of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from assay.notes import Note, as_note
from assay.notes.texts import WARNING
from assay.types import Json


@dataclass(frozen=True)
class Finding:
    """One observation about a table.

    Attributes
    ----------
    title : str
        What was examined, in a few words.
    observed : float or None
        The value in this table.
    expected : float or None
        The value to compare it with: that of rows drawn uniformly from a cube, or a rule of thumb.
    sentence : str
        The note about it: code, level, values, and what it means.
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

    @classmethod
    def of(
        cls, title: str, note: Note, observed: float | None = None, expected: float | None = None
    ) -> Finding:
        """The finding of a note, whose subject is the column it is about and whose level says whether to act."""
        return cls(title, observed, expected, note, note.subject or None, note.level == WARNING)

    @property
    def note(self) -> Note:
        """The sentence as a note; a stored one may have no code of its own."""
        return as_note(self.sentence)

    def to_json(self) -> dict[str, Json]:
        """Plain values; `from_json` gives the finding back."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finding:
        return cls(**{**data, "sentence": as_note(data["sentence"])})
