r"""One-hot encoding: a column of zeros and ones for each level, numbers as they are.

A level l of a categorical column becomes the unit vector e_l. A missing value has a level of its own where the
table has any; a level that the schema does not know is the zero vector. Missing numbers, dates and binary values
stay NaN: filling them is learned (`Impute`), and so belongs inside the folds.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.data import MISSING, Column
from assay.models.features.tables import TableEncoder, level_codes
from assay.models.params import Param

Array = NDArray[np.float64]


class OneHot(TableEncoder):
    """Encode a table for models that work on numbers.

    Numeric columns and dates (days since 1970) are kept, binary columns are 0 or 1, categorical columns become a
    column for each level and one for missing values if the schema counts any. Text, identifiers, constant columns
    and columns of more than 255 levels are left out; `notes_` says so.

    Attributes
    ----------
    schema_, groups_, notes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> import numpy as np
    >>> from assay.data import Column, Schema, Table
    >>> schema = Schema((Column("age", "numeric"), Column("work", "categorical", ("none", "paid", "self"))))
    >>> table = Table(schema, {"age": np.array([31.0, 40.0]), "work": np.array([2, 0], dtype=np.int32)})
    >>> encoder = OneHot().fit(table)
    >>> encoder.get_feature_names_out().tolist()
    ['age', 'work=none', 'work=paid', 'work=self']
    >>> encoder.transform(table).tolist()
    [[31.0, 0.0, 0.0, 1.0], [40.0, 1.0, 0.0, 0.0]]
    """

    params: ClassVar[tuple[Param, ...]] = ()

    def _width(self, column: Column) -> int:
        return len(column.levels) + (column.missing > 0) if column.type == "categorical" else 1

    def _names(self, column: Column) -> list[str]:
        if column.type == "categorical":
            names = [f"{column.name}={level}" for level in column.levels]
            return [*names, f"{column.name}=(missing)"] if column.missing > 0 else names
        if column.type == "binary" and len(column.levels) == 2:
            return [f"{column.name}={column.levels[1]}"]
        return [column.name]

    def _fill(self, out: Array, column: Column, values: NDArray[Any]) -> None:
        if column.type != "categorical":
            out[:, 0] = level_codes(values) if column.type == "binary" else values
            return
        place = np.where(values == MISSING, len(column.levels), values) if column.missing > 0 else values
        rows = np.flatnonzero(place >= 0)
        out[rows, place[rows]] = 1.0
