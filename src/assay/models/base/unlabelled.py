"""Models of rows without labels that need nothing but their moments: fit = learn(moments)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.base.estimators import Model, check_is_fitted
from assay.models.base.from_moments import FORGET_LIMIT
from assay.models.base.validation import check_moments, check_rows, check_weight, feature_names
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.statistics import Moments, collect

Array = NDArray[np.float64]


class UnlabelledModel(Model):
    """Fits, merges and forgets rows as the pooled moments of a single class."""

    n_features_in_: int
    statistics_: Moments

    def _learn(self, m: Moments) -> None:
        """Set the fitted attributes from the moments of all rows learned (no leading axis)."""
        raise NotImplementedError

    def _lost_freedom(self) -> float:
        """What is taken off the sum of the weights in the divisor of a variance."""
        return 1.0

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit from one pass over the rows; y is ignored."""
        self._check_params()
        rows = check_rows(self, X, reset=True)
        return self._take(self._collect(rows, check_weight(sample_weight, rows.shape[0])))

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn further rows; the result equals one fit of all rows seen."""
        self._check_params()
        first = not hasattr(self, "n_features_in_")
        rows = check_rows(self, X, reset=first)
        more = self._collect(rows, check_weight(sample_weight, rows.shape[0]))
        return self._take(more if first else self._known().merge(more))

    def merge(self, other: Self) -> Self:
        """Take in what another fitted model of the same kind learned from other rows."""
        self._check_mergeable(other)
        return self._take(self._known().merge(other._known()))

    def forget(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Unlearn rows: the model becomes what it would be without them, to about nine digits.

        Refused when the number of rows shows that they were never learned, and when too few digits would be left.
        """
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        gone, known = self._collect(rows, check_weight(sample_weight, rows.shape[0])), self._known()
        if gone.rows[0] >= known.rows[0] or gone.weight[0] >= known.weight[0]:
            raise ValueError(
                Note(
                    "M028",
                    rows=gone.rows[0],
                    weight=gone.weight[0],
                    rows_2=known.rows[0],
                    weight_2=known.weight[0],
                )
            )
        kept, error = known.without(gone)
        if error.max() > FORGET_LIMIT:
            raise ValueError(Note("M016", argmax=int(error.argmax())))
        return self._take(kept)

    def _known(self) -> Moments:
        if not hasattr(self, "statistics_"):
            raise ValueError(Note("M029", kind=type(self).__name__))
        return self.statistics_

    def _collect(self, rows: NDArray[np.floating], weight: Array | None) -> Moments:
        codes = np.zeros(rows.shape[0], dtype=np.int32)
        m = collect(rows, codes, 1, form="pooled", weight=weight, threads=thread_count())
        check_moments(m, rows, feature_names(self))
        return m

    def _take(self, m: Moments) -> Self:
        counted = m.in_rows()
        check_weight_above(self._lost_freedom(), self, int(m.rows[0]), float(counted.weight[0]))
        with single_threaded():
            self._learn(counted)
        self.statistics_ = m
        return self


def check_weight_above(least: float, estimator: Model, n_rows: int, weight: float) -> None:
    """Raise one sentence where a divisor (N or N - 1, N the sum of the weights) would not be positive."""
    if not weight > least * (1.0 + 1e-9):  # sums of scaled weights are rounded
        raise ValueError(
            Note("M027", kind=type(estimator).__name__, least=least, weight=weight, n_rows=n_rows)
        )
