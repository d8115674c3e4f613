"""The single-layer network: known functions, least squares as its limit, cuts, posteriors, progress."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression

from assay.models.linear.least_squares import LeastSquaresClassifier
from assay.models.network.single_layer import SingleLayerNetwork
from tests.contract.registry import blobs
from tests.noted import codes

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
AND, OR, XOR = [0, 0, 0, 1], [0, 1, 1, 1], [0, 1, 1, 0]
KINDS = [
    ("linear", None, "01"),
    ("linear", None, "pm1"),
    ("step", None, "01"),
    ("step", None, "pm1"),
    ("sigmoid", "cross_entropy", "01"),
    ("sigmoid", "squared_error", "01"),
    ("softmax", "cross_entropy", "01"),
    ("softmax", "squared_error", "01"),
]


def tight(**settings: object) -> SingleLayerNetwork:
    return SingleLayerNetwork("linear", epochs=200_000, tol=1e-10, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("solver", ["batch", "stochastic"])
@pytest.mark.parametrize("y", [AND, OR], ids=["and", "or"])
@pytest.mark.parametrize(("output", "surrogate", "targets"), KINDS)
def test_and_or_are_learned(
    output: str, surrogate: str | None, targets: str, y: list[int], solver: str
) -> None:
    model = SingleLayerNetwork(output, surrogate=surrogate, targets=targets, solver=solver, tol=1e-3)
    assert model.fit(CORNERS, y).predict(CORNERS).tolist() == y
    if output == "step":
        assert model.diagnostics_ == () and model.history_[-1] == 0.0


@pytest.mark.parametrize("solver", ["batch", "stochastic"])
def test_xor_is_not_learned_and_it_is_said(solver: str) -> None:
    model = SingleLayerNetwork("step", solver=solver, epochs=50).fit(CORNERS, XOR)
    assert (model.predict(CORNERS) != XOR).any() and model.n_iter_ == 50
    assert "still wrong after 50 epochs" in model.diagnostics_[0]


@pytest.mark.parametrize("targets", ["01", "pm1"])
@pytest.mark.parametrize("l2", [0.0, 0.05])
@pytest.mark.parametrize("classes", [2, 3])
def test_linear_units_reach_least_squares(classes: int, l2: float, targets: str) -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[y < classes], y[y < classes]
    model, twin = tight(l2=l2, targets=targets).fit(X, y), LeastSquaresClassifier(l2=l2).fit(X, y)
    # Three ±1 targets are twice the indicators, less one.
    factor, shift = (2.0, 1.0) if classes == 3 and targets == "pm1" else (1.0, 0.0)
    np.testing.assert_allclose(model.coef_, factor * twin.coef_, atol=1e-6)
    np.testing.assert_allclose(model.intercept_, factor * twin.intercept_ - shift, atol=1e-6)
    assert model.diagnostics_ == () and (model.predict(X) == twin.predict(X)).all()


def test_linear_units_reach_weighted_least_squares_in_any_unit() -> None:
    X, y = blobs()
    weight = np.random.default_rng(0).uniform(0.2, 3.0, len(X))
    X = X * np.array([1e5, 1.0, 1e-5, 1.0]) + np.array([1e6, 0.0, 0.0, 1e3])
    model, twin = tight().fit(X, y, weight), LeastSquaresClassifier().fit(X, y, weight)
    np.testing.assert_allclose(model.coef_, twin.coef_, rtol=1e-5)


@pytest.mark.parametrize("targets", ["01", "pm1"])
def test_w0_is_the_mean_target_less_the_mean_inputs(targets: str) -> None:
    X, y = load_iris(return_X_y=True)
    for classes, low in ((2, 0 if targets == "01" else -1), (3, 0 if targets == "01" else -1)):
        rows = y < classes
        model = SingleLayerNetwork("linear", targets=targets).fit(X[rows], y[rows])
        named = np.array([1]) if classes == 2 else np.arange(3)
        t = np.where(y[rows, None] == named, 1.0, low)
        expected = t.mean(axis=0) - model.weights_ @ X[rows].mean(axis=0)
        np.testing.assert_allclose(model.bias_, expected, atol=1e-10)


@pytest.mark.parametrize(("targets", "cut"), [("01", 0.5), ("pm1", 0.0)])
@pytest.mark.parametrize("output", ["linear", "step"])
def test_cuts_of_a_single_unit(output: str, targets: str, cut: float) -> None:
    X, y = load_iris(return_X_y=True)
    X, y = X[50:], y[50:]
    model = SingleLayerNetwork(output, targets=targets, epochs=50).fit(X, y)
    y_n = model.outputs(X)
    assert y_n.shape == (100, 1)
    assert (model.predict(X) == np.where(y_n[:, 0] > cut, 2, 1)).all()
    assert ((model.decision_function(X) > 0) == (y_n[:, 0] > cut)).all()
    if output == "step":
        assert set(y_n.ravel().tolist()) <= {1.0, 0.0 if targets == "01" else -1.0}


@pytest.mark.parametrize(("output", "surrogate", "targets"), KINDS)
def test_coefficients_are_in_the_units_of_the_columns(
    output: str, surrogate: str | None, targets: str
) -> None:
    X, y = load_iris(return_X_y=True)
    for rows in (y < 2, y < 3):
        model = SingleLayerNetwork(output, surrogate=surrogate, targets=targets, epochs=30).fit(
            X[rows], y[rows]
        )
        f = X[rows] @ model.coef_.T + model.intercept_
        f = f[:, 0] if f.shape[1] == 1 else f
        np.testing.assert_allclose(model.decision_function(X[rows]), f, atol=1e-9)
        a = X[rows] @ model.weights_.T + model.bias_
        g = {
            "linear": lambda v: v,
            "step": lambda v: np.where(v > 0, 1.0, 0.0 if targets == "01" else -1.0),
            "sigmoid": lambda v: 1 / (1 + np.exp(-v)),
            "softmax": lambda v: np.exp(v) / np.exp(v).sum(axis=1, keepdims=True),
        }[output]
        np.testing.assert_allclose(model.outputs(X[rows]), g(a), atol=1e-9)


def test_posteriors_of_sigmoids_and_softmax() -> None:
    X, y = load_iris(return_X_y=True)
    two = SingleLayerNetwork("sigmoid", epochs=50).fit(X[50:], y[50:])
    np.testing.assert_allclose(two.predict_proba(X[50:])[:, 1], two.outputs(X[50:])[:, 0], rtol=1e-12)
    many = SingleLayerNetwork("sigmoid", epochs=50).fit(X, y)
    raw = many.outputs(X)
    assert np.abs(raw.sum(axis=1) - 1).max() > 0.1
    np.testing.assert_allclose(many.predict_proba(X), raw / raw.sum(axis=1, keepdims=True), rtol=1e-9)
    soft = SingleLayerNetwork(epochs=50).fit(X, y)
    np.testing.assert_allclose(soft.predict_proba(X), soft.outputs(X), rtol=1e-9)
    assert soft.decide(X[:2]).actions is not None
    for margin in (SingleLayerNetwork("linear"), SingleLayerNetwork("step")):
        assert not hasattr(margin, "predict_proba") and not hasattr(margin, "decide")


@pytest.mark.parametrize("l2", [0.01, 0.1])
def test_cross_entropy_of_softmax_is_logistic_regression(l2: float) -> None:
    X, y = load_wine(return_X_y=True)
    X = X / X.std(axis=0)
    model = SingleLayerNetwork(l2=l2, epochs=50_000, tol=1e-9).fit(X, y)
    twin = LogisticRegression(C=1 / (l2 * len(y)), tol=1e-10, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), twin.predict_proba(X), atol=1e-5)


def test_progress_is_told() -> None:
    X, y = load_iris(return_X_y=True)
    model = SingleLayerNetwork(epochs=3).fit(X, y)
    assert model.n_iter_ == 3 and len(model.history_) == 4
    assert "Not converged after 3 epochs" in model.diagnostics_[0]
    assert SingleLayerNetwork("linear").fit(X, y).diagnostics_ == ()


def test_stochastic_descent_follows_its_seed() -> None:
    X, y = load_iris(return_X_y=True)
    fits = [
        SingleLayerNetwork(solver="stochastic", epochs=4, random_state=seed).fit(X, y).coef_
        for seed in (1, 1, 2)
    ]
    assert (fits[0] == fits[1]).all() and not (fits[0] == fits[2]).all()


def test_memory_and_threads_do_not_change_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = blobs(rows=300)
    found = []
    for threads, memory in (("1", "1G"), ("2", "1G"), ("8", "1K")):
        monkeypatch.setenv("ASSAY_THREADS", threads)
        monkeypatch.setenv("ASSAY_MEMORY", memory)
        found.append(
            [SingleLayerNetwork(solver=s, epochs=5).fit(X, y).coef_ for s in ("batch", "stochastic")]
        )
    for other in found[1:]:
        assert all((a == b).all() for a, b in zip(found[0], other, strict=True))


def test_nothing_to_learn_from_is_converged() -> None:
    model = SingleLayerNetwork("linear").fit(np.ones((6, 2)), [0, 1, 1, 0, 1, 1])
    assert model.predict(np.ones((1, 2))).tolist() == [1]
    assert codes(model.diagnostics_) == ["M300"]


def test_geometry() -> None:
    X, y = load_iris(return_X_y=True)
    model = SingleLayerNetwork("linear").fit(X[:100], y[:100])
    assert ((model.signed_distance(X[:100]) > 0) == (model.predict(X[:100]) == 1)).all()


@pytest.mark.parametrize(("output", "surrogate", "targets"), KINDS)
def test_what_is_kept_is_the_whole_model(output: str, surrogate: str | None, targets: str) -> None:
    X, y = blobs()
    for rows in (y < 2, y < 3):
        model = SingleLayerNetwork(output, surrogate=surrogate, targets=targets, epochs=9).fit(
            X[rows], y[rows]
        )
        twin = SingleLayerNetwork(output, surrogate=surrogate, targets=targets)
        for name in ("n_features_in_", "classes_", "class_prior_", "center_", "weights_", "_at_center"):
            setattr(twin, name, getattr(model, name))
        twin._derive()
        assert (twin.decision_function(X) == model.decision_function(X)).all()
        assert (twin.coef_ == model.coef_).all() and (twin.outputs(X) == model.outputs(X)).all()


def test_an_absolute_error_that_has_not_settled_is_said() -> None:
    X, y = load_iris(return_X_y=True)
    model = SingleLayerNetwork("linear", surrogate="absolute_error", epochs=5).fit(X, y)
    assert codes(model.diagnostics_) == ["M722"] and model.n_iter_ == 5


@pytest.mark.parametrize("solver", ["batch", "stochastic"])
@pytest.mark.parametrize("output", ["linear", "sigmoid", "softmax"])
def test_an_outlier_pulls_the_absolute_error_less(output: str, solver: str) -> None:
    """Classes apart at 0, and one row of the first far on the wrong side."""
    rng = np.random.default_rng(0)
    X = np.append(rng.normal(size=80) + np.repeat([-2.0, 2.0], 40), 60.0)[:, None]
    y = np.append(np.repeat([0, 1], 40), 0)
    errors = {
        surrogate: (
            SingleLayerNetwork(output, surrogate=surrogate, solver=solver).fit(X, y).predict(X) != y
        ).sum()
        for surrogate in ("squared_error", "absolute_error")
    }
    assert errors["absolute_error"] <= min(6, errors["squared_error"])
