"""Categories as codes: one column per column, for models that count categories or split between them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.data import Column
from assay.models.base.params import Param
from assay.models.base.stored import ENCODER, Field
from assay.models.features.table_encoder import TableEncoder, has_many_levels, left_out, level_codes
from assay.notes import Note
from assay.types import Array, Numbers


class OrdinalCodes(TableEncoder):
    """Encode a table as numbers for trees and counts, with one code per category.

    Numeric columns and dates are kept, binary columns are 0 or 1, categorical columns hold codes 0 to L - 1.
    Missing values and unseen categories are NaN. Text, identifiers, constant columns and, unless they are asked for,
    columns of more than 255 categories are left out; `notes_` says so.

    Attributes
    ----------
    categorical_ : (D,) bool
        Whether the numbers of a column are codes without an order.
    schema_, groups_, notes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> from assay.data import Column, Schema, Table
    >>> schema = Schema((Column("age", "numeric"), Column("work", "categorical", ("none", "paid", "self"))))
    >>> table = Table(schema, {"age": np.array([31.0, 40.0]), "work": np.array([2, -1], dtype=np.int32)})
    >>> encoder = OrdinalCodes().fit(table)
    >>> encoder.transform(table).tolist(), encoder.categorical_.tolist()
    ([[31.0, 2.0], [40.0, nan]], [False, True])
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "flags",
            "bool",
            False,
            (
                "Add a 0/1 column for each column with missing values. Not for categorical ones where these "
                "have a category of their own for them."
            ),
        ),
        Param(
            "many_levels",
            "bool",
            False,
            "Keep columns of more than 255 categories, for a step such as TargetStatistics to replace.",
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = ENCODER

    def __init__(self, *, flags: bool = False, many_levels: bool = False) -> None:
        self.flags = flags
        self.many_levels = many_levels

    def _left_out(self, column: Column) -> Note | None:
        return None if self.many_levels and has_many_levels(column) else left_out(column)

    @property
    def many_(self) -> list[int]:
        """Places of columns of more than 255 categories."""
        return [place for place, column in enumerate(self.schema_) if has_many_levels(column)]

    @property
    def categorical_(self) -> NDArray[np.bool_]:
        coded = [column.type == "categorical" for column in self.schema_]
        return np.array([*coded, *(False for _ in self.flagged_)])

    def _width(self, column: Column) -> int:
        return 1

    def _names(self, column: Column) -> list[str]:
        return [column.name]

    def _fill(self, out: Array, column: Column, values: Numbers) -> None:
        out[:, 0] = level_codes(values) if column.type in ("binary", "categorical") else values
