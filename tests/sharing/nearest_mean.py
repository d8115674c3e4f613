"""A classifier that a third party could have written: it shares its moments and knows nothing else of the package."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from assay.sharing.forms import Linear
from assay.statistics import Moments, collect


class NearestMean(ClassifierMixin, BaseEstimator):
    """The class whose mean is nearest in units of the shared deviations: all that a third party has to write."""

    def __init__(self, floor: float = 1e-3) -> None:
        self.floor = floor

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NearestMean:
        self.classes_, codes = np.unique(y, return_inverse=True)
        m = collect(np.asarray(X, float), codes.astype(np.int32), len(self.classes_), weight=sample_weight)
        self.form_ = self.solve_moments(m.in_rows()[None])
        return self

    def solve_moments(self, m: Moments) -> Linear:
        center, offset, away = m.overall()
        total = m.weight.sum(axis=1)[:, None]
        precision = 1.0 / (m.within_diagonal() / total + self.floor)
        with np.errstate(divide="ignore"):
            bias = np.log(m.weight / total) - 0.5 * (away**2 * precision[:, None]).sum(axis=2)
        return Linear(center + offset, away * precision[:, None], bias)

    def predict_log_proba(self, X: Any) -> Any:
        scores = self.form_.scores(np.asarray(X, float))
        return scores - np.logaddexp.reduce(scores, axis=1)[:, None]

    def predict(self, X: Any) -> Any:
        return self.classes_[self.predict_log_proba(X).argmax(axis=1)]
