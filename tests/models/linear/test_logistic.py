"""Logistic regression: known answers, hand-made twins, hard tables, separation, inference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay import aic, bic
from assay.models.linear.least_squares import LeastSquaresClassifier
from assay.models.linear.logistic import LogisticRegression
from tests.noted import codes, noted
from tests.raised import Expected, raises
from tests.realdata import load_csv

Array = np.ndarray[Any, Any]


@parametrize_with_checks([LogisticRegression(), LogisticRegression(l2=0.1, class_weight="balanced")])
def test_scikit_learn_contract(estimator: Any, check: Any) -> None:
    check(estimator)


def table(classes: int, n: int = 300, width: int = 4, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width))
    return X, (X @ rng.normal(size=(width, classes)) + rng.gumbel(size=(n, classes))).argmax(axis=1)


def objective(model: LogisticRegression, X: Array, y: Array, weight: Array | None = None) -> float:
    weight = np.ones(len(y)) if weight is None else weight
    logs = model.predict_log_proba(X)[np.arange(len(y)), np.searchsorted(model.classes_, y)]
    return float(-(weight * logs).sum() / weight.sum() + 0.5 * model.l2 * (model.coef_**2).sum())


@pytest.mark.parametrize("l2", [1.0, 0.01])
@pytest.mark.parametrize("classes", [2, 3])
def test_no_other_weights_are_better(classes: int, l2: float) -> None:
    X, y = table(classes)
    model = LogisticRegression(l2, tol=1e-9).fit(X, y)
    targets = np.arange(classes) == y[:, None]

    def loss(flat: Array) -> float:
        W = flat.reshape(-1, 5)
        scores = X @ W[:, :-1].T + W[:, -1]
        full = np.column_stack([np.zeros(len(X)), scores]) if classes == 2 else scores
        return float(
            -(log_softmax(full, axis=1) * targets).sum() / len(X) + 0.5 * l2 * (W[:, :-1] ** 2).sum()
        )

    best = minimize(
        loss, np.zeros((1 if classes == 2 else classes) * 5), method="BFGS", options={"gtol": 1e-9}
    )
    assert objective(model, X, y) <= best.fun + 1e-12
    found = best.x.reshape(-1, 5)
    np.testing.assert_allclose(model.coef_, found[:, :-1], atol=1e-5)


def test_a_third_class_of_weight_zero_leaves_the_sigmoid_of_two() -> None:
    """Its row is not there: the other classes have one vector of weights between them."""
    X, y = table(2)
    third = np.append(y, 2)
    rows, weight = np.vstack([X, X[:1]]), np.append(np.ones(len(y)), 0.0)
    soft = LogisticRegression(0.01, tol=1e-9).fit(rows, third, sample_weight=weight)
    sigmoid = LogisticRegression(0.01, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(soft.predict_proba(X)[:, :2], sigmoid.predict_proba(X), atol=1e-6)
    assert (soft.predict_proba(X)[:, 2] == 0).all()


def test_weights_count_rows() -> None:
    X, y = table(3)
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    once = LogisticRegression(0.1, tol=1e-9).fit(X, y, sample_weight=weight)
    often = LogisticRegression(0.1, tol=1e-9).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(once.coef_, often.coef_, atol=1e-6)
    np.testing.assert_allclose(once.log_likelihood_, often.log_likelihood_, rtol=1e-9)


def test_class_weights_are_weights_of_rows() -> None:
    X, y = table(3)
    by_class = LogisticRegression(0.1, tol=1e-9, class_weight={0: 2.0, 2: 0.5}).fit(X, y)
    by_row = LogisticRegression(0.1, tol=1e-9).fit(X, y, sample_weight=np.array([2.0, 1.0, 0.5])[y])
    np.testing.assert_allclose(by_class.coef_, by_row.coef_, atol=1e-7)
    balanced = LogisticRegression(0.1, class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(balanced.class_prior_, 1 / 3)
    with raises("S129", label=7):
        LogisticRegression(class_weight={7: 1.0}).fit(X, y)
    with raises("S130", label=1, value=-1):
        LogisticRegression(class_weight={1: -1}).fit(X, y)


def test_units_and_offsets_do_not_matter() -> None:
    X, y = table(2, n=2000)
    scale, shift = np.array([1e-8, 1.0, 1e8, 1e4]), np.array([0.0, 1e6, 1e12, -5.0])
    plain = LogisticRegression(tol=1e-9).fit(X, y)
    moved = LogisticRegression(tol=1e-9).fit(X * scale + shift, y)
    assert moved.history_[-1][1] <= 1e-9 and moved.diagnostics_ == ()
    np.testing.assert_allclose(moved.coef_ * scale, plain.coef_, rtol=1e-4)
    np.testing.assert_allclose(moved.predict_proba(X * scale + shift), plain.predict_proba(X), atol=1e-5)


def test_raw_tables_converge() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression(1e-6).fit(X, y)
    assert model.history_[-1][1] <= 1e-6 and len(model.history_) < 60


@pytest.mark.parametrize("width", [500, 1200])
def test_wide_tables(width: int) -> None:
    """Above a thousand weights the second derivatives are not held; the answer is the same kind of answer."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, width)), rng.integers(0, 3, 60)
    model = LogisticRegression(0.1, tol=1e-8).fit(X, y)
    assert model.history_[-1][1] <= 1e-8
    residual = model.predict_proba(X) - (np.arange(3) == y[:, None])
    np.testing.assert_allclose(residual.T @ X / 60 + 0.1 * model.coef_, 0.0, atol=1e-7)


