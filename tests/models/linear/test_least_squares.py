"""The least-squares classifier: known answers, twins by lstsq, closed-form leave-one-out, singular tables."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import RidgeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay.models.base.validation import check_training
from assay.models.linear.least_squares import LeastSquaresClassifier
from assay.statistics import collect, stack
from tests.noted import noted
from tests.raised import Expected, raises
from tests.realdata import load_csv


@parametrize_with_checks([LeastSquaresClassifier(), LeastSquaresClassifier(l2=0.5)])
def test_scikit_learn_contract(estimator: object, check: object) -> None:
    check(estimator)  # type: ignore[operator]


def loo(model: LeastSquaresClassifier, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    scores = model.loo_moments(model.statistics_, check_training(model, X, y))
    assert scores is not None
    return scores


def table(seed: int, n: int = 40, width: int = 3, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = np.concatenate([np.repeat(np.arange(classes), 3), rng.integers(0, classes, n - 3 * classes)])
    return rng.normal(size=(n, width)) + rng.normal(size=(classes, width))[y], y


def twin(
    X: np.ndarray, y: np.ndarray, l2: float, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Weights (K, D) and intercepts (K,) by lstsq on the rows."""
    w = np.ones(len(y)) if weight is None else weight
    targets = np.eye(int(y.max()) + 1)[y]
    mean, share = np.average(X, axis=0, weights=w), np.average(targets, axis=0, weights=w)
    root = np.sqrt(w / w.sum())[:, None]
    left = np.vstack([root * (X - mean), np.sqrt(l2) * np.eye(X.shape[1])])
    right = np.vstack([root * (targets - share), np.zeros((X.shape[1], targets.shape[1]))])
    coef = np.linalg.lstsq(left, right, rcond=None)[0].T
    return coef, share - coef @ mean


@pytest.mark.parametrize(
    ("load", "resubstitution", "left_out"),
    [(load_iris, 23, 26), (load_wine, 0, 2), (load_breast_cancer, 20, 24)],
)
def test_known_errors(load: object, resubstitution: int, left_out: int) -> None:
    X, y = load(return_X_y=True)  # type: ignore[operator]
    model = LeastSquaresClassifier().fit(X, y)
    assert (model.predict(X) != y).sum() == resubstitution
    assert (loo(model, X, y).argmax(axis=1) != y).sum() == left_out


def test_vowel() -> None:
    frame = load_csv("vowel_esl")
    train, test = (frame[frame.split == part] for part in ("train", "test"))
    columns = [f"x.{j}" for j in range(1, 11)]
    model = LeastSquaresClassifier().fit(train[columns], train.y)
    assert (model.predict(train[columns]) != train.y).sum() == 252
    assert (model.predict(test[columns]) != test.y).sum() == 308


@given(seed=st.integers(0, 200), l2=st.sampled_from([0.0, 0.01, 3.0]), width=st.integers(1, 5))
@settings(max_examples=40)
def test_equals_least_squares_on_the_rows(seed: int, l2: float, width: int) -> None:
    X, y = table(seed, width=width)
    weight = np.random.default_rng(seed).uniform(0.1, 3.0, len(y))
    for w in (None, weight):
        model = LeastSquaresClassifier(l2=l2).fit(X, y, sample_weight=w)
        coef, intercept = twin(X, y, l2, w)
        np.testing.assert_allclose(model.coef_, coef, rtol=1e-8, atol=1e-10)
        np.testing.assert_allclose(model.decision_function(X), X @ coef.T + intercept, rtol=1e-8, atol=1e-10)


def test_two_classes_are_one_difference() -> None:
    X, y = table(3, classes=2)
    model = LeastSquaresClassifier(l2=0.1).fit(X, np.array(["no", "yes"])[y])
    coef, intercept = twin(X, y, 0.1)
    np.testing.assert_allclose(model.coef_, coef[1:] - coef[:1])
    np.testing.assert_allclose(
        model.decision_function(X), X @ (coef[1] - coef[0]) + intercept[1] - intercept[0]
    )
    assert not hasattr(model, "predict_proba")


def test_same_penalty_as_scikit_learn_times_rows() -> None:
    X, y = load_iris(return_X_y=True)
    ours = LeastSquaresClassifier(l2=0.3).fit(X, y)
    theirs = RidgeClassifier(alpha=0.3 * len(y)).fit(X, y)  # targets -1 and 1 instead of 0 and 1
    np.testing.assert_allclose(ours.coef_, theirs.coef_ / 2.0, rtol=1e-9)


