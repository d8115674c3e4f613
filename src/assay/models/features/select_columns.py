"""Some of the columns, by position or by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.estimators import Tags
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, Field
from assay.models.base.validation import check_rows, column_names, feature_names
from assay.models.features.affine_step import AffineStep
from assay.notes import Note
from assay.statistics import AffineMap, Extremes, Filling, Moments
from assay.types import Array, MatrixLike


class SelectColumns(AffineStep):
    """Keep the given columns.

    Examples
    --------
    >>> import numpy as np
    >>> SelectColumns([2, 0]).fit_transform(np.array([[1.0, 2.0, 3.0]])).tolist()
    [[3.0, 1.0]]
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "columns",
            "columns",
            None,
            "Columns to keep, by position or name; all when not given.",
            optional=True,
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (*INPUT, Field("positions_", "columns", ("E",)))
    passes_gaps: ClassVar[bool] = True
    by_position: ClassVar[bool] = True

    def __init__(self, columns: Sequence[int | str] | NDArray[np.generic] | None = None) -> None:
        self.columns = columns

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True  # values pass through untouched
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Look the columns up."""
        self._check_params()
        rows = check_rows(self, X, reset=True)
        self.positions_ = self._positions(rows.shape[1])
        return self

    def learn(self, m: Moments, extremes: Extremes | None = None, filling: Filling | None = None) -> None:
        """Look the columns up among as many as the moments have."""
        self.n_features_in_ = m.n_features
        self.positions_ = self._positions(m.n_features)

    def _positions(self, width: int) -> NDArray[np.intp]:
        if self.columns is None:
            return np.arange(width)
        names = list(feature_names(self, []))
        positions = []
        for column in self.columns:
            position = names.index(column) if column in names else column
            if isinstance(position, str) or not 0 <= position < width:
                if names:
                    raise ValueError(Note("M073", column=column, known=names))
                raise ValueError(Note("M708", column=column, last=width - 1))
            positions.append(int(position))
        if not positions:
            raise ValueError(Note("M072"))
        return np.asarray(positions, dtype=np.intp)

    def transform(self, X: MatrixLike) -> Array:
        """The chosen columns."""
        return np.asarray(self._rows(X)[:, self.positions_], dtype=np.float64)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names of the chosen columns."""
        names = column_names(self, input_features, self.n_features_in_)
        return names[self.positions_]

    def fold_map(self, m: Moments, extremes: Extremes | None = None) -> AffineMap:
        """The same columns in every group."""
        columns = self._positions(m.n_features)
        lead = m.center.shape[:-2]
        zeros = np.zeros((*lead, m.n_features))
        return AffineMap(
            zeros, np.zeros((*lead, len(columns))), columns=columns, scale=np.ones((*lead, len(columns)))
        )
