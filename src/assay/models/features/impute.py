"""Missing values: the training mean stands in, and a flag can say where.

With x⁰ the row whose gaps hold a fixed value a, and u the flags, the imputed row is x⁰ + u (m - a): affine in
(x⁰, u). One pass over (x⁰, u) therefore serves every fold, each with its own mean m.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import Tags
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, NOTES, Field
from assay.models.base.validation import all_finite, column_names, explain_rows, feature_names
from assay.models.features.affine_step import AffineStep
from assay.notes import Note
from assay.sharing.protocols import ColumnScales
from assay.statistics import AffineMap, Extremes, Filling, Moments
from assay.types import Array, Floats, MatrixLike, RowWeights


class Impute(AffineStep):
    """Replace missing values by the mean of the column in the training rows.

    Attributes
    ----------
    means_ : (D,)
        Values used for missing values; 0 for a column without any value.

    Examples
    --------
    >>> import numpy as np
    >>> Impute().fit_transform(np.array([[1.0], [np.nan], [3.0]])).ravel().tolist()
    [1.0, 2.0, 3.0]
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "indicator",
            "bool",
            False,
            "Add a 0/1 column for every column with missing values in the training rows.",
        ),
    )
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("means_", "numbers", ("D",)),
        Field("_flagged", "columns", ("F",)),
        Field("_empty", "columns", ("N",)),
        NOTES,
    )
    mixes_features = True
    reads_gaps = True

    def __init__(self, *, indicator: bool = False) -> None:
        self.indicator = indicator

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> Self:
        """Learn the mean of each column."""
        self._check_params()
        rows, moments = self._moments(X, sample_weight, missing=True)
        self.means_ = moments.mean[0]
        self._empty = np.flatnonzero(moments.feature_weight()[0] == 0)
        looked = self.indicator and not all_finite(rows)
        gaps = np.isnan(rows).any(axis=0) if looked else np.zeros(rows.shape[1], dtype=bool)
        self._flagged = np.flatnonzero(gaps)
        self.diagnostics_ = self._notes()
        return self

    def learn(self, m: Moments, extremes: Extremes | None = None, filling: Filling | None = None) -> None:
        """Means from moments of all rows as `filling` reads them; its flags are the columns that had gaps."""
        center, offset, _ = m.overall()
        width = m.n_features if filling is None else len(filling.values)
        self.n_features_in_ = width
        self.means_ = (center + offset)[0, :width]
        self._empty = self._flagged = np.zeros(0, dtype=np.intp)
        if filling is not None:
            flags = filling.indicators.astype(np.intp)
            fill = self.fold_map(m, filling).matrix
            assert fill is not None
            self._empty = flags[(center + offset)[0, width:] >= 1.0]
            self._flagged = flags if self.indicator else self._flagged
            self.means_[flags] = filling.values[flags] + fill[0, width + np.arange(len(flags)), flags]
            self.means_[self._empty] = 0.0
        self.diagnostics_ = self._notes()

    def learn_apart(self, m: Moments, gaps: NDArray[np.integer]) -> Moments:
        """Means from diagonal moments that leave missing values out, and moments of the imputed rows with their flags.

        `gaps` are the columns that had any. Of n rows of a class whose n_p values have mean m_p and scatter S, the
        imputed ones have mean m_p + d n_l/n and scatter S + d² n_p n_l/n, with n_l = n - n_p and d = mean - m_p.
        """
        center, offset, _ = m.overall()
        self.n_features_in_ = m.n_features
        self.means_ = (center + offset)[0]
        self._empty = np.flatnonzero(m.feature_weight().sum(axis=-2)[0] == 0)
        self.means_[self._empty] = 0.0
        self._flagged = gaps.astype(np.intp) if self.indicator else np.zeros(0, dtype=np.intp)
        self.diagnostics_ = self._notes()
        present, weight = m.feature_weight(), np.broadcast_to(m.weight[..., None], m.center.shape)
        lost = np.where(np.isin(np.arange(m.n_features), gaps), np.maximum(weight - present, 0.0), 0.0)
        share = np.divide(lost, weight, out=np.zeros(lost.shape), where=weight > 0)
        away = np.where(present > 0, (self.means_ - m.center) - m.offset, 0.0)
        flags = share[..., self._flagged]
        spread = m.weight[..., None] * flags * (1.0 - flags)
        scatter = m.scatter + present * share * away**2
        return replace(
            m,
            center=np.concatenate(
                [np.where(present > 0, m.center, self.means_), np.zeros(flags.shape)], axis=-1
            ),
            offset=np.concatenate([np.where(present > 0, m.offset + away * share, 0.0), flags], axis=-1),
            scatter=np.concatenate([scatter, spread], axis=-1),
            present=None,
        )

    def _notes(self) -> tuple[Note, ...]:
        keys = column_keys(self)
        return tuple(Note("M404", column=keys[j]) for j in self._empty)

    def transform(self, X: MatrixLike) -> Array:
        """Rows without gaps, then the flags if asked for."""
        rows = self._rows(X)
        if not len(self._flagged) and all_finite(rows):
            return np.array(rows, dtype=np.float64, order="C")
        filled = np.where(np.isnan(rows), self.means_, rows)
        if not np.isfinite(filled).all():
            raise explain_rows(feature_names(self), rows, missing_allowed=True) or ValueError(Note("M065"))
        return np.hstack([filled, np.isnan(rows[:, self._flagged])]) if len(self._flagged) else filled

    def column_scales(self, X: Floats, y: ArrayLike) -> ColumnScales:
        """All columns as they are, without gaps."""
        self._check_params()
        return ColumnScales(np.arange(X.shape[1]))

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names of the columns, then ``missing_<name>`` for the flags."""
        names = column_names(self, input_features, self.n_features_in_)
        return np.asarray([*names, *(f"missing_{names[j]}" for j in self._flagged)], dtype=object)

    def fold_map(self, m: Moments, filling: Filling) -> AffineMap:
        """From the table as read (gaps filled with fixed values, flags after it) to the imputed row."""
        width, flags = len(filling.values), filling.indicators
        center, offset, _ = m.overall()
        share = (center + offset)[..., width:]  # of missing values, per flagged column
        present = np.maximum(1.0 - share, np.finfo(np.float64).tiny)
        moved = ((center - np.append(filling.values, np.zeros(len(flags)))) + offset)[..., flags]
        outputs = width + (len(flags) if self.indicator else 0)
        matrix = np.zeros((*center.shape[:-1], width + len(flags), outputs))
        matrix[..., np.arange(width), np.arange(width)] = 1.0
        matrix[..., width + np.arange(len(flags)), flags] = np.where(share < 1.0, moved / present, 0.0)
        if self.indicator:
            matrix[..., width + np.arange(len(flags)), width + np.arange(len(flags))] = 1.0
        start = np.broadcast_to(np.append(filling.values, np.zeros(len(flags))), center.shape)
        shift = np.broadcast_to(
            np.append(filling.values, np.zeros(outputs - width)), (*center.shape[:-1], outputs)
        )
        return AffineMap(start, shift, matrix=matrix)
