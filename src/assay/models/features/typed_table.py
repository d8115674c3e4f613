"""The table itself as a design: for models that read typed columns and need no matrix."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.data import Column, Schema, Table
from assay.data.table import is_missing
from assay.models.base.params import Param
from assay.models.base.stored import ENCODER, Field
from assay.models.features.table_encoder import TableEncoder, flag_name, left_out
from assay.notes import Note
from assay.types import MatrixLike


class Typed(TableEncoder):
    """Hand a typed table on as it is, texts included, for models such as `MixedNB`.

    Identifiers and columns without two values are left out; `notes_` says so. New rows get the types and levels of the
    table that it was fitted to.

    Examples
    --------
    >>> from assay import read
    >>> table = read({"age": [31.5, 40.0, 52.25], "work": ["paid", "none", "self"], "id": ["k1", "k2", "k3"]},
    ...              types={"id": "identifier", "work": "categorical"})
    >>> Typed().fit(table).transform(table).schema.names
    ('age', 'work')
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param("flags", "bool", False, "Add a yes/no column for each column with missing values."),
    )
    stored: ClassVar[tuple[Field, ...]] = ENCODER
    column_types = frozenset({"numeric", "date", "binary", "categorical", "text"})

    def __init__(self, *, flags: bool = False) -> None:
        self.flags = flags

    def _left_out(self, column: Column) -> Note | None:
        usable = column.type == "text" or (column.type == "categorical" and len(column.levels) > 1)
        return None if usable else left_out(column)

    def _width(self, column: Column) -> int:
        return 1

    def _names(self, column: Column) -> list[str]:
        return [column.name]

    def transform(self, X: MatrixLike) -> Table:
        """The columns that are used, with the types and levels of training, then the flags."""
        table = self.conform(X).select(self.schema_.names)
        flags = {flag_name(column): column for column in self.flagged_}
        added = {name: is_missing(table.columns[of.name]).astype(np.int32) for name, of in flags.items()}
        schema = Schema((*table.schema, *(Column(name, "binary", ("no", "yes")) for name in flags)))
        return Table(schema, {**table.columns, **added})
