"""Which candidates read which columns of a table: texts are for models of words, the other columns for the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from assay.catalog import Entry
from assay.data import Column, Schema
from assay.models.features.table_encoder import left_out
from assay.notes import Note
from assay.notes.phrases import listed
from assay.workbench.problem import Problem


def readable(column: Column) -> bool:
    """Whether some model can make anything of a column."""
    return column.type == "text" or left_out(column) is None


def columns_for(entry: Entry, schema: Schema) -> list[Column]:
    """The columns of a table that a candidate reads."""
    return [column for column in schema if column.type in entry.column_types and readable(column)]


def why_not_applicable(entry: Entry, schema: Schema) -> str | None:
    """Why a candidate has nothing to read in a table, None if it has."""
    kinds = sorted({column.type for column in schema if readable(column)})
    if not columns_for(entry, schema):
        wanted = listed([f"{kind} columns" for kind in entry.column_types])
        return f"It reads {wanted}, and the table has only {_joined(kinds)} ones."
    others = [c for c in schema if readable(c) and c.type not in (*entry.column_types, "text")]
    if entry.alone and others:
        return (
            f"It reads {listed(list(entry.column_types))} columns alone, and {others[0].name!r} is {others[0].type}; "
            f"give that column another type, or drop it."
        )
    return None


def _joined(kinds: Sequence[str]) -> str:
    """Words with "and" before the last."""
    *first, last = kinds or ["unreadable"]
    return f"{', '.join(first)} and {last}" if first else last


def applicable_candidates(entries: Iterable[Entry], schema: Schema) -> list[Entry]:
    """The candidates that have something to read and do not only repeat another one."""
    used = Schema(tuple(column for column in schema if readable(column)))
    return [
        entry
        for entry in entries
        if why_not_applicable(entry, schema) is None and not (entry.repeats and entry.repeats(used))
    ]


def reading_notes(entries: Sequence[Entry], schema: Schema) -> tuple[str, ...]:
    """Columns that no candidate can use, and who reads what where candidates differ in it."""
    notes = [note for column in schema if not readable(column) and (note := left_out(column))]
    looking = [entry for entry in applicable_candidates(entries, schema) if entry.encoding != "none"]
    texts = [column for column in schema if column.type == "text"]
    words = [entry.name for entry in looking if entry.column_types == ("text",)]
    plain = [entry.name for entry in looking if "text" not in entry.column_types]
    if texts and plain and not words and len(plain) == len(looking):
        notes.extend(note for column in texts if (note := left_out(column)))
    elif texts and plain:
        which = ("Column " if len(texts) == 1 else "Columns ") + listed([repr(c.name) for c in texts], 5)
        verb = "is" if len(texts) == 1 else "are"
        only = f": {listed(words)} {'reads' if len(words) == 1 else 'read'} nothing else" if words else ""
        leave = "leaves" if len(plain) == 1 else "leave"
        notes.append(f"{which} {verb} text, for models of words{only}; {listed(plain, 5)} {leave} texts out.")
    return tuple(notes)


def check_documents(design: Any, problem: Problem) -> None:
    """No class of a table of texts alone has nothing but empty texts: no word could speak for it."""
    if any(column.type != "text" and readable(column) for column in problem.features.schema):
        return
    there = np.bincount(problem.codes, np.diff(design.indptr) > 0, problem.n_classes)
    for k in np.flatnonzero(there == 0):
        rows = int((problem.codes == k).sum())
        raise ValueError(
            Note(
                "C001",
                clause="The text" if rows == 1 else f"Each of the {rows} texts",
                classes=str(problem.classes[k]),
            )
        )
