"""The multivariate normal density: equal to SciPy's, its samples, its correlations, singular tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.datasets import load_iris, load_wine
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.models.gaussian.multivariate_normal import MultivariateNormal
from tests.noted import noted
from tests.raised import Expected, raises


@parametrize_with_checks([MultivariateNormal(), MultivariateNormal(variance="unbiased", shrinkage=0.2)])
def test_scikit_learn_contract(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


@given(
    n=st.integers(8, 40),
    width=st.integers(1, 5),
    variance=st.sampled_from(["ml", "unbiased"]),
    dtype=st.sampled_from([np.float64, np.float32]),
    seed=st.integers(0, 99),
)
@settings(max_examples=50)
def test_log_density_is_scipys(n: int, width: int, variance: str, dtype: type, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, width)) @ rng.normal(size=(width, width)) + 5.0).astype(dtype)
    weight = rng.uniform(0.5, 3.0, n)
    model = MultivariateNormal(variance=variance, variance_floor=0.0).fit(X, sample_weight=weight)
    exact, weight = (
        X.astype(np.float64),
        weight / weight.mean(),
    )  # importance weights: N is the number of rows
    mean = np.average(exact, axis=0, weights=weight)
    divisor = weight.sum() - (variance == "unbiased")
    covariance = ((exact - mean).T * weight) @ (exact - mean) / divisor
    expected = multivariate_normal(mean, covariance, allow_singular=True).logpdf(exact)
    np.testing.assert_allclose(model.covariance_, covariance, rtol=1e-9, atol=1e-11)
    if np.linalg.cond(covariance) < 1e8:
        np.testing.assert_allclose(model.log_pdf(X), expected, rtol=1e-6, atol=1e-7)


def test_all_names_of_the_density_agree() -> None:
    X, _ = load_wine(return_X_y=True)
    model = MultivariateNormal().fit(X)
    logs = multivariate_normal(X.mean(axis=0), np.cov(X.T, bias=True)).logpdf(X)
    np.testing.assert_allclose(model.score_samples(X), logs, rtol=1e-9)
    np.testing.assert_allclose(model.pdf(X), np.exp(logs), rtol=1e-8)
    assert model.score(X) == pytest.approx(logs.mean())
    assert model.log_likelihood_ == pytest.approx(logs.sum())
    assert model.n_parameters_ == 13 + 13 * 14 // 2


def test_likelihood_is_that_of_the_maximum() -> None:
    X, _ = load_iris(return_X_y=True)
    best = MultivariateNormal().fit(X)
    other = MultivariateNormal(variance="unbiased", shrinkage=0.3).fit(X)
    assert other.log_likelihood_ == pytest.approx(best.log_likelihood_)
    assert other.log_pdf(X).sum() < best.log_likelihood_


def test_closed_form_in_two_dimensions() -> None:
    model = MultivariateNormal().fit(np.array([[1.0, 1.0], [3.0, 2.0], [2.0, 5.0], [6.0, 4.0], [3.0, 3.0]]))
    (a, b), (_, d) = model.covariance_
    x = np.array([2.5, 1.0]) - model.mean_
    square = (d * x[0] ** 2 - 2.0 * b * x[0] * x[1] + a * x[1] ** 2) / (a * d - b**2)
    expected = -np.log(2.0 * np.pi) - 0.5 * np.log(a * d - b**2) - 0.5 * square
    assert model.log_pdf([[2.5, 1.0]])[0] == pytest.approx(expected)
    assert model.correlation_[0, 1] == pytest.approx(b / np.sqrt(a * d))


def test_correlations_are_numpys() -> None:
    X, _ = load_wine(return_X_y=True)
    np.testing.assert_allclose(MultivariateNormal().fit(X).correlation_, np.corrcoef(X.T), atol=1e-12)
    perfect = MultivariateNormal().fit(np.array([[1.0, 61.0], [2.0, 62.0], [3.0, 63.0]]))
    np.testing.assert_allclose(perfect.correlation_, 1.0)


def test_shrinkage_mixes_in_a_sphere() -> None:
    X, _ = load_iris(return_X_y=True)
    plain = np.cov(X.T, bias=True)
    expected = 0.75 * plain + 0.25 * np.trace(plain) / 4.0 * np.eye(4)
    np.testing.assert_allclose(MultivariateNormal(shrinkage=0.25).fit(X).covariance_, expected)


def test_samples_have_the_fitted_moments() -> None:
    X, _ = load_iris(return_X_y=True)
    frame = np.column_stack([X, np.full(150, 3.0)])
    model = MultivariateNormal().fit(frame)
    drawn = model.sample(40_000, random_state=1)
    error = np.sqrt(np.diag(model.covariance_) / 40_000)
    assert (np.abs(drawn.mean(axis=0) - model.mean_) <= 5.0 * error).all()
    np.testing.assert_allclose(np.cov(drawn.T), model.covariance_, atol=0.08)
    assert (drawn[:, 4] == 3.0).all()
    np.testing.assert_array_equal(drawn[:5], model.sample(40_000, random_state=1)[:5])
    assert (drawn[:5, 0] != model.sample(5, random_state=2)[:, 0]).all()


def test_constant_features_are_left_out_and_said() -> None:
    X, _ = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=list("abcd")).assign(seven=7.0)
    model = MultivariateNormal().fit(frame)
    assert len(model.diagnostics_) == 1 and noted(model.diagnostics_, "M309", column="seven")
    np.testing.assert_allclose(model.log_pdf(frame), MultivariateNormal().fit(X).log_pdf(X))
    assert model.correlation_[4].tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("shape", [(6, 10), (10, 10)])
def test_fewer_rows_than_features(shape: tuple[int, int]) -> None:
    X = np.random.default_rng(0).normal(size=shape)
    model = MultivariateNormal().fit(X)
    assert np.isfinite(model.log_pdf(X)).all() and np.isfinite(model.log_likelihood_)
    assert f"singular in {10 - shape[0] + 1} of 10 directions" in model.diagnostics_[0]
    assert MultivariateNormal(shrinkage=0.5).fit(X).diagnostics_ == ()


def test_rows_that_are_all_alike() -> None:
    for model in (
        MultivariateNormal().fit(np.ones((3, 2))),
        MultivariateNormal().fit(np.ones((1, 2)), sample_weight=[3.0]),
    ):
        assert model.log_pdf(np.ones((1, 2))).tolist() == [0.0]
        assert len(model.diagnostics_) == 2


@given(seed=st.integers(0, 99))
@settings(max_examples=20)
def test_weights_order_and_parts_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3)) + 100.0
    times = rng.integers(0, 4, 30)
    times[:5] = 1
    weighted = MultivariateNormal().fit(X, sample_weight=times)
    repeated = MultivariateNormal().fit(rng.permutation(np.repeat(X, times, axis=0)))
    np.testing.assert_allclose(weighted.log_pdf(X), repeated.log_pdf(X), rtol=1e-8)
    whole = MultivariateNormal().fit(X)
    parts = MultivariateNormal().partial_fit(X[:12]).partial_fit(X[12:])
    merged = MultivariateNormal().fit(X[:12]).merge(MultivariateNormal().fit(X[12:]))
    for other in (parts, merged):
        np.testing.assert_allclose(other.covariance_, whole.covariance_, rtol=1e-9, atol=1e-12)
    left = merged.forget(X[12:]).log_pdf(X)
    np.testing.assert_allclose(left, MultivariateNormal().fit(X[:12]).log_pdf(X), rtol=1e-6)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"variance": "n"}, Expected("M023", value="n", expectation="one of 'ml', 'unbiased'")),
        ({"shrinkage": 1.5}, Expected("M023", name="shrinkage", value=1.5)),
        ({"variance_floor": float("nan")}, Expected("M023", name="variance_floor")),
    ],
)
def test_bad_parameters_are_refused(options: dict[str, object], expected: Expected) -> None:
    with raises(expected):
        MultivariateNormal(**options).fit(np.eye(4))  # type: ignore[arg-type]


def test_bad_input_is_refused() -> None:
    X = np.random.default_rng(0).normal(size=(10, 2))
    with raises("M027", least=1.0, weight=1.0, n_rows=1):
        MultivariateNormal(variance="unbiased").fit(X[:1])
    X[2, 1] = np.nan
    with raises("N028", where="row 2, column 1"):
        MultivariateNormal().fit(X)
    model = MultivariateNormal().fit(X[3:])
    with raises("N028", where="row 2, column 1"):
        model.log_pdf(X)
    with raises("M105", n_samples=0):
        model.sample(0)
    with raises("M028", rows=7.0, weight=7.0, learned=7.0, learned_weight=7.0):
        model.forget(X[3:])
