"""Posteriors from out-of-fold scores: right where the truth is known, never from the rows that were learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from assay import (
    GaussianClassifier,
    GaussianNB,
    HoldOut,
    Impute,
    KFold,
    LeastSquaresClassifier,
    LeaveOneOut,
    LinearSVM,
    Perceptron,
    Standardize,
    evaluate,
)
from assay.decision import calibration_table, log_loss
from assay.models.combine.calibrated import Calibrated
from assay.models.combine.one_vs_rest import OneVsRest
from assay.models.linear.logistic import LogisticRegression
from assay.sharing import dispatch
from tests.contract.registry import blobs
from tests.models.combine.tables import logistic, three_directions
from tests.noted import codes, noted
from tests.raised import raises

IRIS, KIND = load_iris(return_X_y=True)
METHODS = ["sigmoid", "isotonic"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("base", [LeastSquaresClassifier(), LinearSVC()], ids=lambda b: type(b).__name__)
def test_a_known_logistic_model_is_found(base: Any, method: str) -> None:
    X, y, truth = logistic()
    given = Calibrated(base, method=method).fit(X, y).predict_proba(X)[:, 1]
    assert np.abs(given - truth).mean() < (0.03 if method == "sigmoid" else 0.05)


@pytest.mark.parametrize("method", METHODS)
def test_the_map_rises(method: str) -> None:
    X, y, _ = logistic(600)
    model = Calibrated(LeastSquaresClassifier(), method=method).fit(X, y)
    order = np.argsort(model.model_.decision_function(X))
    assert (np.diff(model.predict_proba(X)[order, 1]) >= 0).all()


@pytest.mark.parametrize("method", METHODS)
def test_log_loss_improves_over_too_sure_posteriors(method: str) -> None:
    """Naive Bayes on columns that repeat each other counts the same news five times."""
    X, y, _ = logistic(2000)
    X = np.repeat(X, 5, axis=1) + 0.1 * np.random.default_rng(3).normal(size=(2000, 10))
    train, test = slice(0, 1000), slice(1000, None)
    naive = GaussianNB().fit(X[train], y[train]).predict_log_proba(X[test])
    given = Calibrated(GaussianNB(), method=method).fit(X[train], y[train]).predict_log_proba(X[test])
    assert log_loss(y[test], given).value < log_loss(y[test], naive).value - 0.1
    errors = [calibration_table(y[test], np.exp(part)).expected_error for part in (given, naive)]
    assert errors[0] < errors[1] / 2


@pytest.mark.parametrize("method", METHODS)
def test_scores_of_learned_rows_are_not_used(method: str) -> None:
    """One neighbour is right about every row it has learned; on pure noise it knows nothing about others."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(0, 2, 400)
    model = Calibrated(KNeighborsClassifier(1), method=method).fit(X, y)
    assert (model.model_.predict(X) == y).all()
    assert np.abs(model.predict_proba(X) - 0.5).max() < 0.1


@pytest.mark.parametrize("method", METHODS)
def test_one_neighbour_is_as_sure_as_it_is_right(method: str) -> None:
    X, y = three_directions(900, spread=1.3)
    model = Calibrated(KNeighborsClassifier(1), method=method).fit(X, y)
    found = evaluate(KNeighborsClassifier(1), X, y, KFold(5))
    assert model.predict_proba(X).max(axis=1).mean() == pytest.approx(1 - found.error, abs=0.04)


