"""What each column of a table is to mixed naive Bayes, by its type or by the user's word.

| kind | columns | model |
|---|---|---|
| gaussian | numeric, date | normal |
| categorical | categorical | a share for each level |
| bernoulli | binary | a share for the one value, the rest for the other |
| count | on request: whole numbers of at least 0 | Poisson |
| text | text | a share for each word |
| flag | binary, on request | as bernoulli, where training shows both values; else it is left out |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from numpy.typing import ArrayLike

from assay.data import Column, Schema, Table
from assay.data.apply_schema import CategoryCodes
from assay.data.schema import unknown_column
from assay.models.naive_bayes.categorical import flag_places
from assay.notes import Note

KINDS = ("gaussian", "categorical", "bernoulli", "count", "text")
FLAG = "flag"
OF_TYPE = {
    "numeric": "gaussian",
    "date": "gaussian",
    "categorical": "categorical",
    "binary": "bernoulli",
    "text": "text",
}
# Types in which a kind can be used as it is; the first is what others are read as.
TYPES: dict[str, tuple[str, ...]] = {
    "gaussian": ("numeric", "date"),
    "categorical": ("categorical", "binary"),
    "bernoulli": ("binary",),
    "count": ("numeric",),
    "text": ("text",),
    FLAG: ("binary",),
}


def check_kinds(kinds: Mapping[str, str] | None, schema: Schema) -> dict[str, str]:
    """The kinds that a user gave; one sentence for a column or a kind that there is not."""
    for name, kind in (kinds or {}).items():
        if name not in schema:
            raise unknown_column(name, schema.names)
        if kind not in KINDS:
            raise ValueError(Note("M141", name=name, kind=kind, kinds=", ".join(map(repr, KINDS))))
    return dict(kinds or {})


def flag_kinds(flags: ArrayLike | None, schema: Schema) -> dict[str, str]:
    """The columns at these positions as flags; one sentence for a position that there is not."""
    return {schema.names[place]: FLAG for place in flag_places(flags, len(schema))}


def in_types(table: Table, kinds: Mapping[str, str]) -> Table:
    """The table with columns read anew whose types do not suit what the user calls them."""
    wrong = {
        name: TYPES[kind][0] for name, kind in kinds.items() if table.schema[name].type not in TYPES[kind]
    }
    if not wrong:
        return table
    from assay.data import read  # reading brings DuckDB and Arrow along

    again = read(table.select(list(wrong)), types=wrong)
    schema = table.schema
    for column in again.schema:
        schema = schema.with_column(column)
    return Table(schema, {**table.columns, **again.columns})


def kind_of(column: Column, kinds: Mapping[str, str]) -> str | None:
    """What a column is used as; None if it is left out."""
    return kinds.get(column.name) or OF_TYPE.get(column.type)


def used_schema(schema: Schema, kinds: Mapping[str, str]) -> Schema:
    """The columns that are used; two levels of a categorical column may become more."""
    return Schema(
        tuple(
            replace(column, type="categorical") if kinds[column.name] == "categorical" else column
            for column in schema
            if column.name in kinds
        )
    )


def left_out(column: Column) -> Note:
    """Why a column is not used, and what to do."""
    if column.type == "identifier":
        return Note("M412", column=column.name)
    return Note("M408" if column.empty else "M409", column=column.name)


def grown(schema: Schema, more: Schema) -> Schema:
    """The schema with the levels that another one knows besides; a column of two values has no third one."""
    for column in schema:
        if column.type not in ("categorical", "binary"):
            continue
        codes = CategoryCodes(column)
        new = tuple(level for level in more[column.name].levels if codes.code(level) < 0)
        if new and column.type == "categorical":
            schema = schema.with_column(replace(column, levels=(*column.levels, *new)))
    return schema