@pytest.mark.parametrize("l2", [0.0, 0.2])
@pytest.mark.parametrize("classes", [2, 4])
def test_leave_one_out_equals_refits(l2: float, classes: int) -> None:
    X, y = table(5, n=30, width=4, classes=classes)
    X[:, 2] = 1e6 + 1e-3 * X[:, 2]  # other units far from zero
    fast = loo(LeastSquaresClassifier(l2=l2).fit(X, y), X, y)
    for row in range(len(y)):
        others = np.arange(len(y)) != row
        refit = LeastSquaresClassifier(l2=l2).fit(X[others], y[others])
        np.testing.assert_allclose(fast[row], refit._class_scores(X[row : row + 1])[0], rtol=1e-6, atol=1e-8)


def test_leave_one_out_with_more_features_than_rows() -> None:
    X, y = table(6, n=12, width=20, classes=2)
    fast = loo(LeastSquaresClassifier(l2=0.5).fit(X, y), X, y)
    refit = LeastSquaresClassifier(l2=0.5).fit(X[1:], y[1:])
    np.testing.assert_allclose(fast[0], refit._class_scores(X[:1])[0], rtol=1e-9)


def test_leave_one_out_leaves_open_what_it_does_not_cover() -> None:
    X, y = table(7, n=30, width=2)
    X = np.column_stack([X, np.zeros(30)])
    X[4, 2] = 1.0  # row 4 alone carries the last feature
    y[y == 2] = 1
    y[9] = 2  # the only row of its class
    model = LeastSquaresClassifier().fit(X, y)
    open_rows = np.isnan(loo(model, X, y)).any(axis=1)
    assert np.flatnonzero(open_rows).tolist() == [4, 9]
    data = check_training(model, X, y, np.full(30, 2.0))
    assert model.loo_moments(model.statistics_, data) is None
    singular = np.column_stack([X, X[:, 0]])
    fitted = LeastSquaresClassifier().fit(singular, y)
    assert fitted.loo_moments(fitted.statistics_, check_training(fitted, singular, y)) is None


def test_all_groups_are_solved_at_once() -> None:
    parts = [table(seed) for seed in range(4)]
    moments = [collect(X, y.astype(np.int32), 3, form="pooled") for X, y in parts]
    form = LeastSquaresClassifier(l2=0.1).solve_moments(stack(moments))
    for g, (X, y) in enumerate(parts):
        single = LeastSquaresClassifier(l2=0.1).fit(X, y)
        np.testing.assert_allclose(form.weights[g], single.coef_)
        np.testing.assert_allclose(form.bias[g] - form.weights[g] @ form.center[g], single.intercept_)


def test_a_class_without_rows_is_never_predicted() -> None:
    X, y = table(8, classes=2)
    model = LeastSquaresClassifier().partial_fit(X, y, classes=[0, 1, 2])
    assert set(model.predict(X).tolist()) <= {0, 1}
    assert any("no training row" in sentence for sentence in model.diagnostics_)


@pytest.mark.parametrize("classes", [2, 3])
def test_ridge_path_equals_single_fits(classes: int) -> None:
    X, y = table(9, classes=classes)
    values = [0.0, 1e-8, 0.01, 1.0, 100.0]
    path = LeastSquaresClassifier(l2=7.0).fit(X, y).ridge_path(values)
    for l2, coef, intercept in zip(path.l2, path.coef, path.intercept, strict=True):
        single = LeastSquaresClassifier(l2=float(l2)).fit(X, y)
        np.testing.assert_allclose(coef, single.coef_, rtol=1e-8)
        np.testing.assert_allclose(intercept, single.intercept_, rtol=1e-8)


def test_constant_and_collinear_features_are_reported() -> None:
    X, y = table(10)
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "five": 5.0, "twice": 2.0 * X[:, 0]})
    model = LeastSquaresClassifier().fit(frame, y)
    assert model.coef_[:, 2].tolist() == [0.0, 0.0, 0.0]
    assert noted(model.diagnostics_, "M300", columns=("five",))
    assert noted(model.diagnostics_, "M306", rank=2, n_columns=4)
    coef, intercept = twin(X[:, :2], y, 0.0)
    np.testing.assert_allclose(model.decision_function(frame), X[:, :2] @ coef.T + intercept, atol=1e-10)
    # The smallest solution in units of the deviations splits the effect evenly.
    np.testing.assert_allclose(model.coef_[:, 0], 2.0 * model.coef_[:, 3], rtol=1e-9)
    assert LeastSquaresClassifier().fit(X, y).diagnostics_ == ()


def test_more_features_than_rows_fits_exactly() -> None:
    X, y = table(11, n=12, width=30)
    model = LeastSquaresClassifier().fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), np.eye(3)[y], atol=1e-9)
    assert "Only 11 of 30" in " ".join(model.diagnostics_)


