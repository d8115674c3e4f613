"""A design for models that use no column: one column of zeros for each that could be read."""

from __future__ import annotations

from typing import ClassVar

from assay.data import Column
from assay.models.base.params import Param
from assay.models.base.stored import ENCODER, Field
from assay.models.features.table_encoder import TableEncoder, left_out
from assay.notes import Note
from assay.types import Array, Numbers


class NoColumns(TableEncoder):
    """Encode a table with columns of any type for a model that uses no column.

    Attributes
    ----------
    schema_, groups_, notes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from assay import read
    >>> NoColumns().fit_transform(read({"text": ["green eggs", "no ham"], "size": [1.5, 2.5]})).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """

    params: ClassVar[tuple[Param, ...]] = ()
    stored: ClassVar[tuple[Field, ...]] = ENCODER
    column_types: ClassVar[frozenset[str]] = TableEncoder.column_types | {"text"}

    def _left_out(self, column: Column) -> Note | None:
        return None if column.type == "text" else left_out(column)

    def _width(self, column: Column) -> int:
        return 1

    def _names(self, column: Column) -> list[str]:
        return [column.name]

    def _fill(self, out: Array, column: Column, values: Numbers) -> None:
        """Leave the zeros."""