@pytest.mark.parametrize("classes", [2, 3])
def test_sparse_rows_are_rows(classes: int) -> None:
    X, y = table(classes)
    X[np.abs(X) < 0.7] = 0.0
    dense, compressed = LogisticRegression(0.01, tol=1e-9), LogisticRegression(0.01, tol=1e-9)
    dense.fit(X, y)
    compressed.fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(compressed.coef_, dense.coef_, atol=1e-6)
    np.testing.assert_allclose(
        compressed.predict_proba(sparse.csc_array(X)), dense.predict_proba(X), atol=1e-6
    )


def test_sparse_bad_values_are_named() -> None:
    X = sparse.csr_array(np.array([[0.0, 1.0], [2.0, np.nan], [0.0, 3.0]]))
    with raises("M035", where="row 1, column 1"):
        LogisticRegression().fit(X, [0, 1, 0])


def test_complete_separation_is_told_and_harmless() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 3)), columns=["dose", "age", "noise"])
    y = np.where(X["dose"] > 0.1, "ill", "well")
    model = LogisticRegression().fit(X, y)
    assert len(model.diagnostics_) == 1
    assert noted(model.diagnostics_, "M350", columns=("dose",))
    assert np.isfinite(model.coef_).all() and (model.predict(X) == y).mean() > 0.97
    with raises("M358", AttributeError):
        _ = model.inference_


def quasi_separated() -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(0)
    level = rng.integers(0, 5, 400)
    X = np.column_stack([rng.normal(size=400), level[:, None] == np.arange(1, 5)])
    y = (X[:, 0] + rng.logistic(size=400) > 0).astype(int)
    y[level == 4] = 1
    return X, y, level


def test_quasi_separation_is_told_and_almost_is_not() -> None:
    X, y, level = quasi_separated()
    model = LogisticRegression().fit(X, y)
    assert noted(model.diagnostics_, "M351", columns=(4,))
    y[np.flatnonzero(level == 4)[0]] = 0  # a single row is enough for finite weights
    model = LogisticRegression().fit(X, y)
    assert model.diagnostics_ == () and np.isfinite(model.inference_.standard_error).all()
    assert 3.0 < model.coef_[0, 4] < 6.0


def test_one_class_of_three_separated() -> None:
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression().fit(X, y)  # setosa lies apart
    assert codes(model.diagnostics_)[0] in ("M350", "M351")
    assert (model.predict(X) != y).sum() <= 3


def test_collinear_and_constant_columns() -> None:
    X, y = table(3)
    twice = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 7.0)])
    model, plain = LogisticRegression(tol=1e-9).fit(twice, y), LogisticRegression(tol=1e-9).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(twice), plain.predict_proba(X), atol=1e-6)
    assert noted(model.diagnostics_, "M300", columns=(5,))
    assert (model.coef_[:, 5] == 0).all()
    with raises("M361", AttributeError):
        _ = model.inference_
    model.fit(twice[:, :5], y)
    with raises("M362", AttributeError):
        _ = model.inference_


def test_constant_columns_alone_give_the_shares() -> None:
    y = np.array([0, 0, 0, 1])
    model = LogisticRegression().fit(np.ones((4, 2)), y)
    np.testing.assert_allclose(model.predict_proba(np.ones((1, 2))), [[0.75, 0.25]], atol=1e-7)


