"""Which candidates can use which columns of a table: text models use texts, the others the other columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from assay.catalog import ModelCard
from assay.data import Column, Schema, Table
from assay.models.features.table_encoder import has_many_levels, left_out
from assay.notes import Note
from assay.workbench.problem import Problem

MANY_LEVELS = ("levels-statistics", "table-flags")  # encodings that keep columns of more than 255 categories


def model_can_use(column: Column) -> bool:
    """Whether any model can use a column."""
    return column.type == "text" or has_many_levels(column) or left_out(column) is None


def _can_use(entry: ModelCard, column: Column) -> bool:
    """Whether a candidate can use a column that some model can use."""
    kept = not has_many_levels(column) or entry.encoding in MANY_LEVELS
    return column.type in entry.column_types and kept and model_can_use(column)


def columns_for(entry: ModelCard, schema: Schema) -> list[Column]:
    """The columns of a table that a candidate uses."""
    return [column for column in schema if _can_use(entry, column)]


def why_not_applicable(entry: ModelCard, schema: Schema) -> Note | None:
    """Why a candidate cannot use a table, None if it can."""
    wanted = entry.column_types
    if not columns_for(entry, schema):
        available = sorted({column.type for column in schema if model_can_use(column)})
        return Note("C160", wanted=wanted, available=available) if available else Note("C161", wanted=wanted)
    others = [column for column in schema if model_can_use(column) and column.type not in (*wanted, "text")]
    if entry.alone and others:
        return Note("C162", wanted=wanted, column=others[0].name, kind=others[0].type)
    return None


def applicable_candidates(entries: Iterable[ModelCard], table: Table) -> list[ModelCard]:
    """The candidates that can use the table, are meant for it and do not only repeat another one."""
    used = table.select(tuple(column.name for column in table.schema if model_can_use(column)))
    return [
        entry
        for entry in entries
        if why_not_applicable(entry, table.schema) is None and not (entry.repeats and entry.repeats(used))
    ]


def column_notes(entries: Sequence[ModelCard], table: Table) -> tuple[str, ...]:
    """Columns that no candidate can use, and which candidates use text columns where not all of them do."""
    schema = table.schema
    notes = [note for column in schema if not model_can_use(column) and (note := left_out(column))]
    candidates = [entry for entry in applicable_candidates(entries, table) if entry.encoding != "none"]
    notes += _notes_of_many_levels(candidates, schema)
    texts = [column for column in schema if column.type == "text"]
    text_only = tuple(entry.name for entry in candidates if entry.column_types == ("text",))
    without_text = tuple(entry.name for entry in candidates if "text" not in entry.column_types)
    if texts and without_text and not text_only and len(without_text) == len(candidates):
        notes.extend(note for column in texts if (note := left_out(column)))
    elif texts and without_text:
        values = {"candidates": without_text, "columns": tuple(repr(column.name) for column in texts)}
        if text_only:
            values["text_candidates"] = text_only
        notes.append(Note("C164" if text_only else "C163", values=values))
    return tuple(notes)


def _notes_of_many_levels(candidates: Sequence[ModelCard], schema: Schema) -> list[Note]:
    """Which candidates use columns of more than 255 categories, and which do not."""
    columns = [column for column in schema if has_many_levels(column)]
    users = tuple(entry.name for entry in candidates if entry.encoding in MANY_LEVELS)
    others = tuple(entry.name for entry in candidates if entry.encoding not in MANY_LEVELS)
    if not users:
        return [note for column in columns if (note := left_out(column))]
    if not columns or not others:
        return []
    values = {"columns": tuple(repr(column.name) for column in columns), "users": users, "others": others}
    return [Note("C165", values=values)]


def check_documents(design: Any, problem: Problem) -> None:
    """In a table of texts alone every class has words: without any, no model could learn the class."""
    if any(column.type != "text" and model_can_use(column) for column in problem.features.schema):
        return
    with_words = np.bincount(problem.codes, np.diff(design.indptr) > 0, problem.n_classes)
    for k in np.flatnonzero(with_words == 0):
        raise ValueError(Note("C001", label=str(problem.classes[k]), rows=int((problem.codes == k).sum())))
