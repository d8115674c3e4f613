r"""One-hot encoding: a column of zeros and ones for each level, numbers as they are.

A level l of a categorical column becomes the unit vector e_l. A missing value has a level of its own where the
table has any; a level that the schema does not know is the zero vector. Missing numbers, dates and binary values
stay NaN: filling them is learned (`Impute`), and so belongs inside the folds.

With products, every row has the squares x_i² and the products x_i x_j of its numeric columns as well. They are a fixed
map of the row, so that folds share them, and NaN where a factor is missing. That it is missing is told once, by a flag.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.data import MISSING, Column
from assay.engines.local import memory_limit
from assay.models.base.estimators import check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import ENCODER, Field
from assay.models.features.monomials import count_terms, products, term_name, terms
from assay.models.features.table_encoder import TableEncoder, level_codes
from assay.notes import Note
from assay.types import Array, MatrixLike, Numbers


class OneHot(TableEncoder):
    """Encode a table as numbers, with one column per category.

    Numeric columns and dates (days since 1970) are kept, binary columns are 0 or 1, categorical columns become one
    column per category and one for missing values if the schema counts any. Text, identifiers, constant columns
    and columns of more than 255 categories are left out; `notes_` says so.

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

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "products",
            "bool",
            False,
            (
                "Add indicators of columns with missing values, and the squares and products of the numeric "
                "columns."
            ),
        ),
        Param(
            "flags",
            "bool",
            False,
            (
                "Add a 0/1 column for each column with missing values. Not for categorical ones where these "
                "have a category of their own for them."
            ),
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = ENCODER

    def __init__(self, *, products: bool = False, flags: bool = False) -> None:
        self.products = products
        self.flags = flags

    @property
    def flagged_(self) -> tuple[Column, ...]:
        """Columns with gaps whose flags stand behind the others."""
        gaps = (column for column in self.schema_ if column.missing > 0 and column.type != "categorical")
        return tuple(gaps) if self.flags or self.products else ()

    def transform(self, X: MatrixLike) -> Array:
        """The design matrix, float64 (N, D) in rows."""
        columns: Array = super().transform(X)
        if not self.products:
            return columns
        numeric, wanted = self._numeric(), self._terms()
        width = self.n_features_out_
        if 8 * len(columns) * width > memory_limit():
            raise ValueError(
                Note(
                    "M066",
                    n_products=len(wanted),
                    n_numeric=len(numeric),
                    n_rows=len(columns),
                    gibibytes=8 * len(columns) * width / 2**30,
                )
            )
        out = np.empty((len(columns), width))
        end = columns.shape[1]
        out[:, :end] = columns
        out[:, end:] = products(columns[:, numeric], wanted)
        return out

    @property
    def n_features_out_(self) -> int:
        """Width of the design."""
        end = super().n_features_out_
        if not self.products:
            return end
        return end + count_terms(len(self._numeric()), 2, powers=True)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names of the design columns, such as age, work=paid, missing_age, age^2, age income."""
        check_is_fitted(self)
        names = super().get_feature_names_out()
        if not self.products:
            return names
        numeric = [str(names[j]) for j in self._numeric()]
        return np.asarray([*names, *(term_name(term, numeric) for term in self._terms())], dtype=object)

    def _numeric(self) -> list[int]:
        """Places of the columns that are multiplied."""
        return [group.first for group in self.groups_ if group.type == "numeric"]

    def _terms(self) -> list[tuple[int, ...]]:
        return terms(len(self._numeric()), 2, powers=True)

    def _width(self, column: Column) -> int:
        return len(column.levels) + (column.missing > 0) if column.type == "categorical" else 1

    def _names(self, column: Column) -> list[str]:
        if column.type == "categorical":
            names = [f"{column.name}={level}" for level in column.levels]
            return [*names, f"{column.name}=(missing)"] if column.missing > 0 else names
        if column.type == "binary" and len(column.levels) == 2:
            return [f"{column.name}={column.levels[1]}"]
        return [column.name]

    def _fill(self, out: Array, column: Column, values: Numbers) -> None:
        if column.type != "categorical":
            out[:, 0] = level_codes(values) if column.type == "binary" else values
            return
        place = np.where(values == MISSING, len(column.levels), values) if column.missing > 0 else values
        rows = np.flatnonzero(place >= 0)
        out[rows, place[rows]] = 1.0
