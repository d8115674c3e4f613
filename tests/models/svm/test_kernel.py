"""The kernel support vector machine: what it separates, and how it compares with scikit-learn's and with the linear."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_circles, make_classification
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from assay import Calibrated, KernelSVM, LinearSVM
from assay.statistics.weights import in_rows
from tests.noted import noted
from tests.raised import Expected, raises

SKLEARN = {"rbf": "rbf", "linear": "linear", "polynomial": "poly", "sigmoid": "sigmoid"}


def mixed(rows: int = 160, width: int = 5, seed: int = 0, classes: int = 2) -> tuple[Any, Any]:
    X, y = make_classification(
        rows, width, n_informative=3, n_redundant=0, n_classes=classes, n_clusters_per_class=1, flip_y=0.1,
        random_state=seed,
    )  # fmt: skip
    return X, y


def objective(K: Any, y: Any, beta: Any, b: float, cost: Any) -> float:
    """|f|²/2 + sum of C max(0, 1 - y f)."""
    f = K @ beta + b
    return float(beta @ K @ beta / 2 + (cost * np.maximum(0.0, 1.0 - y * f)).sum())


def coefficients(model: Any, rows: int) -> Any:
    beta = np.zeros(rows)
    beta[model.support_] = model.dual_coef_[0]
    return beta


def test_circles_and_xor_are_separated_where_a_line_fails() -> None:
    X, y = make_circles(300, noise=0.08, factor=0.4, random_state=1)
    assert (KernelSVM(C=1.0).fit(X, y).predict(X) == y).all()
    assert (LinearSVM().fit(X, y).predict(X) == y).mean() < 0.7
    corners = np.array([[0, 0], [1, 1], [0, 1], [1, 0]], dtype=float)
    xor = np.repeat(corners, 5, axis=0) + np.random.default_rng(0).normal(scale=0.05, size=(20, 2))
    truth = np.repeat([0, 0, 1, 1], 5)
    for model in (KernelSVM(C=100.0), KernelSVM("polynomial", C=100.0, coef0=1.0)):
        assert (model.fit(xor, truth).predict(xor) == truth).all()


@pytest.mark.parametrize("kernel", list(SKLEARN))
@pytest.mark.parametrize("C", [0.3, 10.0])
def test_objective_and_support_vectors_agree_with_svc(kernel: str, C: float) -> None:
    X, y = mixed()
    constant = {"coef0": 0.5} if kernel in ("polynomial", "sigmoid") else {}
    ours = KernelSVM(kernel, C=C, tol=1e-6, **constant).fit(X, y)
    theirs = SVC(C=C, kernel=SKLEARN[kernel], tol=1e-6, coef0=0.5).fit(X, y)
    assert kernel == "linear" or ours.gamma_ == pytest.approx(theirs._gamma, rel=1e-12)
    signs, K = np.where(y == 1, 1.0, -1.0), ours._space(X, 1).gram(1)
    beta = coefficients(ours, len(y))
    rival = np.zeros(len(y))
    rival[theirs.support_] = theirs.dual_coef_[0]
    assert ((signs * beta >= 0) & (signs * beta <= C)).all() and abs(beta.sum()) < 1e-9 * C
    mine = objective(K, signs, beta, ours.intercept_[0], C)
    assert mine == pytest.approx(ours.history_[-1, 0] * C * len(y), rel=1e-7)
    if kernel != "sigmoid":  # which has no single solution
        assert mine <= objective(K, signs, rival, theirs.intercept_[0], C) * (1 + 1e-6)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-4)
        assert set(ours.support_[np.abs(ours.dual_coef_[0]) > 1e-4 * C]) <= set(theirs.support_)


def test_the_default_tolerance_is_as_near_as_libsvms() -> None:
    X, y = mixed(1500, 10)
    ours, theirs = KernelSVM(C=10.0).fit(X, y), SVC(C=10.0).fit(X, y)
    assert ours.gram_dtype_ == "float32"
    assert np.abs(ours.decision_function(X) - theirs.decision_function(X)).max() < 5e-3
    fine = KernelSVM(C=10.0, gram_dtype="float64").fit(X, y)
    assert np.abs(ours.decision_function(X) - fine.decision_function(X)).max() < 5e-3


def test_with_a_linear_kernel_it_is_the_linear_machine() -> None:
    X, y = mixed(120)
    kernel = KernelSVM("linear", l2=0.02, tol=1e-7).fit(X, y)
    linear = LinearSVM(l2=0.02, tol=1e-9).fit(X, y)
    assert kernel.history_[-1, 0] == pytest.approx(linear.history_[-1, 0], rel=1e-5)
    assert kernel.C_ == pytest.approx(linear.C_)
    np.testing.assert_allclose(kernel.dual_coef_ @ kernel.support_vectors_, linear.coef_, atol=1e-4)
    np.testing.assert_allclose(kernel.decision_function(X), linear.decision_function(X), atol=1e-3)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_classes_vote_in_pairs(classes: int) -> None:
    X, y = mixed(200, classes=classes)
    labels = np.array(["a", "b", "c", "d"])[y]
    model = KernelSVM(C=1.0, tol=1e-6).fit(X, labels)
    theirs = SVC(C=1.0, tol=1e-6, decision_function_shape="ovo").fit(X, labels)
    assert len(model.pairs_) == classes * (classes - 1) // 2
    f = theirs.decision_function(X)
    np.testing.assert_allclose(
        model._margins(X), f[:, None] if classes == 2 else -f, atol=1e-4
    )  # theirs are positive for the first class of a pair
    assert (model.predict(X) == theirs.predict(X)).mean() > 0.99  # equal votes are decided otherwise
    assert model.decision_function(X).shape == ((200,) if classes == 2 else (200, classes))
    assert not hasattr(model, "predict_proba")


def test_a_users_kernel_and_a_given_matrix_are_the_formula() -> None:
    X, y = mixed(120, classes=3)
    new, _ = mixed(30, seed=5)
    formula = KernelSVM(gamma=0.3, C=2.0, tol=1e-6).fit(X, y)
    user = KernelSVM(lambda a, b: rbf_kernel(a, b, gamma=0.3), C=2.0, tol=1e-6).fit(X, y)
    given = KernelSVM("precomputed", C=2.0, tol=1e-6).fit(rbf_kernel(X, gamma=0.3), y)
    expected = formula.decision_function(new)
    np.testing.assert_allclose(user.decision_function(new), expected, atol=1e-4)
    np.testing.assert_allclose(given.decision_function(rbf_kernel(new, X, gamma=0.3)), expected, atol=1e-4)
    assert not hasattr(given, "support_vectors_") and user.diagnostics_ == ()


@pytest.mark.parametrize("kernel", ["rbf", "polynomial"])
def test_weights_are_repeated_rows(kernel: str) -> None:
    X, y = mixed(90, classes=3)
    weight = np.random.default_rng(1).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    weighted = KernelSVM(kernel, tol=1e-7).fit(X, y, sample_weight=weight)
    repeated = KernelSVM(kernel, tol=1e-7).fit(X[rows], y[rows])
    assert weighted.gamma_ == pytest.approx(repeated.gamma_) and weighted.C_ == pytest.approx(repeated.C_)
    np.testing.assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-5)
    assert not set(weighted.support_) & set(np.flatnonzero(weight == 0))


def test_a_class_without_weight_is_never_predicted() -> None:
    X, y = mixed(90, classes=3)
    model = KernelSVM().fit(X, y, sample_weight=(y != 1).astype(float))
    assert len(model.pairs_) == 1 and 1 not in model.predict(X)


def test_balanced_classes_are_weighted() -> None:
    X, y = mixed(200)
    rare = np.flatnonzero((y == 0) | (np.arange(200) % 8 == 0))
    plain, balanced = (KernelSVM(class_weight=w).fit(X[rare], y[rare]) for w in (None, "balanced"))
    assert (balanced.predict(X[y == 1]) == 1).mean() >= (plain.predict(X[y == 1]) == 1).mean()
    counts = np.bincount(y[rare])
    by_hand = KernelSVM(class_weight={k: len(rare) / (2 * counts[k]) for k in (0, 1)}).fit(X[rare], y[rare])
    np.testing.assert_allclose(by_hand.decision_function(X), balanced.decision_function(X), atol=1e-12)


def test_posteriors_and_decisions_come_by_calibration() -> None:
    X, y = mixed(200, classes=3)
    model = Calibrated(KernelSVM(C=1.0)).fit(X, y)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1.0)
    assert set(model.decide(X, loss=1.0 - np.eye(3)).labels) <= {0, 1, 2}
    with raises("M520", AttributeError):
        _ = KernelSVM().fit(X, y).decide


def test_the_duality_gap_certifies_the_solution() -> None:
    X, y = load_iris(return_X_y=True)
    loose, tight = (KernelSVM(C=5.0, tol=t).fit(X, y) for t in (0.1, 1e-6))
    assert 0 <= tight.gap_ < 1e-5 < loose.gap_
    assert tight.history_[-1, 2] <= 1e-6 and tight.history_[0, 2] == 2.0
    assert tight.history_[-1, 0] <= loose.history_[-1, 0] * (1 + 1e-9)
    assert tight.n_iter_ > loose.n_iter_


def test_a_kernel_that_is_not_positive_is_reported_and_ends() -> None:
    X, y = mixed(150)
    for model in (KernelSVM("sigmoid", gamma=2.0, coef0=-1.0), KernelSVM(lambda a, b: -(a @ b.T))):
        fitted = model.fit(X, y)
        assert "not positive semidefinite" in fitted.diagnostics_[0]
        assert np.isfinite(fitted.decision_function(X)).all()


def test_many_rows_are_seen_through_landmarks() -> None:
    X, y = mixed(600, 4)
    exact = KernelSVM(C=1.0).fit(X, y)
    near = KernelSVM(C=1.0, most_rows=500, landmarks=300).fit(X, y)
    assert noted(near.diagnostics_, "M323", landmarks=300) and exact.diagnostics_ == ()
    assert len(near.support_) <= 300
    assert (near.predict(X) == exact.predict(X)).mean() > 0.97
    assert near.history_[-1, 0] >= exact.history_[-1, 0] * (1 - 1e-4)  # fewer functions to choose from
    again = KernelSVM(C=1.0, most_rows=500, landmarks=300).fit(X, y)
    np.testing.assert_array_equal(near.dual_coef_, again.dual_coef_)
    other = KernelSVM(C=1.0, most_rows=500, landmarks=300, random_state=1).fit(X, y)
    assert not np.array_equal(near.support_, other.support_)


def test_bits_do_not_depend_on_threads_or_memory_order(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = mixed(1300, 6, classes=3)
    found = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("ASSAY_THREADS", threads)
        model = KernelSVM(C=3.0).fit(np.asfortranarray(X) if threads == "2" else X, y)
        found.append((model.dual_coef_, model.decision_function(X)))
    for coef, scores in found[1:]:
        np.testing.assert_array_equal(coef, found[0][0])
        np.testing.assert_array_equal(scores, found[0][1])


def test_little_memory_only_costs_time(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = mixed(1200, 6)
    whole = KernelSVM(C=3.0, tol=1e-4).fit(X, y)
    monkeypatch.setenv("ASSAY_MEMORY", "2M")  # some hundred rows of the Gram matrix
    few = KernelSVM(C=3.0, tol=1e-4).fit(X, y)
    np.testing.assert_allclose(few.decision_function(X), whole.decision_function(X), atol=2e-3)


@pytest.mark.parametrize("seed", range(6))
def test_margins_obey_the_optimality_conditions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = mixed(int(rng.integers(5, 120)), seed=seed)
    y[:2] = 0, 1
    weight, C = rng.exponential(size=len(y)), float(10.0 ** rng.uniform(-2, 2))
    model = KernelSVM(gamma=float(10.0 ** rng.uniform(-2, 1)), C=C, tol=1e-6).fit(X, y, sample_weight=weight)
    margin = np.where(y == 1, 1.0, -1.0) * model.decision_function(X)
    size = np.abs(coefficients(model, len(y))) / (C * in_rows(weight))
    assert (margin[size == 0] >= 1 - 1e-5).all()  # outside the margin: no support vector
    assert (margin[size == 1] <= 1 + 1e-5).all()
    assert np.abs(margin[(size > 0) & (size < 1)] - 1).max(initial=0.0) < 1e-5


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_a_gaussian_kernel_does_not_see_where_the_origin_is(shift: float) -> None:
    X, y = mixed(100)
    model = KernelSVM(gamma=0.2, tol=1e-7).fit(X + shift, y)
    expected = KernelSVM(gamma=0.2, tol=1e-7).fit(X, y).decision_function(X)
    np.testing.assert_allclose(model.decision_function(X + shift), expected, atol=1e-4)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"C": 0.0},
            Expected(
                "M023",
                owner="KernelSVM",
                name="C",
                value=0.0,
                expectation="a number of at least 1e-12, or None",
            ),
        ),
        ({"C": -1.0}, Expected("M023", owner="KernelSVM", name="C", value=-1.0)),
        (
            {"l2": 0.0},
            Expected(
                "M023", owner="KernelSVM", name="l2", value=0.0, expectation="a number of at least 1e-12"
            ),
        ),
        ({"kernel": "cubic"}, Expected("M023", owner="KernelSVM", name="kernel", value="cubic")),
        (
            {"gamma": 0},
            Expected(
                "M023",
                owner="KernelSVM",
                name="gamma",
                value=0,
                expectation="'scale', 'auto' or a positive number",
            ),
        ),
        ({"gamma": "wide"}, Expected("M023", owner="KernelSVM", name="gamma", value="wide")),
        ({"degree": 0}, Expected("M023", owner="KernelSVM", name="degree", value=0)),
        ({"kernel": lambda a, b: a[:, 0]}, Expected("M194", shape=(20,), n_left=20, n_right=20)),
        ({"kernel": lambda a, b: (a @ b.T) * np.nan}, Expected("M195", value="NaN", row=0, column=0)),
        ({"kernel": lambda a, b: np.cumsum(a @ b.T, axis=1)}, Expected("M193")),
        ({"kernel": lambda a, b: 1 / 0}, Expected("M196", n_left=20, n_right=20, message="division by zero")),
    ],
)
def test_bad_parameters_are_one_sentence(options: dict[str, Any], expected: Expected) -> None:
    X, y = mixed(20)
    with raises(expected):
        KernelSVM(**options).fit(X, y)


def test_bad_matrices_are_one_sentence() -> None:
    X, y = mixed(20)
    K = X @ X.T
    K[3, 5] = np.nan
    with raises("M195", what="Gram matrix", value="NaN", row=3, column=5):
        KernelSVM("precomputed").fit(K, y)
    with raises("M192"):
        KernelSVM("precomputed").fit(X, y)
    X[4, 1] = np.nan
    with raises("N028", where="row 4, column 1"):
        KernelSVM().fit(X, y)
    with raises("M033"):
        KernelSVM().fit(K, np.zeros(20))


def test_columns_of_unequal_scales_are_told_where_distances_count() -> None:
    import pandas as pd

    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    frame = pd.DataFrame(X * [1.0, 500.0, 1.0], columns=["age", "income", "size"])
    y = X[:, 0] > 0
    (told,) = KernelSVM().fit(frame, y).diagnostics_
    assert told.code == "M307" and told.values["wide"] == "income"
    assert KernelSVM().fit(X, y).diagnostics_ == ()
    assert KernelSVM("linear").fit(frame[["age", "size"]], y).diagnostics_ == ()
    (few,) = noted(KernelSVM(most_rows=50).fit(frame, y).diagnostics_, "M307")
    assert few == told


def test_parameters_may_be_numbers_of_numpy() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = X[:, 0] * X[:, 1] > 0
    for plain, given in [
        ({"C": 2.0}, {"C": np.float32(2)}),
        ({"kernel": "polynomial", "degree": 2}, {"kernel": "polynomial", "degree": np.int64(2)}),
        (
            {"most_rows": 20, "landmarks": 9, "random_state": 3},
            {"most_rows": np.int64(20), "landmarks": np.int64(9), "random_state": np.int64(3)},
        ),
    ]:
        one, other = KernelSVM(**plain).fit(X, y), KernelSVM(**given).fit(X, y)
        assert np.array_equal(one.decision_function(X), other.decision_function(X))
