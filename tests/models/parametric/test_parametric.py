"""A user's own model: logistic regression rebuilt by hand, errors, gradients, and functions that misbehave."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay import KFold, Standardize, evaluate
from assay.models.base.validation import check_training
from assay.models.linear.logistic import LogisticRegression
from assay.models.parametric.parametric import ParametricClassifier
from assay.solvers.quasi_newton import differences
from tests.models.parametric.softmax import Array, Softmax, Start, softmax, softmax_start
from tests.raised import Expected, raises


def sigmoid(X: Array, theta: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-(X @ theta[:-1] + theta[-1])))


def sigmoid_slope(X: Array, theta: Array) -> Array:
    p = sigmoid(X, theta)
    return (p * (1.0 - p))[:, None] * np.column_stack([X, np.ones(len(X))])


def linear(X: Array, theta: Array) -> Array:
    return X @ theta[:-1] + theta[-1]


def two() -> tuple[Array, Array]:
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, [0, 1, 4]]
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@parametrize_with_checks([ParametricClassifier(Softmax(), Start(), l2=0.001)])
def test_scikit_learn_contract(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


@pytest.mark.parametrize("gradient", [None, sigmoid_slope])
@pytest.mark.parametrize("weighted", [False, True])
def test_logistic_regression_by_hand(gradient: Any, weighted: bool) -> None:
    X, y = two()
    weight = np.random.default_rng(0).uniform(0.0, 2.0, len(y)).round(1) if weighted else None
    ours = ParametricClassifier(sigmoid, np.zeros(4), gradient=gradient).fit(X, y, weight)
    theirs = LogisticRegression().fit(X, y, weight)
    assert ours.converged_ and ours.diagnostics_ == ()
    np.testing.assert_allclose(ours.theta_, np.append(theirs.coef_, theirs.intercept_), rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-5)


def test_softmax_regression_by_hand() -> None:
    X, y = load_iris(return_X_y=True)
    X, labels = (X - X.mean(axis=0)) / X.std(axis=0), np.array(["s", "c", "v"])[y]
    every = ParametricClassifier(softmax, softmax_start, tol=1e-5).fit(X[50:], labels[50:])
    theirs = LogisticRegression().fit(X[50:], labels[50:])
    np.testing.assert_allclose(every.predict_proba(X[50:]), theirs.predict_proba(X[50:]), atol=1e-4)
    assert every.classes_.tolist() == ["c", "v"]
    three = ParametricClassifier(softmax, softmax_start, l2=0.01).fit(X, labels)
    assert three.predict_proba(X).shape == (150, 3) and three.score(X, labels) > 0.95


def test_squared_error_of_scores_is_least_squares() -> None:
    X, y = two()
    model = ParametricClassifier(linear, np.zeros(4), error="squared_error", output="score").fit(X, y)
    best = np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), 2.0 * y - 1.0, rcond=None)[0]
    np.testing.assert_allclose(model.theta_, best, atol=1e-5)
    np.testing.assert_allclose(model.decision_function(X), linear(X, best), atol=1e-4)
    assert not hasattr(model, "predict_proba") and not hasattr(model, "decide")
    assert (model.predict(X) == (linear(X, model.theta_) > 0)).all()


def test_an_error_of_ones_own() -> None:
    X, y = two()

    def absolute(output: Array, target: Array, weight: Array) -> tuple[float, Array]:
        away = output - target
        return float((weight * np.sqrt(away**2 + 1e-4)).sum()), weight * away / np.sqrt(away**2 + 1e-4)

    given = ParametricClassifier(sigmoid, np.zeros(4), error=absolute, gradient=sigmoid_slope, l2=0.01).fit(
        X, y
    )
    plain = ParametricClassifier(sigmoid, np.zeros(4), error=lambda *a: absolute(*a)[0], l2=0.01).fit(X, y)
    np.testing.assert_allclose(given.theta_, plain.theta_, atol=1e-4)


@pytest.mark.parametrize("error", ["log_loss", "squared_error"])
@pytest.mark.parametrize("flat", [True, False])
def test_slopes_are_the_differences(error: str, flat: bool) -> None:
    X, y = two()

    def both(X: Array, theta: Array) -> Array:
        p = sigmoid(X, theta)
        return p if flat else np.column_stack([1.0 - p, p])

    def slope(X: Array, theta: Array) -> Array:
        each = sigmoid_slope(X, theta)
        return each if flat else np.stack([-each, each], axis=1)

    model = ParametricClassifier(both, np.zeros(4), error=error, gradient=slope, l2=0.1).fit(X, y)
    problem = model._objective(check_training(model, X, y))
    theta = np.array([0.3, -0.2, 0.5, 0.1])
    analytic = problem.slope()
    assert analytic is not None
    np.testing.assert_allclose(analytic(theta), differences(problem.value, theta), atol=1e-8)


def test_wherever_a_classifier_is() -> None:
    X, y = two()
    pipe = make_pipeline(Standardize(), ParametricClassifier(softmax, softmax_start, l2=0.001))
    found = evaluate(pipe, X, y, KFold(3))
    assert found.error < 0.1
    model = pipe.fit(X, y)[-1]
    assert model.decide(Standardize().fit_transform(X), loss=[[0, 5], [1, 0]]).labels.shape == (len(y),)


def test_not_converged_is_told() -> None:
    X, y = two()
    (sentence,) = ParametricClassifier(sigmoid, np.zeros(4), max_iter=1).fit(X, y).diagnostics_
    assert "stopped after 1 steps" in sentence and "raise max_iter" in sentence


def test_many_parameters_need_little_memory() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 250)), rng.integers(0, 2, 60)
    model = ParametricClassifier(sigmoid, np.zeros(251), gradient=sigmoid_slope, l2=0.1).fit(X, y)
    theirs = LogisticRegression(l2=0.1).fit(X, y)
    assert model.converged_
    # The intercept is penalised here and free there.
    assert np.corrcoef(model.theta_[:-1], theirs.coef_[0])[0, 1] > 0.99


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({"function": None}, Expected("M023", name="function")),
        ({"function": lambda X, theta: np.ones(3)}, Expected("M169", shape=(3,), n_rows=569, n_classes=2)),
        (
            {"function": lambda X, theta: np.ones((len(X), 3)) / 3},
            Expected("M169", n_rows=569, n_classes=2, wanted="(569, 2) or (569,)"),
        ),
        ({"function": lambda X, theta: np.full(len(X), np.nan)}, Expected("M170", row=0)),
        ({"function": lambda X, theta: np.full(len(X), 2.0)}, Expected("M171", output=2.0, row=0)),
        ({"function": lambda X, theta: np.full((len(X), 2), 0.7)}, Expected("M177", sum=1.4)),
        ({"start": [np.inf]}, Expected("M173")),
        ({"start": None}, Expected("M173")),
        ({"start": ["a"]}, Expected("M173", given=["a"])),
        (
            {"error": "hinge"},
            Expected("M023", expectation="one of 'log_loss', 'squared_error' or a function"),
        ),
        ({"error": lambda *a: np.ones(2)}, Expected("M167")),
        ({"error": lambda *a: np.nan}, Expected("M174")),
        ({"error": lambda *a: 1.0, "gradient": sigmoid_slope}, Expected("M178")),
        ({"error": lambda o, t, w: (1.0, np.ones(2))}, Expected("M168")),
        ({"gradient": lambda X, theta: np.ones(4)}, Expected("M175", shape=(4,), wanted=(569, 4))),
        ({"gradient": lambda X, theta: np.full((len(X), 4), np.nan)}, Expected("M176")),
        ({"output": "score"}, Expected("M172")),
        ({"l2": -1.0}, Expected("M023", name="l2", value=-1.0)),
    ],
)
def test_bad_settings(setting: dict[str, Any], expected: Expected) -> None:
    X, y = two()
    with raises(expected) as caught:
        ParametricClassifier(**{"function": sigmoid, "start": np.zeros(4)} | setting).fit(X, y)
    assert "\n" not in str(caught.value)


def test_bad_rows() -> None:
    X, y = two()
    model = ParametricClassifier(sigmoid, np.zeros(4)).fit(X, y)
    X[4, 1] = np.nan
    for call in (model.predict, model.predict_proba, lambda X: model.fit(X, y)):
        with raises("N028", where="row 4, column 1"):
            call(X)
