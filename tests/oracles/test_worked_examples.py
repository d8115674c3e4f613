"""Examples worked by hand: pooled covariances and information criteria. One example per method: `test_methods`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import multivariate_normal

from assay import (
    GaussianClassifier,
    GaussianNB,
    aic,
    bic,
)
from assay.models.gaussian.gaussian_classifier import COVARIANCES
from tests.contract.registry import blobs
from tests.raised import raises


def test_many_classes_with_a_shared_covariance_are_a_softmax() -> None:
    X, y = blobs(classes=4, seed=2)
    model = GaussianClassifier("shared", variance="unbiased").fit(X, y)
    within = sum((np.bincount(y)[k] - 1) * np.cov(X[y == k].T) for k in range(4)) / (len(y) - 4)
    np.testing.assert_allclose(model.covariance_, within, rtol=1e-10)
    weights = model.means_ @ np.linalg.inv(within)
    offsets = -0.5 * (weights * model.means_).sum(axis=1) + np.log(np.bincount(y) / len(y))
    np.testing.assert_allclose(model.predict_proba(X), softmax(X @ weights.T + offsets, axis=1), rtol=1e-8)
    np.testing.assert_allclose(
        softmax(X @ model.coef_.T + model.intercept_, axis=1), model.predict_proba(X), rtol=1e-8
    )


def joint_log_likelihood(X: Any, y: Any, covariances: list[Any]) -> float:
    total = 0.0
    for k, covariance in enumerate(covariances):
        rows = X[y == k]
        total += multivariate_normal(rows.mean(axis=0), covariance).logpdf(rows).sum()
        total += len(rows) * np.log(len(rows) / len(y))
    return total


def ml_covariances(X: Any, y: Any, covariance: str) -> tuple[list[Any], int]:
    """Maximum-likelihood covariances of every class, and how many free numbers they have."""
    classes, width = int(y.max()) + 1, X.shape[1]
    own = [np.cov(X[y == k].T, bias=True) for k in range(classes)]
    pooled = sum((y == k).mean() * own[k] for k in range(classes))
    shape = covariance.removeprefix("shared_").replace("shared", "full")
    make = {
        "full": lambda s: s,
        "diagonal": lambda s: np.diag(np.diag(s)),
        "spherical": lambda s: np.eye(width) * np.trace(s) / width,
    }[shape]
    each = {"full": width * (width + 1) // 2, "diagonal": width, "spherical": 1}[shape]
    if covariance.startswith("shared"):
        return [make(pooled)] * classes, each
    return [make(s) for s in own], classes * each


@pytest.mark.parametrize("covariance", COVARIANCES)
@pytest.mark.parametrize("variance", ["ml", "unbiased"])
def test_information_criteria(covariance: str, variance: str) -> None:
    """Counted and summed at the maximum-likelihood fit, whatever divisor the model itself uses."""
    X, y = blobs(rows=80, seed=6)
    model = GaussianClassifier(covariance, variance=variance).fit(X, y)
    covariances, free = ml_covariances(X, y, covariance)
    k = 3 * 4 + free + 3 - 1
    likelihood = joint_log_likelihood(X, y, covariances)
    assert model.n_parameters_ == k
    assert model.log_likelihood_ == pytest.approx(likelihood, rel=1e-10)
    assert aic(model) == pytest.approx(2 * k - 2 * likelihood, rel=1e-10)
    assert bic(model) == pytest.approx(k * np.log(80) - 2 * likelihood, rel=1e-10)


def test_parameter_counts_by_formula() -> None:
    X, y = blobs(rows=80, width=5, classes=4, seed=7)
    K, D = 4, 5
    assert GaussianNB().fit(X, y).n_parameters_ == 2 * K * D + K - 1
    assert GaussianClassifier("full").fit(X, y).n_parameters_ == K * (D + D * (D + 1) // 2) + K - 1
    assert GaussianClassifier("shared").fit(X, y).n_parameters_ == K * D + D * (D + 1) // 2 + K - 1
    assert GaussianNB(priors="uniform").fit(X, y).n_parameters_ == 2 * K * D
    naive, diagonal = GaussianNB().fit(X, y), GaussianClassifier("diagonal").fit(X, y)
    assert aic(naive) == pytest.approx(aic(diagonal), rel=1e-12)


def test_criteria_of_weighted_rows() -> None:
    X, y = blobs(rows=40, seed=8)
    weight = np.random.default_rng(0).integers(1, 4, 40)
    repeated = np.repeat(np.arange(40), weight)
    for model in (GaussianNB(), GaussianClassifier("shared"), GaussianClassifier("full")):
        one = model.fit(X, y, weight)
        first = aic(one), bic(one)
        two = model.fit(X[repeated], y[repeated])
        assert first == pytest.approx((aic(two), bic(two)), rel=1e-10)


def test_models_without_a_likelihood_have_no_criterion() -> None:
    from assay import LeastSquaresClassifier

    X, y = blobs()
    with raises("S080", kind="LeastSquaresClassifier"):
        aic(LeastSquaresClassifier().fit(X, y))
    with pytest.raises(ValueError, match="GaussianNB is not fitted"):
        bic(GaussianNB())