def test_inference_by_hand() -> None:
    X, y = table(2)
    X = X * [1.0, 10.0, 0.1, 1.0] + [0.0, 100.0, 0.0, -3.0]
    model = LogisticRegression(tol=1e-11).fit(X, y)
    Z, p = np.column_stack([X, np.ones(len(X))]), model.predict_proba(X)[:, 1]
    covariance = np.linalg.inv((Z * (p * (1 - p))[:, None]).T @ Z)
    found = model.inference_
    np.testing.assert_allclose(found.standard_error[0], np.sqrt(np.diag(covariance)), rtol=1e-6)
    np.testing.assert_allclose(found.z, found.coef / found.standard_error)
    np.testing.assert_allclose(
        found.interval(0.95)[1] - found.coef, 1.959964 * found.standard_error, rtol=1e-6
    )
    assert found.deviance == pytest.approx(-2 * np.log(np.where(y == 1, p, 1 - p)).sum())
    assert found.null_deviance == pytest.approx(
        -2 * len(y) * (y.mean() * np.log(y.mean()) + (1 - y.mean()) * np.log(1 - y.mean()))
    )
    assert found.aic == pytest.approx(found.deviance + 2 * 5)
    assert found.bic == pytest.approx(found.deviance + 5 * np.log(len(y)))
    assert found.names[-1] == "(intercept)" and found.classes == (1,)
    with raises("M125", confidence=95):
        found.interval(95)


def test_inference_of_three_classes_is_against_the_first() -> None:
    X, y = table(3)
    model = LogisticRegression(tol=1e-11).fit(X, y)
    P, Z = model.predict_proba(X), np.column_stack([X, np.ones(len(X))])
    information = np.zeros((10, 10))
    for k in (1, 2):
        for j in (1, 2):
            r = P[:, k] * ((k == j) - P[:, j])
            information[(k - 1) * 5 : k * 5, (j - 1) * 5 : j * 5] = (Z * r[:, None]).T @ Z
    expected = np.sqrt(np.diag(np.linalg.inv(information))).reshape(2, 5)
    np.testing.assert_allclose(model.inference_.standard_error, expected, rtol=1e-6)
    np.testing.assert_allclose(model.inference_.coef[:, :-1], model.coef_[1:] - model.coef_[0])


@pytest.mark.parametrize(
    ("options", "expected"),
    [({"l2": 0.1}, Expected("M357")), ({"class_weight": {0: 2.0}}, Expected("M359"))],
)
def test_no_inference_says_why(options: dict[str, Any], expected: Expected) -> None:
    X, y = table(2)
    with raises(expected, AttributeError):
        _ = LogisticRegression(**options).fit(X, y).inference_


def test_outliers_move_least_squares_and_not_logistic_regression() -> None:
    """Bishop's figure 4.4: points far on the right side of the boundary pull least squares across."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal([-2.0, 2.0], 0.7, (50, 2)), rng.normal([1.0, -1.0], 0.7, (50, 2))])
    y = np.repeat([0, 1], 50)
    far = np.vstack([X, rng.normal([7.0, -8.0], 0.5, (15, 2))])
    labels = np.append(y, np.ones(15, dtype=int))

    def angle(model: Any) -> float:
        a, b = model.fit(X, y).coef_[0].copy(), model.fit(far, labels).coef_[0]
        return float(np.degrees(np.arccos(a @ b / np.linalg.norm(a) / np.linalg.norm(b))))

    logistic, squares = LogisticRegression(0.01), LeastSquaresClassifier()
    assert angle(logistic) < 3.0
    assert (logistic.predict(X) != y).sum() <= 1 < (squares.fit(far, labels).predict(X) != y).sum()


def test_the_middle_class_is_found() -> None:
    """Bishop's figure 4.5: least squares masks the class in the middle of three in a row."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal([4.0 * k, 4.0 * k], 0.7, (60, 2)) for k in range(3)])
    y = np.repeat([0, 1, 2], 60)
    assert (LeastSquaresClassifier().fit(X, y).predict(X)[y == 1] != 1).mean() > 0.3
    assert (LogisticRegression(1e-3).fit(X, y).predict(X) != y).mean() < 0.02


