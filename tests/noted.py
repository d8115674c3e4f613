"""Notes by their code and values, not by their sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assay.notes import Note, as_note


def codes(notes: Iterable[str]) -> list[str]:
    """The codes of notes, in their order."""
    return [as_note(note).code for note in notes]


def noted(notes: Iterable[str], code: str, **values: Any) -> list[Note]:
    """The notes of this code that have these values; "subject" is compared, too."""
    coded = [note for note in map(as_note, notes) if note.code == code]
    return [note for note in coded if values.items() <= {"subject": note.subject, **note.values}.items()]
