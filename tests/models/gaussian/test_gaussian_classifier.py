"""Gaussian classes: twins in scikit-learn, geometry of linear boundaries, stated rules for singular covariances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.neighbors import NearestCentroid

from assay import GaussianClassifier
from assay.models.gaussian.gaussian_classifier import COVARIANCES
from tests.contract.registry import blobs
from tests.noted import noted

LINEAR = ("shared", "shared_diagonal", "shared_spherical")


@pytest.mark.parametrize("variance", ["ml", "unbiased"])
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_posteriors_by_the_formula(covariance: str, variance: str) -> None:
    X, y = blobs(seed=50)
    n, less = np.bincount(y), 1 if variance == "unbiased" else 0
    scatter = [(n[k] - 1) * np.cov(X[y == k].T) for k in range(3)]
    own = [scatter[k] / (n[k] - less) for k in range(3)]
    if covariance.startswith("shared"):
        own = [sum(scatter) / (len(y) - 3 * less)] * 3
    if "diagonal" in covariance:
        own = [np.diag(np.diag(s)) for s in own]
    if "spherical" in covariance:
        own = [np.eye(4) * np.trace(s) / 4 for s in own]
    joint = np.stack(
        [
            multivariate_normal(X[y == k].mean(axis=0), own[k]).logpdf(X) + np.log(n[k] / len(y))
            for k in range(3)
        ],
        axis=1,
    )
    expected = joint - np.logaddexp.reduce(joint, axis=1, keepdims=True)
    model = GaussianClassifier(covariance, variance=variance).fit(X, y)
    np.testing.assert_allclose(model.predict_log_proba(X), expected, rtol=1e-9, atol=1e-9)
    assert model.diagnostics_ == ()


def test_shared_is_linear_discriminant_analysis() -> None:
    X, y = blobs(seed=51)
    ours = GaussianClassifier("shared").fit(X, y)
    theirs = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=1e-10)
    np.testing.assert_allclose(ours.means_, theirs.means_, rtol=1e-12)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


def test_full_is_quadratic_discriminant_analysis() -> None:
    X, y = blobs(seed=52)
    theirs = QuadraticDiscriminantAnalysis(store_covariance=True).fit(X, y)
    # Versions of scikit-learn differ in the divisor.
    by_n = np.allclose(theirs.covariance_[0], np.cov(X[y == 0].T, bias=True))
    ours = GaussianClassifier("full", variance="ml" if by_n else "unbiased").fit(X, y)
    np.testing.assert_allclose(ours.covariance_, theirs.covariance_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)


def test_shrinkage_is_scikit_learns() -> None:
    X, y = blobs(seed=53)
    ours = GaussianClassifier("shared", shrinkage=0.3).fit(X, y)
    covariances = [np.cov(X[y == k].T, bias=True) for k in range(3)]
    shared = sum(np.bincount(y)[k] / len(y) * covariances[k] for k in range(3))
    expected = 0.7 * shared + 0.3 * np.trace(shared) / 4 * np.eye(4)
    np.testing.assert_allclose(ours.covariance_, expected, rtol=1e-10)


def test_nearest_mean_is_scikit_learns() -> None:
    X, y = blobs(seed=54)
    ours = GaussianClassifier("shared_spherical", priors="uniform").fit(X, y)
    assert (ours.predict(X) == NearestCentroid().fit(X, y).predict(X)).all()


@pytest.mark.parametrize("covariance", ["full", "diagonal", "spherical"])
def test_the_ends_of_the_blend(covariance: str) -> None:
    X, y = blobs(seed=55)
    none = GaussianClassifier(covariance, blend=0.0).fit(X, y)
    shared = GaussianClassifier("shared" if covariance == "full" else f"shared_{covariance}").fit(X, y)
    np.testing.assert_allclose(none.predict_log_proba(X), shared.predict_log_proba(X), rtol=1e-9, atol=1e-9)
    half = GaussianClassifier(covariance, blend=0.5).fit(X, y)
    own = GaussianClassifier(covariance).fit(X, y)
    name = "covariance_" if covariance == "full" else "var_"
    mixed = 0.5 * getattr(own, name) + 0.5 * getattr(shared, name)
    np.testing.assert_allclose(getattr(half, name), mixed, rtol=1e-10)


def test_full_shrinkage_is_a_sphere() -> None:
    X, y = blobs(seed=56)
    for pair in (("full", "spherical"), ("shared", "shared_spherical"), ("diagonal", "spherical")):
        shrunk = GaussianClassifier(pair[0], shrinkage=1.0).fit(X, y)
        sphere = GaussianClassifier(pair[1]).fit(X, y)
        np.testing.assert_allclose(
            shrunk.predict_log_proba(X), sphere.predict_log_proba(X), rtol=1e-9, atol=1e-9
        )


@pytest.mark.parametrize("covariance", LINEAR)
def test_geometry_of_two_classes(covariance: str) -> None:
    X, y = blobs(classes=2, seed=57)
    model = GaussianClassifier(covariance).fit(X, y)
    w, w0 = model.coef_[0], model.intercept_[0]
    norm = np.linalg.norm(w)
    np.testing.assert_allclose(model.signed_distance(X), (X @ w + w0) / norm, rtol=1e-9, atol=1e-9)
    assert model.origin_distance() == pytest.approx(w0 / norm)
    foot = X - model.signed_distance(X)[:, None] * w / norm  # the nearest point of the boundary
    np.testing.assert_allclose(model.predict_proba(foot), 0.5, atol=1e-9)
    np.testing.assert_allclose(model.signed_distance(foot), 0.0, atol=1e-9)
    assert ((model.signed_distance(X) > 0) == (model.predict(X) == 1)).all()
    np.testing.assert_allclose(model.signed_distance(X, positive=0, negative=1), -model.signed_distance(X))


@pytest.mark.parametrize("covariance", LINEAR)
def test_geometry_of_three_classes(covariance: str) -> None:
    X, y = blobs(seed=58)
    model = GaussianClassifier(covariance).fit(X, np.array(["x", "y", "z"])[y])
    scores = X @ model.coef_.T + model.intercept_
    assert (model.classes_[scores.argmax(axis=1)] == model.predict(X)).all()
    distance = model.signed_distance(X, positive="z", negative="x")
    w = model.coef_[2] - model.coef_[0]
    np.testing.assert_allclose(
        distance, (scores[:, 2] - scores[:, 0]) / np.linalg.norm(w), rtol=1e-8, atol=1e-8
    )


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_coefficients_only_where_boundaries_are_linear(covariance: str) -> None:
    X, y = blobs()
    model = GaussianClassifier(covariance).fit(X, y)
    assert hasattr(model, "coef_") == (covariance in LINEAR)
    assert hasattr(model, "covariance_") == (covariance in ("full", "shared"))
    assert hasattr(model, "var_") == (covariance not in ("full", "shared"))


def finite(model: Any, X: Any) -> None:
    posterior = model.predict_proba(X)
    assert np.isfinite(posterior).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_constant_features_are_left_out_and_named(covariance: str) -> None:
    X, y = blobs(seed=59)
    wide = np.hstack([X, np.full((90, 1), 0.1), np.full((90, 1), 1e9)])
    model = GaussianClassifier(covariance).fit(wide, y)
    plain = GaussianClassifier(covariance).fit(X, y)
    np.testing.assert_allclose(
        model.predict_log_proba(wide), plain.predict_log_proba(X), rtol=1e-9, atol=1e-9
    )
    assert noted(model.diagnostics_, "M300", columns=(4, 5))
    moved = wide + np.array([0, 0, 0, 0, 3.0, 5.0])
    np.testing.assert_allclose(
        model.predict_log_proba(moved), plain.predict_log_proba(X), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_all_features_constant_leaves_the_priors(covariance: str) -> None:
    y = np.array([0, 0, 0, 1])
    model = GaussianClassifier(covariance).fit(np.full((4, 2), 3.3), y)
    np.testing.assert_allclose(model.predict_proba([[3.3, 3.3], [9.0, 0.0]]), [[0.75, 0.25]] * 2)


@pytest.mark.parametrize("variance", ["ml", "unbiased"])
@pytest.mark.parametrize("covariance", COVARIANCES)
def test_one_row_classes_borrow_the_shared_covariance(covariance: str, variance: str) -> None:
    X, y = blobs(classes=2, seed=60)
    wider, labels = np.vstack([X, [[9.0, 9.0, 9.0, 9.0]]]), np.append(y, 2)
    model = GaussianClassifier(covariance, variance=variance).fit(wider, labels)
    finite(model, wider)
    assert model.predict(wider[-1:]).tolist() == [2]
    told = bool(noted(model.diagnostics_, "M302", label="2"))
    assert told == (not covariance.startswith("shared"))
    if covariance == "full":
        shared = GaussianClassifier("shared", variance=variance).fit(wider, labels)
        np.testing.assert_allclose(model.covariance_[2], shared.covariance_, rtol=1e-12)


@pytest.mark.parametrize("covariance", COVARIANCES)
def test_only_one_row_in_every_class(covariance: str) -> None:
    """No spread within any class: the floor stands in, and the nearest mean wins."""
    X, y = np.array([[0.0, 0.0], [1.0, 0.5], [4.0, 4.0]]), [0, 1, 2]
    model = GaussianClassifier(covariance, priors="uniform").fit(X, y)
    finite(model, X)
    assert model.predict(X).tolist() == [0, 1, 2]
    assert model.diagnostics_


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_fewer_rows_than_features(rows: int) -> None:
    rng = np.random.default_rng(rows)
    X, y = rng.normal(size=(2 * rows, 8)), np.repeat([0, 1], rows)
    for model in (
        GaussianClassifier("full"),
        GaussianClassifier("shared"),
        GaussianClassifier("full", shrinkage=0.1),
    ):
        fitted = clone(model).fit(X, y)
        finite(fitted, X)
        assert (fitted.predict(X) == y).all()
        singular = [s for s in fitted.diagnostics_ if "singular" in s]
        free = rows - 1 if model.covariance == "full" else 2 * (rows - 1)
        assert bool(singular) == (model.shrinkage == 0.0 and free < 8)
    directions = GaussianClassifier("full").fit(X, y).diagnostics_[0]
    assert f"singular in {8 - rows + 1} of 8 directions" in directions


def test_duplicated_columns_change_nothing_but_the_diagnostics() -> None:
    X, y = blobs(seed=61)
    doubled = np.hstack([X, X[:, :2]])
    model = GaussianClassifier("shared").fit(doubled, y)
    plain = GaussianClassifier("shared").fit(X, y)
    np.testing.assert_allclose(model.predict_proba(doubled), plain.predict_proba(X), atol=1e-6)
    assert any("singular in 2 of 6 directions" in s for s in model.diagnostics_)


def test_a_feature_constant_within_one_class_is_floored_there() -> None:
    X, y = blobs(classes=2, seed=62)
    X[y == 0, 3] = 2.5
    model = GaussianClassifier("full").fit(X, y)
    finite(model, X)
    assert noted(model.diagnostics_, "M303", label="0", singular=1, n_columns=4)
    assert not any("class 1" in s for s in model.diagnostics_)


def test_the_floor_is_a_share_of_the_total_variance() -> None:
    X, y = np.array([[0.0], [0.0], [1.0], [3.0]]), [0, 0, 1, 1]
    X2 = np.hstack([X, [[0.0], [1.0], [0.0], [1.0]]])
    model = GaussianClassifier("diagonal", variance_floor=0.01).fit(X2, y)
    assert model.var_[0, 0] == pytest.approx(0.01 * X2[:, 0].var())
    zero = GaussianClassifier("diagonal", variance_floor=0.0).fit(X2, y)
    finite(zero, X2)


def test_huge_distances_keep_their_order() -> None:
    X, y = blobs(seed=63)
    model = GaussianClassifier("shared").fit(X, y)
    finite(model, X * 1e6)
    finite(GaussianClassifier("full").fit(X, y), X * 1e6)


def test_columns_far_from_zero_keep_their_digits() -> None:
    X, y = blobs(seed=64)
    for covariance in COVARIANCES:
        plain = GaussianClassifier(covariance).fit(X, y).predict_log_proba(X)
        moved = np.round(X * 2**20) / 2**20 + 2.0**24
        exact = GaussianClassifier(covariance).fit(moved - 2.0**24, y).predict_log_proba(moved - 2.0**24)
        far = GaussianClassifier(covariance).fit(moved, y).predict_log_proba(moved)
        np.testing.assert_allclose(far, exact, rtol=1e-7, atol=1e-7)
        np.testing.assert_allclose(far, plain, rtol=1e-2, atol=1e-2)