def test_longley_like_designs() -> None:
    """Columns that follow a trend almost exactly: conditioned like Longley's, and still solved."""
    rng = np.random.default_rng(0)
    trend = np.linspace(0, 1, 200)
    X = np.column_stack([trend * 10**j + rng.normal(0, 1e-4 * 10**j, 200) for j in range(5)]) + 1000.0
    y = (trend + rng.logistic(0, 0.3, 200) > 0.5).astype(int)
    model = LogisticRegression(tol=1e-8).fit(X, y)
    residual = model.predict_proba(X)[:, 1] - y
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    assert np.abs(Z.T @ residual).max() / 200 < 1e-7 and model.diagnostics_ == ()


def test_adult_columns_as_they_are() -> None:
    frame = load_csv("adult").select_dtypes("number").dropna()
    y = load_csv("adult").loc[frame.index, "income"].to_numpy()
    model = LogisticRegression().fit(frame, y)
    assert model.history_[-1][1] <= 1e-6 and model.diagnostics_ == ()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 6), st.sampled_from([0.0, 1e-6, 0.1]))
def test_anything_ends_in_posteriors(seed: int, classes: int, width: int, l2: float) -> None:
    """Few rows of few values: separated, collinear and constant tables come up by themselves."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(classes, 25))
    X = rng.integers(-2, 3, (n, width)).astype(float) * 10.0 ** rng.integers(-3, 4)
    y = np.append(np.arange(classes), rng.integers(0, classes, n - classes))
    model = LogisticRegression(l2).fit(X, y)
    posterior = model.predict_proba(X)
    assert np.isfinite(model.coef_).all() and np.isfinite(model.intercept_).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0)
    assert model.history_[-1][1] <= 1e-6 or model.diagnostics_


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"l2": -1.0}, Expected("M023", name="l2", value=-1.0)),
        ({"l2": np.nan}, Expected("M023", name="l2")),
        ({"tol": 0.0}, Expected("M023", name="tol", value=0.0)),
        ({"class_weight": "even"}, Expected("M023", name="class_weight", value="even")),
    ],
)
def test_bad_parameters(options: dict[str, Any], expected: Expected) -> None:
    with raises(expected):
        LogisticRegression(**options).fit(*table(2))


def test_one_class_that_counts() -> None:
    with raises("M034", label="a"):
        LogisticRegression().fit([[1.0], [2.0]], ["a", "b"], sample_weight=[1.0, 0.0])


def test_criteria_count_k_minus_1_weights() -> None:
    X, y = table(3)
    model = LogisticRegression().fit(X, y)
    assert (
        aic(model) == pytest.approx(2 * 10 - 2 * model.log_likelihood_) == pytest.approx(model.inference_.aic)
    )
    assert bic(model) == pytest.approx(model.inference_.bic)
    with pytest.raises(ValueError, match="not fitted"):
        aic(LogisticRegression())


@pytest.mark.parametrize("options", [{"l2": 1e-3}, {"l2": 1e-2, "l1": 1e-2}, {}])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_optimum_does_not_depend_on_the_start(options: dict[str, Any], classes: int) -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[y >= 3 - classes], y[y >= 3 - classes]
    expected = LogisticRegression(**options).fit(X, y)
    rng = np.random.default_rng(classes)
    for size in (0.01, 1.0, 100.0, 1e200):
        start = size * rng.normal(size=(len(expected.coef_), 5))
        found = LogisticRegression(**options, start=start).fit(X, y)
        np.testing.assert_allclose(found.predict_proba(X), expected.predict_proba(X), atol=1e-4)
        assert found.diagnostics_ == expected.diagnostics_


@pytest.mark.parametrize("width", [3, 1100])
@pytest.mark.parametrize("l1", [0.0, 0.01])
def test_the_steps_begin_at_the_start(width: int, l1: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, width)) * 3.0 + 7.0
    y = (X[:, 0] + rng.normal(size=80) > 7.0).astype(int)
    settled = LogisticRegression(0.05, l1=l1).fit(X, y)
    start = np.column_stack([settled.coef_, settled.intercept_])
    again = LogisticRegression(0.05, l1=l1, start=start).fit(X, y)
    np.testing.assert_allclose(again.coef_, settled.coef_, atol=1e-5)
    if l1 == 0.0:
        assert len(again.history_) <= 2 < len(settled.history_)
        assert again.history_[0, 0] == pytest.approx(settled.history_[-1, 0], rel=1e-6)
