"""LinearSVM: optima of other solvers, margins and support vectors, weights, classes, input it refuses."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.svm import SVC, LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.models.svm.linear import LinearSVM
from tests.noted import noted
from tests.raised import Expected, raises

DRAWN = {
    f"check_sample_weight_equivalence_on_{kind}_data": "rows are drawn: their order and number matter"
    for kind in ("dense", "sparse")
}


def failures(estimator: Any) -> dict[str, str]:
    return DRAWN if estimator.solver == "sgd" else {}


@parametrize_with_checks(
    [LinearSVM(), LinearSVM(0.01, surrogate="squared_hinge"), LinearSVM(solver="sgd")],
    expected_failed_checks=failures,
)
def test_scikit_learn_contract(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def table(
    n: int = 200, width: int = 3, seed: int = 0, noise: float = 1.0, classes: int = 2
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width))
    scores = 2 * X @ rng.normal(size=(width, classes)) + noise * rng.gumbel(size=(n, classes))
    y = scores.argmax(axis=1)
    y[:classes] = np.arange(classes)
    return X, y


def objective(
    X: np.ndarray, y: np.ndarray, coef: np.ndarray, intercept: float, l2: float, loss: str = "hinge"
) -> float:
    lost = np.maximum(0.0, 1.0 - (2.0 * y - 1.0) * (X @ coef + intercept))
    return float((lost if loss == "hinge" else lost**2).mean() + l2 / 2 * coef @ coef)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_linear_svc_finds_nothing_better(loss: str, C: float) -> None:
    """It penalises the intercept as well: its solution is one of ours, and never a better one."""
    X, y = table(300)
    X -= X.mean(axis=0)
    ours = LinearSVM(1 / (C * 300), surrogate=loss, tol=1e-9).fit(X, y)
    theirs = LinearSVC(C=C, loss=loss, dual=True, tol=1e-8, max_iter=200_000, random_state=0).fit(X, y)
    best = objective(X, y, ours.coef_[0], ours.intercept_[0], ours.l2, loss)
    other = objective(X, y, theirs.coef_[0], theirs.intercept_[0], ours.l2, loss)
    assert best <= other * (1 + 1e-9) and other <= best * 1.01
    assert ours.history_[-1][0] == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_like_with_like_it_is_linear_svc(loss: str) -> None:
    """Classes that mirror each other: the free intercept is 0, as that of a model without one."""
    X, y = table(100, seed=3)
    X, y = np.vstack([X, -X]), np.concatenate([y, 1 - y])
    ours = LinearSVM(0.01, surrogate=loss, tol=1e-9).fit(X, y)
    theirs = LinearSVC(
        C=ours.C_, loss=loss, dual=True, fit_intercept=False, tol=1e-9, max_iter=200_000, random_state=0
    ).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-4)
    assert ours.intercept_[0] == pytest.approx(0.0, abs=2e-3)


@pytest.mark.parametrize("C", [0.01, 1.0, 50.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_is_the_kernel_machine_with_a_linear_kernel(C: float, weighted: bool) -> None:
    """libsvm leaves the intercept free, as we do."""
    X, y = table(150)
    weight = np.random.default_rng(0).uniform(0.2, 2.0, 150) if weighted else np.ones(150)
    weight = weight / weight.mean()  # what our machine makes of importance weights
    theirs = SVC(kernel="linear", C=C, tol=1e-8).fit(X, y, sample_weight=weight)
    ours = LinearSVM(1 / (C * weight.sum()), tol=1e-10).fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-4)
    assert ours.C_ == pytest.approx(C)
    assert ours.support_.tolist() == sorted(theirs.support_.tolist())


def test_separated_classes_have_the_widest_margin() -> None:
    """Two rows on either side of a gap of 2: the boundary half way, the margin 1."""
    X = np.array([[-1.0, 0.0], [-1.0, 2.0], [-3.0, 1.0], [1.0, 0.0], [1.0, 2.0], [4.0, 5.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    for l2 in (1e-2, 1e-4, 1e-6):
        model = LinearSVM(l2, tol=1e-9).fit(X, y)
        assert model.margin_[0] == pytest.approx(1.0, abs=1e-5)
        np.testing.assert_allclose(model.coef_[0], [1.0, 0.0], atol=1e-5)
        assert model.support_.tolist() == [0, 1, 3, 4]
    iris = load_iris()
    X, y = iris.data[:100], iris.target[:100]
    hard = SVC(kernel="linear", C=1e8, tol=1e-10).fit(X, y)
    assert LinearSVM(1e-7).fit(X, y).margin_[0] == pytest.approx(1 / np.linalg.norm(hard.coef_), rel=1e-4)


def test_the_constant_of_other_packages() -> None:
    X, y = table(80)
    weight = np.arange(80.0)
    assert LinearSVM(0.02).fit(X, y).C_ == pytest.approx(1 / (0.02 * 80))
    assert LinearSVM(0.02).fit(X, y, sample_weight=weight).C_ == pytest.approx(1 / (0.02 * weight.sum()))


def test_the_first_loss_has_a_trivial_minimum_and_says_so() -> None:
    X, y = table()
    model = LinearSVM(surrogate="perceptron").fit(X, y)
    assert not model.coef_.any() and not model.intercept_.any() and model.margin_.tolist() == [np.inf]
    assert model.history_.tolist() == [[0.0, 0.0]] and model.gap_ == 0.0
    assert noted(model.diagnostics_, "M319")
    assert LinearSVM(surrogate="perceptron", solver="sgd").fit(X, y).score(X, y) > 0.75


@pytest.mark.parametrize("classes", [3, 4])
def test_every_class_against_the_rest(classes: int) -> None:
    X, y = table(240, classes=classes)
    model = LinearSVM(0.01, tol=1e-9).fit(X, y)
    scores = model.decision_function(X)
    for k in range(classes):
        alone = LinearSVM(0.01, tol=1e-9).fit(X, (y == k).astype(int))
        np.testing.assert_allclose(scores[:, k], alone.decision_function(X), atol=1e-5)
        assert set(alone.support_) <= set(model.support_)
    assert (model.predict(X) == scores.argmax(axis=1)).all()
    assert model.margin_.shape == (classes,) and not hasattr(model, "predict_proba")
    np.testing.assert_allclose(model.margin_, 1 / np.linalg.norm(model.coef_, axis=1))


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_weights_count_rows(loss: str) -> None:
    X, y = table(90)
    times = np.random.default_rng(0).integers(0, 4, 90)
    times[:6] = 1
    weighted = LinearSVM(0.01, surrogate=loss, tol=1e-10).fit(X, y, sample_weight=times)
    repeated = LinearSVM(0.01, surrogate=loss, tol=1e-10).fit(
        np.repeat(X, times, axis=0), np.repeat(y, times)
    )
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-6)
    assert (times[weighted.support_] > 0).all()
    by_class = LinearSVM(0.01, surrogate=loss, class_weight={1: 3.0}, tol=1e-10).fit(X, y)
    by_row = LinearSVM(0.01, surrogate=loss, tol=1e-10).fit(X, y, sample_weight=1.0 + 2.0 * y)
    np.testing.assert_allclose(by_class.coef_, by_row.coef_, atol=1e-6)


def test_units_of_columns_do_not_cost_accuracy() -> None:
    X, y = table(400, width=4)
    units = np.array([1e-3, 1.0, 1e3, 1e5])
    moved = X * units + np.array([5.0, -1e3, 1e6, 0.0])
    model = LinearSVM(1e-3, tol=1e-8).fit(moved, y)
    assert model.gap_ <= 1e-8
    f = model.decision_function(moved)
    lost = np.maximum(0.0, 1.0 - (2.0 * y - 1.0) * f).mean()
    assert model.history_[-1][0] == pytest.approx(lost + 5e-4 * (model.coef_**2).sum(), rel=1e-9)


def test_wide_tables() -> None:
    X, y = table(40, width=200)
    for loss in ("hinge", "squared_hinge"):
        model = LinearSVM(1e-3, surrogate=loss).fit(X, y)
        assert model.gap_ <= 1e-6 and model.score(X, y) == 1.0


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_separated_classes_and_hardly_any_penalty(loss: str) -> None:
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], (y[:600] == 0).astype(int)
    model = LinearSVM(1e-8, surrogate=loss).fit(X, y)
    assert model.gap_ <= 1e-6 and model.score(X, y) == 1.0
    assert len(model.history_) < 250


def test_breast_cancer() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = LinearSVM(1e-4).fit((X - X.mean(axis=0)) / X.std(axis=0), y)
    assert model.gap_ <= 1e-6 and (model.diagnostics_ == ())
    assert model.score((X - X.mean(axis=0)) / X.std(axis=0), y) > 0.98


def test_labels_frames_precision_order_and_pickles() -> None:
    X, y = table()
    names = np.array(["no", "yes"])[y]
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(five=5.0)
    model = LinearSVM(0.01).fit(frame, names)
    assert set(model.predict(frame)) <= {"no", "yes"} and model.coef_[0, 3] == 0.0
    assert noted(model.diagnostics_, "M300", columns=("five",))
    plain = LinearSVM(0.01).fit(X, y)
    assert np.array_equal(LinearSVM(0.01).fit(np.asfortranarray(X), y).coef_, plain.coef_)
    single = LinearSVM(0.01).fit(X.astype(np.float32), y)
    np.testing.assert_allclose(single.coef_, plain.coef_, atol=1e-2)
    again = pickle.loads(pickle.dumps(plain))
    assert np.array_equal(again.decision_function(X), plain.decision_function(X))


def test_geometry() -> None:
    X, y = table()
    model = LinearSVM(0.01).fit(X, y)
    on_margin = np.abs(np.abs(model.decision_function(X)) - 1.0) < 1e-3
    distance = np.abs(model.signed_distance(X))
    np.testing.assert_allclose(distance[on_margin], model.margin_[0], rtol=1e-2)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"l2": 0.0},
            Expected(
                "M023", owner="LinearSVM", name="l2", value=0.0, expectation="a number of at least 1e-12"
            ),
        ),
        ({"l2": -1.0}, Expected("M023", value=-1.0, expectation="a number of at least 1e-12")),
        (
            {"surrogate": "logistic"},
            Expected("M023", expectation="one of 'hinge', 'squared_hinge', 'perceptron'"),
        ),
        ({"solver": "dual"}, Expected("M023", expectation="one of 'exact', 'sgd'")),
        ({"epochs": 0}, Expected("M023", expectation="a whole number of at least 1")),
        ({"tol": 0.0}, Expected("M023", expectation="a number of at least 1e-10")),
        ({"m": 0.0}, Expected("M023", expectation="a number of at least 1e-12")),
        ({"solver": "sgd", "n": 0.0, "first_epoch": 0}, Expected("M197")),
        ({"random_state": -1}, Expected("M023", name="random_state", value=-1)),
        ({"class_weight": {7: 1.0}}, Expected("S129", label=7)),
    ],
)
def test_bad_parameters_are_refused(options: dict[str, Any], expected: Expected) -> None:
    X, y = table(30)
    with raises(expected):
        LinearSVM(**options).fit(X, y)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.nan, Expected("N028", where="row 3, column 1")),
        (np.inf, Expected("N026", where="row 3, column 1")),
        (1e300, Expected("N700")),
    ],
)
def test_bad_values_are_named(value: float, expected: Expected) -> None:
    X, y = table(30)
    X[3, 1] = value
    for solver in ("exact", "sgd"):
        with raises(expected):
            LinearSVM(solver=solver).fit(X, y)


def test_one_class_is_refused() -> None:
    X, _ = table(30)
    with raises("M033"):
        LinearSVM().fit(X, np.zeros(30))
