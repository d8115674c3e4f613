"""The notes inside a note that has several, by their codes."""

from __future__ import annotations

from typing import Any

from assay.notes import Note


def codes(note: Any) -> list[str]:
    """The codes of the notes inside."""
    return [inner.code for inner in note.values["notes"]]


def values(note: Any, code: str) -> dict[str, Any]:
    """The values of the note with this code."""
    (inner,) = (inner for inner in note.values["notes"] if inner.code == code)
    assert isinstance(inner, Note)
    return inner.values