MODELS = [
    LeastSquaresClassifier(),
    GaussianNB(),
    GaussianClassifier("full"),
    make_pipeline(Standardize(), LeastSquaresClassifier(l2=0.1)),
    make_pipeline(Impute(), GaussianClassifier("shared")),
    LogisticRegression(l2=0.01),
]


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("model", MODELS, ids=lambda m: " ".join(repr(m).split()))
@pytest.mark.parametrize("plan", [KFold(4), KFold(3, repeats=2), HoldOut(0.3), LeaveOneOut()], ids=repr)
def test_shared_scores_are_those_of_refits(
    model: Any, plan: Any, classes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = blobs(40, classes=classes)
    weight = None if isinstance(plan, LeaveOneOut) else np.random.default_rng(1).uniform(0.5, 2, len(y))
    shared = Calibrated(model, plan=plan).fit(X, y, weight)
    monkeypatch.setattr(dispatch, "SHARERS", ())
    refitted = Calibrated(model, plan=plan).fit(X, y, weight)
    tight = 1e-3 if isinstance(model, LogisticRegression) else 1e-6  # converged to a gradient of 1e-6
    assert shared.map_.slope == pytest.approx(refitted.map_.slope, rel=tight)
    np.testing.assert_allclose(shared.map_.offset, refitted.map_.offset, rtol=tight, atol=tight)


def test_refits_are_by_hand_what_is_mapped() -> None:
    plan = KFold(5, random_state=4)
    model = Calibrated(LinearSVC(), plan=plan).fit(IRIS, KIND)
    by_hand = np.zeros((150, 3))
    for train, test in plan.split(IRIS, KIND):
        by_hand[test] = clone(LinearSVC()).fit(IRIS[train], KIND[train]).decision_function(IRIS[test])
    from assay.decision.sigmoid import fit_sigmoid

    expected = fit_sigmoid(by_hand, KIND)
    assert model.map_.slope == pytest.approx(expected.slope, rel=1e-9)
    everything = LinearSVC().fit(IRIS, KIND).decision_function(IRIS)
    np.testing.assert_allclose(
        model.predict_log_proba(IRIS), expected.log_posterior(everything), rtol=1e-6, atol=1e-9
    )


@pytest.mark.parametrize("method", METHODS)
def test_predict_is_the_largest_posterior(method: str) -> None:
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    model = Calibrated(LinearSVC(C=0.01, max_iter=5000), method=method).fit(X, y)
    posterior = model.predict_proba(X)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, rtol=1e-12)
    assert (posterior > 0).all()
    assert (model.classes_[posterior.argmax(axis=1)] == model.predict(X)).all()
    assert model.score(X, y) > 0.95
    np.testing.assert_allclose(model.decision_function(X), np.log(posterior), rtol=1e-9, atol=1e-12)


def test_isotonic_never_makes_the_log_loss_infinite() -> None:
    X, y = three_directions(150, spread=0.2)
    model = Calibrated(LeastSquaresClassifier(), method="isotonic").fit(X, y)
    far = np.array([[50.0, 0.0]])
    assert model.predict_proba(far).min() > 1 / (2 * 150) / 3
    assert np.isfinite(model.predict_log_proba(far)).all()


def test_priors_are_replaced_at_the_decision() -> None:
    X, y, _ = logistic(1000)
    model = Calibrated(LeastSquaresClassifier()).fit(X, y)
    np.testing.assert_allclose(model.class_prior_, [1 - y.mean(), y.mean()])
    assert (model.decide(X).labels == model.predict(X)).all()
    assert (model.decide(X, priors=[1.0, 0.0]).labels == 0).all()
    costly = model.decide(X, loss=[[0, 1], [20, 0]])
    assert (costly.labels == 1).sum() > (model.predict(X) == 1).sum()


def test_margins_far_outside_are_not_cut_off() -> None:
    X, y, _ = logistic(500)
    model = Calibrated(LeastSquaresClassifier()).fit(X, y)
    far = np.array([[10.0, -10.0], [100.0, -100.0]])
    odds = model.decision_function(far)
    assert odds[1] > 5 * odds[0] > 0


def test_pipelines_frames_and_sparse_tables() -> None:
    frame = pd.DataFrame(IRIS, columns=list("abcd"))
    labels = pd.Series(np.array(["x", "y", "z"])[KIND])
    ours = Calibrated(make_pipeline(StandardScaler(), LinearSVC())).fit(frame, labels)
    assert ours.feature_names_in_.tolist() == list("abcd") and ours.score(frame, labels) > 0.9
    thin = Calibrated(LinearSVC()).fit(sparse.csr_array(IRIS), KIND)
    assert thin.score(sparse.csr_array(IRIS), KIND) > 0.9
    inside = OneVsRest(Calibrated(LinearSVC())).fit(IRIS, KIND)
    assert inside.predict_proba(IRIS).shape == (150, 3)
    around = Calibrated(OneVsRest(LinearSVC())).fit(IRIS, KIND)
    assert around.predict_proba(IRIS).shape == (150, 3)


def test_gaps_are_read_as_the_model_reads_them() -> None:
    X, y = blobs(90, classes=2)
    X = X.copy()
    X[::7, 1] = np.nan
    for model in (GaussianNB(), make_pipeline(Impute(indicator=True), LeastSquaresClassifier())):
        assert np.isfinite(Calibrated(model).fit(X, y).predict_log_proba(X)).all()


@pytest.mark.parametrize("method", METHODS)
def test_forests_that_say_exactly_zero(method: str) -> None:
    X, y, truth = logistic(1200)
    forest = RandomForestClassifier(25, min_samples_leaf=1, random_state=0)
    model = Calibrated(forest, method=method).fit(X[:600], y[:600])
    given = model.predict_proba(X[600:])
    assert (given > 0).all()
    raw = forest.fit(X[:600], y[:600]).predict_proba(X[600:])
    assert np.abs(given[:, 1] - truth[600:]).mean() < np.abs(raw[:, 1] - truth[600:]).mean()