def test_far_outliers_move_it() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal([-1, 1], 0.4, size=(40, 2)), rng.normal([1, -1], 0.4, size=(40, 2))])
    y = np.repeat([0, 1], 40)
    far = rng.normal([8, -7], 0.4, size=(12, 2))  # on the right side, only too far
    before = LeastSquaresClassifier().fit(X, y)
    after = LeastSquaresClassifier().fit(np.vstack([X, far]), np.concatenate([y, np.ones(12, dtype=int)]))
    assert (before.predict(X) != y).sum() == 0
    assert (after.predict(X) != y).sum() > 0


def test_the_middle_of_three_classes_in_a_row_is_masked() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 100)
    X = rng.normal(size=(300, 2)) * 0.3 + np.array([[-4.0, -4.0], [0.0, 0.0], [4.0, 4.0]])[y]
    predicted = LeastSquaresClassifier().fit(X, y).predict(X)
    assert (predicted[y == 1] != 1).mean() > 0.5
    assert (predicted[y != 1] == y[y != 1]).all()


def test_points_on_the_boundary_have_distance_zero() -> None:
    X, y = table(12, classes=2)
    model = LeastSquaresClassifier(l2=0.1).fit(X, y)
    normal, constant = model.coef_[0], model.intercept_[0]
    feet = X - np.outer((X @ normal + constant) / (normal @ normal), normal)
    np.testing.assert_allclose(model.signed_distance(feet), 0.0, atol=1e-10)
    moved = feet + 2.0 * normal / np.linalg.norm(normal)
    np.testing.assert_allclose(model.signed_distance(moved), 2.0)
    assert model.origin_distance() == pytest.approx(constant / np.linalg.norm(normal))


@given(seed=st.integers(0, 100), dtype=st.sampled_from([np.float64, np.float32]), fortran=st.booleans())
@settings(max_examples=25)
def test_weights_order_labels_and_parts_do_not_matter(seed: int, dtype: type, fortran: bool) -> None:
    rng = np.random.default_rng(seed)
    X, y = table(seed)
    X = X.astype(dtype)
    X = np.asfortranarray(X) if fortran else X
    times = rng.integers(0, 4, len(y))
    times[:9] = 1
    weighted = LeastSquaresClassifier(l2=0.1).fit(X, y, sample_weight=times)
    rows = rng.permutation(np.repeat(np.arange(len(y)), times))
    names = np.array(["a", "b", "c"])
    repeated = LeastSquaresClassifier(l2=0.1).fit(X[rows], names[y[rows]])
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-8, atol=1e-10)
    assert (names[weighted.predict(X)] == repeated.predict(X)).all()
    parts = LeastSquaresClassifier(l2=0.1).partial_fit(X[:15], y[:15]).partial_fit(X[15:], y[15:])
    whole = LeastSquaresClassifier(l2=0.1).fit(X, y)
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-8, atol=1e-10)
    halves = (
        LeastSquaresClassifier(l2=0.1)
        .fit(X[:15], y[:15])
        .merge(LeastSquaresClassifier(l2=0.1).fit(X[15:], y[15:]))
    )
    np.testing.assert_allclose(halves.coef_, whole.coef_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(
        whole.forget(X[15:], y[15:]).coef_,
        LeastSquaresClassifier(l2=0.1).fit(X[:15], y[:15]).coef_,
        rtol=1e-6,
        atol=1e-8,
    )


def test_pickles() -> None:
    X, y = table(13)
    model = LeastSquaresClassifier().fit(X, y)
    assert (pickle.loads(pickle.dumps(model)).decision_function(X) == model.decision_function(X)).all()


@pytest.mark.parametrize("l2", [-1.0, float("nan"), "much", None, True])
def test_bad_penalties_are_refused(l2: object) -> None:
    X, y = table(14)
    with raises("M023", owner="LeastSquaresClassifier", name="l2", expectation="a number of at least 0"):
        LeastSquaresClassifier(l2=l2).fit(X, y)  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [[-1.0], [np.inf], [[1.0]], 3.0])
def test_bad_paths_are_refused(values: object) -> None:
    X, y = table(15)
    with raises("M126"):
        LeastSquaresClassifier().fit(X, y).ridge_path(values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.nan, Expected("N028", where="row 3, column 1")),
        (np.inf, Expected("N026", where="row 3, column 1")),
        (1e300, Expected("N700")),
    ],
)
def test_bad_values_are_named(value: float, expected: Expected) -> None:
    X, y = table(16)
    X[3, 1] = value
    with raises(expected):
        LeastSquaresClassifier().fit(X, y)
