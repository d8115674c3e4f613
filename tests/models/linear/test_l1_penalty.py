"""Logistic regression under l1: conditions of the minimum, scikit-learn's answers, zeros, wide and sparse tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression as Sklearn
from sklearn.utils.estimator_checks import parametrize_with_checks

from assay import load, save
from assay.models.linear.l1_penalty import largest_l1
from assay.models.linear.logistic import LogisticRegression
from tests.noted import noted
from tests.raised import raises

Array = np.ndarray[Any, Any]


@parametrize_with_checks(
    [LogisticRegression(l1=0.01), LogisticRegression(0.1, l1=0.1, class_weight="balanced")]
)
def test_scikit_learn_contract(estimator: Any, check: Any) -> None:
    check(estimator)


def table(classes: int, n: int = 300, width: int = 6, seed: int = 0) -> tuple[Array, Array]:
    """Columns of different units, the third nearly the second again; the last three mean nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width))
    X[:, 2] = X[:, 1] + 0.05 * X[:, 2]
    W = rng.normal(size=(width, classes))
    W[3:] = 0.0
    y = (X @ W + rng.gumbel(size=(n, classes))).argmax(axis=1)
    return X * rng.uniform(0.3, 3.0, width) + 2.0, y


def violation(model: LogisticRegression, X: Any, y: Array, weight: Array | None = None) -> float:
    """How far the conditions of the minimum are from being met, by hand in the units of the columns."""
    weight = np.ones(len(y)) if weight is None else weight
    residual = (model.predict_proba(X) - (model.classes_ == y[:, None])) * weight[:, None]
    slope, W = np.asarray(X.T @ residual).T / weight.sum(), model.coef_
    level = residual.sum(axis=0) / weight.sum()
    if len(model.classes_) == 2:
        slope, level = slope[1:], level[1:]
    slope = slope + model.l2 * W
    moving, resting = np.abs(slope + model.l1 * np.sign(W)), np.maximum(np.abs(slope) - model.l1, 0.0)
    return float(max(np.where(W != 0, moving, resting).max(), np.abs(level).max()))


def objective(model: Any, X: Array, y: Array, l2: float, l1: float) -> float:
    log = model.predict_log_proba(X)[np.arange(len(y)), y]
    return float(-log.mean() + 0.5 * l2 * (model.coef_**2).sum() + l1 * np.abs(model.coef_).sum())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("l2", [0.0, 0.1])
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_conditions_of_the_minimum(classes: int, l2: float, weighted: bool) -> None:
    X, y = table(classes)
    weight = np.random.default_rng(1).uniform(0.0, 3.0, len(y)) if weighted else None
    most = largest_l1(LogisticRegression(), X, y, weight)
    for share in (1.001, 0.9, 0.3, 0.05, 1e-3):
        model = LogisticRegression(l2, l1=share * most, tol=1e-10).fit(X, y, sample_weight=weight)
        assert violation(model, X, y, weight) < 1e-8
        assert (model.coef_ == 0).all() == (share > 1.0)
        assert model.history_[-1, 1] <= 1e-10


@pytest.mark.filterwarnings("ignore:'penalty' was deprecated:FutureWarning")
@pytest.mark.parametrize("l1", [0.1, 0.01])
@pytest.mark.parametrize("classes", [2, 3])
def test_no_worse_than_saga(classes: int, l1: float) -> None:
    X, y = table(classes)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    rival = Sklearn(
        penalty="elasticnet", l1_ratio=1.0, C=1.0 / (l1 * len(y)), solver="saga", tol=1e-8, max_iter=20_000
    )
    model = LogisticRegression(l1=l1, tol=1e-9).fit(X, y)
    ours, theirs = objective(model, X, y, 0.0, l1), objective(rival.fit(X, y), X, y, 0.0, l1)
    assert ours <= theirs + 1e-12 and theirs <= ours + 1e-6
    np.testing.assert_allclose(model.predict_proba(X), rival.predict_proba(X), atol=1e-3)


@pytest.mark.filterwarnings("ignore:'penalty' was deprecated:FutureWarning")
def test_elastic_net_no_worse_than_saga() -> None:
    X, y = table(2)
    X, l1, l2 = (X - X.mean(axis=0)) / X.std(axis=0), 0.02, 0.06
    rival = Sklearn(
        penalty="elasticnet", l1_ratio=0.25, C=1.0 / (0.08 * len(y)), solver="saga", tol=1e-8, max_iter=9999
    )
    model = LogisticRegression(l2, l1=l1, tol=1e-9).fit(X, y)
    ours, theirs = objective(model, X, y, l2, l1), objective(rival.fit(X, y), X, y, l2, l1)
    assert ours <= theirs + 1e-12 and theirs <= ours + 1e-8
    np.testing.assert_allclose(model.coef_, rival.coef_, atol=1e-4)


