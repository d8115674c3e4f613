"""Notes on a terminal: worded for a shell, without those that --ignore silences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from rich.console import Console

from assay.notes import Note, render
from assay.notes.texts import TEXTS
from assay.notes.voices import SHELL
from assay.terminal.console import prose
from assay.terminal.wording import for_shell

_ignored: set[str] = set()  # by the command at work; a program runs one at a time


def ignore(codes: Sequence[str] | None) -> None:
    """From now on notes with these codes are silent, and no others."""
    _ignored.clear()
    for code in codes or ():
        if code not in TEXTS:
            near = get_close_matches(code.upper(), TEXTS, 1, 0.5)
            raise ValueError(Note("O090", given=code, near=near[0] if near else "A000"))
        _ignored.add(code)


def unless_ignored(items: Iterable[Any]) -> list[Any]:
    """All items but notes whose codes are ignored."""
    return [item for item in items if not (isinstance(item, Note) and item.code in _ignored)]


def print_notes(console: Console, sentences: Iterable[str], style: str = "") -> None:
    """Each note as a paragraph that begins with its code."""
    for text in unless_ignored(sentences):
        code = f" {text.code}" if isinstance(text, Note) else ""
        sentence = render(text, SHELL) if isinstance(text, Note) else for_shell(text)
        prose(console, f"Note{code}: {sentence}", style)
