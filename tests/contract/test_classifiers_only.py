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
from tests.raised import Expected, raises

CALLS: dict[str, Callable[..., Any]] = {
    "evaluate": evaluate,
    "evaluate many": lambda model, X, y: evaluate({"good": assay.GaussianNB(), "bad": model}, X, y),
    "learning_curve": learning_curve,
    "tune": lambda model, X, y: tune(model, X, y, l2=[0.1]),
    "nested": lambda model, X, y: nested(model, X, y, l2=[0.1]),
    "select_features": select_features,
}
NOT_CLASSIFIERS: list[tuple[Any, Expected]] = [
    (LinearRegression(), Expected("M007", kind="LinearRegression", category="regressor")),
    (
        make_pipeline(StandardScaler(), LinearRegression()),
        Expected("M007", kind="LinearRegression", category="regressor"),
    ),
    (GridSearchCV(LinearRegression(), {}), Expected("M007", kind="GridSearchCV", category="regressor")),
    (KMeans(), Expected("M007", kind="KMeans", category="clusterer")),
    (assay.KMeans(), Expected("M007", kind="KMeans", category="clusterer")),
    (IsolationForest(), Expected("M007", kind="IsolationForest", category="outlier detector")),
    (StandardScaler(), Expected("M007", kind="StandardScaler", category="transformer")),
    (make_pipeline(StandardScaler(), assay.PCA()), Expected("M007", kind="PCA", category="transformer")),
    (assay.MultivariateNormal(), Expected("M007", kind="MultivariateNormal", category="density estimator")),
    (assay.Recommender(), Expected("M007", kind="Recommender", category="estimator of another kind")),
    (LinearRegression, Expected("M008", kind="LinearRegression")),
    ("logistic", Expected("M009", shown="'logistic'")),
    (np.zeros((3, 2)), Expected("M009")),
    (None, Expected("M009", shown="None")),
    (lambda X: X, Expected("M009")),
]


@pytest.mark.parametrize(("model", "expected"), NOT_CLASSIFIERS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("name", CALLS)
def test_one_sentence(name: str, model: Any, expected: Expected) -> None:
    X, y = np.random.default_rng(0).normal(size=(30, 3)), np.arange(30) % 2
    with raises(expected, TypeError) as caught:
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
