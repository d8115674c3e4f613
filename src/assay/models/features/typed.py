"""The table itself as a design: for models that read typed columns and need no matrix."""

from __future__ import annotations

from typing import Any

from assay.data import Column, Table
from assay.models.features.tables import TableEncoder, left_out


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

    column_types = frozenset({"numeric", "date", "binary", "categorical", "text"})

    def _left_out(self, column: Column) -> str | None:
        kept = column.type == "text" or (column.type == "categorical" and len(column.levels) > 1)
        return None if kept else left_out(column)

    def _width(self, column: Column) -> int:
        return 1

    def _names(self, column: Column) -> list[str]:
        return [column.name]

    def transform(self, X: Any) -> Table:
        """The columns that are used, with the types and levels of training."""
        return self.conform(X).select(self.schema_.names)
