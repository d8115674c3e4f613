"""The linear form of shared-covariance models: the posterior is the softmax of w_k·x + w_k0, read off coef_."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import expit, softmax
from sklearn.datasets import load_iris, load_wine

from assay import FisherDiscriminant, GaussianClassifier

MODELS = [
    GaussianClassifier("shared"),
    GaussianClassifier("shared", shrinkage=0.2, priors="uniform"),
    GaussianClassifier("shared_diagonal"),
    GaussianClassifier("shared_spherical", variance="unbiased"),
    FisherDiscriminant(),
    FisherDiscriminant(1, priors=[0.2, 0.3, 0.5]),
]


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_posterior_is_the_softmax_of_the_linear_form(model: Any, load: Any) -> None:
    X, y = load(return_X_y=True)
    model.fit(X, y)
    assert model.coef_.shape == (3, X.shape[1])
    np.testing.assert_allclose(
        softmax(X @ model.coef_.T + model.intercept_, axis=1), model.predict_proba(X), atol=1e-9
    )


@pytest.mark.parametrize("model", [GaussianClassifier("shared"), FisherDiscriminant()], ids=repr)
def test_two_classes_have_a_sigmoid(model: Any) -> None:
    X, y = load_iris(return_X_y=True)
    model.fit(X[50:], y[50:])
    np.testing.assert_allclose(
        expit(X[50:] @ model.coef_[0] + model.intercept_[0]), model.predict_proba(X[50:])[:, 1], atol=1e-9
    )


def test_w_is_the_inverse_covariance_times_the_mean() -> None:
    X, y = load_iris(return_X_y=True)
    model = GaussianClassifier("shared").fit(X, y)
    w = np.linalg.solve(model.covariance_, model.means_.T).T
    np.testing.assert_allclose(model.coef_ - model.coef_[0], w - w[0], rtol=1e-8)
    constant = np.log(model.class_prior_) - 0.5 * (w * model.means_).sum(axis=1)
    np.testing.assert_allclose(model.intercept_ - model.intercept_[0], constant - constant[0], rtol=1e-8)
