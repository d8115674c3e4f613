"""Columns in notes: by name where a model knows names, else by position, until somebody puts names for positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.models.base.validation import feature_names
from assay.notes import Note
from assay.statistics.solve_diagnostics import ColumnKey
from assay.types import Names

if TYPE_CHECKING:
    from assay.models.base.estimators import Model

COLUMN_VALUES = ("column", "columns", "wide", "narrow")  # the values of notes that name columns


def column_keys(model: Model, width: int | None = None) -> list[ColumnKey]:
    """What notes of a model call its columns: their names, or their positions as integers."""
    names = feature_names(model)
    if names is None:
        return list(range(model.n_features_in_ if width is None else width))
    return [str(name) for name in names]


def name_columns(note: str, names: Sequence[object] | Names) -> str:
    """The note with names for the positions of columns; a note that has names already is left as it is.

    Examples
    --------
    >>> note = Note("M300", columns=(0, 2))
    >>> print(name_columns(note, ["age", "job", "size"]))
    Constant columns cannot separate the classes and were left out: age, size.
    """
    if not isinstance(note, Note):
        return note
    values = {key: _named(note.values[key], names) for key in COLUMN_VALUES if key in note.values}
    return Note(note.code, note.subject, {**note.values, **values}, note.level) if values else note


def _named(value: object, names: Sequence[object] | Names) -> object:
    if isinstance(value, tuple):
        return tuple(_named(key, names) for key in value)
    return str(names[value]) if isinstance(value, int) and value < len(names) else value
