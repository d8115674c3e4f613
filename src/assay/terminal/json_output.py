"""Results as one JSON object: plain values, and null where a number does not exist (never NaN)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, TypeVar

import typer

from assay import __version__
from assay.notes import Note, render
from assay.notes.voices import SHELL
from assay.terminal.notes import unless_ignored

if TYPE_CHECKING:  # loads NumPy, which help does without
    from assay.types import Json

K = TypeVar("K")


def print_json(values: Mapping[str, object]) -> None:
    """The values, after the version of Assay, on standard output; ASCII whatever the locale.

    Notes are sentences where they stand, and "codes" lists all of them with code, level, subject and values.
    """
    notes: dict[str, Note] = {}
    whole: dict[str, Json] = {"assay": __version__, **_members(values, notes)}
    if notes:
        whole["codes"] = [_record(note) for note in notes.values()]
    typer.echo(json.dumps(whole, indent=2, allow_nan=False))


def _record(note: Note) -> dict[str, Json]:
    return {
        "code": note.code,
        "level": note.level,
        "subject": note.subject,
        "values": plain(note.values),
        "sentence": render(note, SHELL),
    }


def plain(value: object, notes: dict[str, Note] | None = None) -> Json:
    """Dataclasses, tuples and NumPy values as JSON has them; notes are collected, unless they are ignored."""
    if isinstance(value, Note):
        if notes is not None:
            notes.setdefault(value, value)
        return render(value, SHELL)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return _members(value, notes)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name), notes) for field in fields(value)}
    if hasattr(value, "tolist"):  # NumPy arrays and scalars, without importing it
        return plain(value.tolist(), notes)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item, notes) for item in unless_ignored(value)]
    return str(value)


def _members(values: Mapping[K, object], notes: dict[str, Note] | None) -> dict[str, Json]:
    return {str(plain(key)): plain(item, notes) for key, item in values.items()}
