"""Errors by the code of their note and its values, not by their sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from assay.notes import as_note, note_of


class Expected:
    """A note in a table of test cases: a code and those of its values that are compared."""

    def __init__(self, code: str, /, **values: Any) -> None:
        self.code, self.values = code, values

    def __repr__(self) -> str:
        return self.code


@contextmanager
def raises(
    code: str | Expected,
    kind: type[BaseException] | tuple[type[BaseException], ...] = ValueError,
    /,
    *,
    subject: str | None = None,
    **values: Any,
) -> Iterator[Any]:
    """Inside, an error with this note is raised; its subject and values are compared as far as they are given."""
    if isinstance(code, Expected):
        code, values = code.code, {**code.values, **values}
    with pytest.raises(kind) as caught:
        yield caught
    note = note_of(caught.value)
    assert note is not None, f"the error has no note: {caught.value}"
    assert note.code == code, f"{note.code}: {note}"
    assert subject is None or note.subject == subject
    assert {name: note.values[name] for name in values} == values


@contextmanager
def warns(code: str, kind: type[Warning] = FutureWarning, /, **values: Any) -> Iterator[None]:
    """Inside, a warning with this note is given; its values are compared as far as they are given."""
    with pytest.warns(kind) as caught:
        yield
    notes = [note_of(warning.message) for warning in caught if isinstance(warning.message, Warning)]
    named = [note for note in notes if note is not None and note.code == code]
    assert any(values.items() <= note.values.items() for note in named), notes


def codes(notes: Iterable[str]) -> list[str]:
    """The codes of notes; of a plain sentence A000."""
    return [as_note(note).code for note in notes]
