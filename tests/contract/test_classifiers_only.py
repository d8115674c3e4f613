"""Whatever is not a classifier gets one sentence from every function that judges classifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import assay
from assay import evaluate, learning_curve, nested, select_features, tune

CALLS: dict[str, Callable[..., Any]] = {
    "evaluate": evaluate,
    "evaluate many": lambda model, X, y: evaluate({"good": assay.GaussianNB(), "bad": model}, X, y),
    "learning_curve": learning_curve,
    "tune": lambda model, X, y: tune(model, X, y, l2=[0.1]),
    "nested": lambda model, X, y: nested(model, X, y, l2=[0.1]),
    "select_features": select_features,
}
NOT_CLASSIFIERS: list[tuple[Any, str]] = [
    (LinearRegression(), "LinearRegression is a regressor, not a classifier; give a classifier"),
    (make_pipeline(StandardScaler(), LinearRegression()), "LinearRegression is a regressor, not"),
    (GridSearchCV(LinearRegression(), {}), "GridSearchCV is a regressor, not"),
    (KMeans(), "KMeans is a clusterer, not"),
    (assay.KMeans(), "KMeans is a clusterer, not"),
    (IsolationForest(), "IsolationForest is an outlier detector, not"),
    (StandardScaler(), "StandardScaler is a transformer, not"),
    (make_pipeline(StandardScaler(), assay.PCA()), "PCA is a transformer, not"),
    (assay.MultivariateNormal(), "MultivariateNormal is a density estimator, not"),
    (assay.Recommender(), "Recommender is an estimator of another kind, not"),
    (LinearRegression, r"LinearRegression is a class; give an instance, LinearRegression\(\)"),
    ("logistic", "'logistic' is not an estimator; give a classifier"),
    (np.zeros((3, 2)), "is not an estimator"),
    (None, "None is not an estimator"),
    (lambda X: X, "is not an estimator"),
]


@pytest.mark.parametrize(("model", "sentence"), NOT_CLASSIFIERS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", CALLS)
def test_one_sentence(name: str, model: Any, sentence: str) -> None:
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2
    with pytest.raises(TypeError, match=sentence) as caught:
        CALLS[name](model, X, y)
    assert str(caught.value).endswith(".") and str(caught.value).count(". ") == 0


class Constant:
    """Fits and predicts, and says nothing more about itself."""

    def fit(self, X: Any, y: Any) -> Any:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {}

    def set_params(self, **params: Any) -> Any:
        return self


def test_whoever_fits_and_predicts_is_taken() -> None:
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2
    assert evaluate(Constant(), X, y, 3).error == 0.5
