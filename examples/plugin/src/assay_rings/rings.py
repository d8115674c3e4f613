"""Classes in rings: a row belongs to the class whose rows are most frequent at its distance from the center."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from assay.catalog import ModelCard, Param, Range


class RingClassifier(ClassifierMixin, BaseEstimator):
    """Classify rows by their distance from the center of the training rows.

    Parameters
    ----------
    n_rings : int
        Rings of equally many training rows.
    """

    def __init__(self, n_rings: int = 10) -> None:
        self.n_rings = n_rings

    def fit(self, X: Any, y: Any) -> RingClassifier:
        X, y = validate_data(self, X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.center_ = X.mean(axis=0)
        distance = np.linalg.norm(X - self.center_, axis=1)
        self.borders_ = np.quantile(distance, np.arange(1, self.n_rings) / self.n_rings)
        counts = np.ones((self.n_rings, len(self.classes_)))
        np.add.at(counts, (np.searchsorted(self.borders_, distance), codes), 1.0)
        self.shares_ = counts / counts.sum(axis=1, keepdims=True)
        return self

    def predict_proba(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return self.shares_[np.searchsorted(self.borders_, np.linalg.norm(X - self.center_, axis=1))]

    def predict(self, X: Any) -> Any:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


CARD = ModelCard(
    name="rings",
    title="Rings",
    estimator=RingClassifier,
    family="rings",
    parameters=(Param("n_rings", "int", 10, "rings of equally many training rows", low=2),),
    encoding="onehot-reference",
    capabilities=frozenset({"posterior"}),
    tuning=(Range("n_rings", (4, 8, 16, 32)),),
)
