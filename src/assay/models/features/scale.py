"""Columns on a common scale, learned from the training part alone."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.data import Column, Table
from assay.models.base.card import Range
from assay.models.base.estimators import clone
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, Field
from assay.models.base.validation import check_weight, explain_rows, feature_names
from assay.models.features.affine_step import ElementwiseStep
from assay.numerics.scalars import is_number
from assay.sharing.protocols import ColumnScales
from assay.statistics import AffineMap, Extremes, Filling, Moments
from assay.statistics.variances import deviations
from assay.types import Array, Floats, MatrixLike, RowWeights

ALIKE_COLUMNS = 8  # from so many on, columns of one unit are no coincidence


class Standardize(ElementwiseStep):
    """Scale each column to mean 0 and standard deviation 1, or to the range 0 to 1, or leave it as it is.

    Attributes
    ----------
    center_, scale_
        Output is ``(x - center_) / scale_``; a constant column has scale 1 and becomes 0.

    Examples
    --------
    >>> import numpy as np
    >>> Standardize().fit_transform(np.array([[1.0], [2.0], [3.0]])).ravel().tolist()
    [-1.0, 0.0, 1.0]
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "method",
            "choice",
            "zscore",
            "Mean 0 and standard deviation 1, range 0 to 1, or columns as they are.",
            choices=("zscore", "range", "none"),
        ),
        Param(
            "variance",
            "choice",
            "unbiased",
            'Divisor of the variance of "zscore": N - 1 or N.',
            choices=("unbiased", "ml"),
            only_if=(("method", ("zscore",)),),
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("center_", "numbers", ("D",)),
        Field("scale_", "positive", ("D",)),
    )

    def __init__(self, method: str = "zscore", *, variance: str = "unbiased") -> None:
        self.method = method
        self.variance = variance

    @property
    def needs_extremes(self) -> bool:
        return self.method == "range"

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> Self:
        """Learn center and scale of each column."""
        self._check_params()
        rows, moments = self._moments(X, sample_weight)
        weight = check_weight(sample_weight, len(rows))
        used = rows if weight is None else rows[weight > 0]
        ends = np.stack([used.min(axis=0), used.max(axis=0)]).astype(np.float64)
        self.learn(moments[None], Extremes(ends[:1], ends[1:]))
        return self

    def learn(self, m: Moments, extremes: Extremes | None = None, filling: Filling | None = None) -> None:
        """Center and scale from moments of all rows, and their extremes."""
        self.n_features_in_ = m.n_features
        change = self.fold_map(m, extremes)
        assert change.scale is not None
        self.center_, self.scale_ = change.center[0], 1.0 / change.scale[0]

    def fold_map(self, m: Moments, extremes: Extremes | None = None) -> AffineMap:
        """The map that each group's training statistics give."""
        if self.method == "range":
            assert extremes is not None
            width = extremes.high - extremes.low
            center = extremes.low
        elif self.method == "none":
            center = np.zeros((*m.weight.shape[:-1], m.n_features))
            width = np.ones(center.shape)
        else:
            first, offset, _ = m.overall()
            total = m.weight.sum(axis=-1)[..., None]
            factor = total / np.maximum(total - 1.0, 1.0) if self.variance == "unbiased" else 1.0
            center, width = (
                first + offset,
                np.where(deviations(m) > 0, np.sqrt(m.total_variance() * factor), 0.0),
            )
        scale = 1.0 / np.where(width > 0, width, 1.0)
        columns = np.arange(center.shape[-1])
        return AffineMap(center, np.zeros(center.shape), columns=columns, scale=scale)

    def column_scales(self, X: Floats, y: ArrayLike) -> ColumnScales:
        """What becomes of columns, learned from rows without gaps."""
        fitted = clone(self).fit(X, y)
        return ColumnScales(np.arange(X.shape[1]), fitted.center_, fitted.scale_)

    def transform(self, X: MatrixLike) -> Array:
        """Scaled rows."""
        rows = self._rows(X)
        error = None if np.isfinite(rows).all() else explain_rows(feature_names(self), rows)
        if error is not None:
            raise error
        return np.asarray((rows - self.center_) / self.scale_)

    def inverse_transform(self, X: MatrixLike) -> Array:
        """Rows in their original units."""
        return np.asarray(np.asarray(X, dtype=np.float64) * self.scale_ + self.center_)


def one_unit(table: Table) -> bool:
    """Whether all columns are numbers of one unit: counts, or values that reach the same ends, such as pixels do.

    >>> from assay import read
    >>> columns = {f"word{j}": [j % 3, 0, 2, 1] for j in range(8)}
    >>> one_unit(read(columns)), one_unit(read({**columns, "size": [180.5, 160.2, 170.1, 190.4]}))
    (True, False)
    """
    columns = [_numbers(column, table) for column in table.schema if column.type not in ("constant", "text")]
    values = [numbers for numbers in columns if numbers is not None]
    if len(values) < len(columns) or len(values) < ALIKE_COLUMNS:
        return False
    low, high = (np.array([end.reduce(numbers) for numbers in values]) for end in (np.fmin, np.fmax))
    if 2 * np.count_nonzero(low == low.min()) < len(values):
        return False
    counts = bool(low.min() == 0) and all(_whole(numbers) for numbers in values)
    return counts or bool(4 * np.count_nonzero(high == high.max()) >= len(values))


def _numbers(column: Column, table: Table) -> Array | None:
    """The values of a column, or its levels if these are few; None where they are not numbers."""
    if column.type == "numeric":
        return np.asarray(table.columns[column.name], dtype=np.float64)
    are_numbers = all(is_number(level) for level in column.levels) and len(column.levels) > 0
    return np.array(column.levels, dtype=np.float64) if are_numbers else None


def _whole(numbers: Array) -> bool:
    known = numbers[~np.isnan(numbers)]
    return bool((known == np.floor(known)).all())


def unscaled(table: Table) -> tuple[Range, ...]:
    """What a model of scaled columns is tuned over where these have one unit already: the columns as they are, too."""
    return (Range("scaling", ("zscore", "none")),) if one_unit(table) else ()