def test_units_carry_over() -> None:
    """The penalty is on the weights by the columns as given: a column times ten is cheaper to use."""
    X, y = table(2)
    shifted = LogisticRegression(l1=0.05, tol=1e-10).fit(X + 1e4, y)
    np.testing.assert_allclose(
        shifted.coef_, LogisticRegression(l1=0.05, tol=1e-10).fit(X, y).coef_, atol=1e-6
    )
    tenfold = LogisticRegression(l1=0.5, tol=1e-10).fit(10.0 * X, y)
    np.testing.assert_allclose(
        10.0 * tenfold.coef_, LogisticRegression(l1=0.05, tol=1e-10).fit(X, y).coef_, atol=1e-7
    )


def test_zeros_are_counted_and_inference_refused() -> None:
    X, y = table(2)
    model = LogisticRegression(l1=0.05).fit(X, y)
    used = int((model.coef_ != 0).sum())
    assert 0 < used < 6 and len(model.diagnostics_) == 1
    assert noted(model.diagnostics_, "M355", used=used, n_columns=6, l1=0.05)
    with raises("M357", AttributeError):
        _ = model.inference_
    assert model.n_parameters_ == used + 1


def test_planted_columns_are_found() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 60)), columns=[f"c{j}" for j in range(60)])
    planted = ["c3", "c17", "c40"]
    y = (2.0 * X["c3"] - 1.5 * X["c17"] + X["c40"] + rng.logistic(size=400) > 0).to_numpy()
    model = LogisticRegression(l1=0.06).fit(X, y)
    assert X.columns[model.coef_[0] != 0].tolist() == planted


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array])
def test_wide_tables(kind: Any, classes: int) -> None:
    """Far more columns than rows: only those that may be worth it are looked at closely."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3000)) * (rng.random((120, 3000)) < 0.3)
    W = np.zeros((3000, classes))
    W[:5] = rng.normal(size=(5, classes)) * 5.0
    y = (X @ W + rng.gumbel(size=(120, classes))).argmax(axis=1)
    for l1 in (0.05, 0.005):
        model = LogisticRegression(l1=l1, tol=1e-8).fit(kind(X), y)
        assert violation(model, X, y) < 1e-8 and len(model.diagnostics_) == 1
        assert 0 < (model.coef_ != 0).any(axis=0).sum() < 200


def test_more_columns_in_use_than_can_be_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.solvers.wide_lasso.MOST_UNKNOWNS", 20)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 1100)), rng.integers(0, 2, 200)
    model = LogisticRegression(l1=0.01).fit(X, y)
    assert "20 of 1100 columns" in model.diagnostics_[0] and "larger penalty" in model.diagnostics_[1]
    assert np.isfinite(model.predict_proba(X)).all()


def test_sparse_rows_are_rows() -> None:
    X, y = table(3)
    X[np.abs(X) < 1.0] = 0.0
    dense, compressed = LogisticRegression(l1=0.02, tol=1e-10), LogisticRegression(l1=0.02, tol=1e-10)
    np.testing.assert_allclose(compressed.fit(sparse.csr_array(X), y).coef_, dense.fit(X, y).coef_, atol=1e-7)


def test_separated_classes_are_no_trouble() -> None:
    X, y = load_iris(return_X_y=True)
    model = LogisticRegression(l1=1e-4, tol=1e-9).fit(X, y)
    assert violation(model, X, y) < 1e-7 and len(model.diagnostics_) == 1


def test_raw_tables_converge() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = LogisticRegression(l1=1e-3).fit(X, y)
    assert model.history_[-1][1] <= 1e-6 and len(model.history_) < 60


def test_a_class_without_rows() -> None:
    X, y = table(2)
    weight = np.append(np.ones(len(y)), 0.0)
    model = LogisticRegression(l1=0.01).fit(np.vstack([X, X[:1]]), np.append(y, 2), sample_weight=weight)
    assert (model.predict_proba(X)[:, 2] == 0).all() and np.isfinite(model.coef_).all()


def test_model_file(tmp_path: Any) -> None:
    X, y = table(3)
    model = LogisticRegression(0.01, l1=0.02).fit(X, y)
    again = load(save(model, tmp_path / "lasso.assay"))
    assert again.l1 == 0.02 and (again.predict_proba(X) == model.predict_proba(X)).all()
    assert ((again.coef_ == 0) == (model.coef_ == 0)).all() and again.diagnostics_ == model.diagnostics_


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 6), st.sampled_from([1e-6, 1e-3, 0.1]))
def test_anything_ends_at_a_minimum(seed: int, classes: int, width: int, l1: float) -> None:
    """Few rows of few values: separated, collinear and constant tables come up by themselves."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(classes, 25))
    X = rng.integers(-2, 3, (n, width)).astype(float) * 10.0 ** rng.integers(-3, 4)
    y = np.append(np.arange(classes), rng.integers(0, classes, n - classes))
    model = LogisticRegression(l1=l1).fit(X, y)
    assert np.isfinite(model.coef_).all() and np.isfinite(model.intercept_).all()
    assert model.history_[-1][1] <= 1e-6 or "stopped" in model.diagnostics_[-1]


@pytest.mark.parametrize("l1", [-1.0, np.nan, "much", None])
def test_bad_penalties(l1: Any) -> None:
    with raises("M023", owner="LogisticRegression", name="l1"):
        LogisticRegression(l1=l1).fit(*table(2))