def test_plans_of_any_kind() -> None:
    for plan in (3, KFold(3), StratifiedKFold(3), HoldOut(0.4)):
        assert Calibrated(LeastSquaresClassifier(), plan=plan).fit(IRIS, KIND).score(IRIS, KIND) > 0.7


def test_worthless_scores_are_reported() -> None:
    X = np.zeros((40, 1))
    X[::2] = 1.0  # of no use: both classes have as many
    y = np.repeat([0, 1], 20)
    model = Calibrated(LeastSquaresClassifier()).fit(X, y)
    assert codes(model.diagnostics_)[-1] == "M335"
    np.testing.assert_allclose(model.predict_proba(X), 0.5, atol=1e-6)


def test_a_rare_class_is_reported_and_keeps_its_place() -> None:
    y = KIND.copy()
    y[y == 2] = 1
    y[0] = 2
    model = Calibrated(LinearSVC()).fit(IRIS, y)
    assert codes(model.diagnostics_) == ["S209"]
    assert noted(model.diagnostics_, "S209", label="2", count=1, total=5)
    assert model.predict_proba(IRIS).shape == (150, 3)


def test_a_class_without_weight_has_no_probability() -> None:
    weight = np.where(KIND == 1, 0.0, 1.0)
    for base in (LinearSVC(), LeastSquaresClassifier(), GaussianNB()):
        model = Calibrated(base).fit(IRIS, KIND, sample_weight=weight)
        posterior = model.predict_proba(IRIS)
        assert (posterior[:, 1] == 0).all()
        np.testing.assert_allclose(posterior.sum(axis=1), 1.0)


def test_bad_input_is_one_sentence() -> None:
    with raises("M033", label=0):
        Calibrated(LinearSVC()).fit(IRIS[:50], KIND[:50])
    with raises("S211", split=0, label=1):
        Calibrated(LinearSVC(), plan=[([0, 1], [2, 3])]).fit(IRIS[98:102], [1, 1, 0, 0])
    with raises("S134"):
        Calibrated(KNeighborsClassifier()).fit(IRIS, KIND, sample_weight=np.ones(150))
    with raises("M053", shown="SVC", n_scores=6, n_classes=4):
        X, y = blobs(80, classes=4)
        Calibrated(SVC(decision_function_shape="ovo")).fit(X, y)
    with raises("M023", name="method", value="beta", expectation="one of 'sigmoid', 'isotonic'"):
        Calibrated(LinearSVC(), method="beta").fit(IRIS, KIND)
    with raises("M023", name="plan", value="ten"):
        Calibrated(LinearSVC(), plan="ten").fit(IRIS, KIND)


class Overflows(LeastSquaresClassifier):
    """Margins that are infinite far away."""

    def decision_function(self, X: Any) -> Any:
        return np.where(np.abs(X[:, 0]) > 50, np.inf, X[:, 0])


def test_infinite_scores_are_named() -> None:
    X, y, _ = logistic(100)
    model = Calibrated(make_pipeline(StandardScaler(with_std=False), Overflows()), plan=3)
    fitted = model.fit(X, y)
    with raises("M056", name="Pipeline"):
        fitted.predict_proba(np.array([[1.0, 1.0], [99.0, 1.0]]))
    X[7, 0] = 80.0
    with raises("M056", name="Pipeline"):
        model.fit(X, y)


def test_nested_evaluation_of_a_calibrated_model() -> None:
    X, y, _ = logistic(400)
    found = evaluate(Calibrated(LinearSVC()), X, y, KFold(4))
    assert found.probabilistic and found.log_loss < 0.6


@pytest.mark.parametrize(
    "model", [LinearSVM(), Perceptron(), OneVsRest(LinearSVM())], ids=lambda m: type(m).__name__
)
def test_margins_say_what_would_decide(model: Any) -> None:
    model.fit(IRIS, KIND)
    assert not hasattr(model, "decide")
    with raises("M520", AttributeError, subject=type(model).__name__, method="decide"):
        model.decide(IRIS)
    assert Calibrated(model).fit(IRIS, KIND).decide(IRIS).labels.shape == (150,)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_a_class_of_one_row_leaves_the_shares(method: str) -> None:
    X, y = blobs(20, classes=2)
    y = np.where(np.arange(20) == 7, 1, 0)
    model = Calibrated(LinearSVM(), method=method).fit(X, y)
    assert (model.predict_proba(X) == model.predict_proba(X)[0]).all() and (model.predict(X) == 0).all()
    assert model.predict_proba(X)[0, 1] < 0.2
