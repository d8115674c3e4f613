"""Columns without a value in training: for models that take missing values, but not in every row."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import OneToOneFeatureMixin, Tags, Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, NOTES, Field
from assay.models.base.validation import check_rows
from assay.notes import Note
from assay.types import MatrixLike


class FillEmpty(OneToOneFeatureMixin, Transformer):
    """Put 0 into every row of the columns that have no value in training; all others stay as they are.

    Such a column says nothing, and a value that turns up in it later has nothing to be compared with.

    Attributes
    ----------
    empty_ : positions of these columns

    Examples
    --------
    >>> import numpy as np
    >>> step = FillEmpty().fit(np.array([[1.0, np.nan], [np.nan, np.nan]]))
    >>> step.transform(np.array([[np.nan, 7.0]])).tolist()
    [[nan, 0.0]]
    """

    params: ClassVar[tuple[Param, ...]] = ()
    stored: ClassVar[tuple[Field, ...]] = (*INPUT, Field("empty_", "columns", ("N",)), NOTES)

    def __init__(self) -> None:
        pass

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Find the columns."""
        rows = check_rows(self, X, reset=True)
        self.empty_ = np.flatnonzero(np.isnan(rows).all(axis=0))
        keys = column_keys(self)
        self.diagnostics_ = tuple(Note("M405", column=keys[j]) for j in self.empty_)
        return self

    def transform(self, X: MatrixLike) -> NDArray[np.floating]:
        """The rows with 0 in these columns."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        if len(self.empty_):
            rows = rows.copy()
            rows[:, self.empty_] = 0.0
        return rows
