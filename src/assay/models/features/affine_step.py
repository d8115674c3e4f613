"""What stands before a model: transformers that, once their statistics are known, are affine maps."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.base.estimators import OneToOneFeatureMixin, Transformer, check_is_fitted
from assay.models.base.validation import check_moments, check_rows, check_weight, feature_names
from assay.statistics import Extremes, Filling, Moments, collect
from assay.types import MatrixLike, RowWeights


class AffineStep(Transformer):
    """A transformer that gives each fold its map from the fold's training moments."""

    mixes_features: ClassVar[bool] = False  # True: the map is a dense matrix and needs products of features
    narrows: ClassVar[bool] = False  # True: each fold keeps other columns; their maps keep all, some times 0
    passes_gaps: ClassVar[bool] = False  # True: NaN passes through

    @property
    def needs_extremes(self) -> bool:
        return False

    def learn(self, m: Moments, extremes: Extremes | None = None, filling: Filling | None = None) -> None:
        """Set the fitted attributes from moments of all rows, as `fit` does from the rows (one leading axis)."""
        raise NotImplementedError

    def _rows(self, X: MatrixLike) -> NDArray[np.floating]:
        check_is_fitted(self)
        return check_rows(self, X, reset=False)

    def _moments(
        self, X: MatrixLike, sample_weight: RowWeights, missing: bool = False
    ) -> tuple[NDArray[np.floating], Moments]:
        """Checked rows and their diagonal moments as one class."""
        rows = check_rows(self, X, reset=True)
        codes = np.zeros(rows.shape[0], dtype=np.int32)
        weight = check_weight(sample_weight, rows.shape[0])
        moments = collect(
            rows, codes, 1, form="diagonal", weight=weight, missing=missing, threads=thread_count()
        )
        check_moments(moments, rows, feature_names(self), missing_allowed=missing)
        return rows, moments.in_rows()


class ElementwiseStep(OneToOneFeatureMixin, AffineStep):
    """A step with one output for each column."""
