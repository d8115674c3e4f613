"""Columns without a value in training: constant, for models that know gaps but not a column of nothing else."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.models.base.estimators import OneToOneFeatureMixin, Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.validation import check_rows, feature_names


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

    def __init__(self) -> None:
        pass

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the columns."""
        rows = check_rows(self, X, reset=True)
        self.empty_ = np.flatnonzero(np.isnan(rows).all(axis=0))
        self.diagnostics_ = self.sentences(feature_names(self))
        return self

    def sentences(self, names: Any) -> tuple[str, ...]:
        """Which columns they are, by name where there are names."""
        called = [str(j if names is None else names[j]) for j in self.empty_]
        return tuple(f"Column {name} has no value in training and was not looked at." for name in called)

    def transform(self, X: Any) -> NDArray[np.floating]:
        """The rows with 0 in these columns."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        if len(self.empty_):
            rows = rows.copy()
            rows[:, self.empty_] = 0.0
        return rows
