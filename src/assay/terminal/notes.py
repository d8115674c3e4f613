"""Notes on a terminal: worded for a shell, without those that --ignore silences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TypeVar

from rich.console import Console

from assay.notes import Note, as_note, render
from assay.notes.note import UNCODED
from assay.notes.texts import RETIRED, TEXTS
from assay.notes.voices import SHELL
from assay.terminal.console import prose

Item = TypeVar("Item")
_ignored: set[str] = set()  # by the command that runs; a program runs one at a time


def ignore(codes: Sequence[str] | None) -> None:
    """From now on notes with these codes are not shown, all others are; a retired code stands for its successors."""
    _ignored.clear()
    for code in codes or ():
        if code not in TEXTS and code not in RETIRED:
            near = get_close_matches(code.upper(), TEXTS, 1, 0.5)
            raise ValueError(Note("O090", given=code, near=near[0] if near else UNCODED))
        _ignored.update(RETIRED.get(code, (code,)))


def unless_ignored(items: Iterable[Item]) -> list[Item]:
    """All items except notes whose codes are ignored."""
    return [item for item in items if not (isinstance(item, Note) and item.code in _ignored)]


def print_notes(console: Console, notes: Iterable[str], style: str = "", *, listed: bool = False) -> None:
    """Each note as a paragraph that begins with its code; `listed` under a heading that says what they are."""
    for note in unless_ignored(notes):
        prose(console, labelled(note, listed=listed), style)


def labelled(note: str, *, listed: bool = False) -> str:
    """A note behind its code, in the words of a shell.

    Examples
    --------
    >>> labelled(Note("S007", "LogisticRegression"))
    'Note S007: LogisticRegression starts from given weights (start): every split was refitted.'
    """
    code = as_note(note).code
    words = ([] if listed else ["Note"]) + ([] if code == UNCODED else [code])
    label = f"{' '.join(words)}: " if words else ""
    return label + render(note, SHELL)
