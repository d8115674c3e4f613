"""Approximate leave-one-out of logistic regression against leaving every row out in full."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from assay import LeaveOneOut, evaluate
from assay.models.linear.logistic import LogisticRegression
from tests.raised import raises

Array = np.ndarray[Any, Any]


def table(classes: int, n: int = 200, seed: int = 0) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    y = (X @ rng.normal(size=(5, classes)) + rng.gumbel(size=(n, classes))).argmax(axis=1)
    return X * rng.uniform(0.1, 10.0, 5) + 5.0, y


SOME = 60  # rows that are left out in full


def left_out(model: Any, X: Array, y: Array, weight: Array | None = None) -> Array:
    out = np.empty((SOME, len(np.unique(y))))
    for i in range(SOME):
        others = np.arange(len(y)) != i
        some = None if weight is None else weight[others]
        out[i] = clone(model).fit(X[others], y[others], sample_weight=some).predict_proba(X[i : i + 1])[0]
    return out


@pytest.mark.parametrize("options", [{}, {"l2": 0.01}, {"l2": 1.0}, {"l1": 0.02}], ids=str)
@pytest.mark.parametrize("classes", [2, 3])
def test_near_to_refits_and_far_better_than_the_same_rows(classes: int, options: dict[str, Any]) -> None:
    X, y = table(classes)
    model = LogisticRegression(tol=1e-9, **options)
    exact, found = left_out(model, X, y), model.approximate_leave_one_out(X, y)[:SOME]
    same = model.fit(X, y).predict_proba(X)[:SOME]
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    # Under l1 a column may come or go with a single row, which no step sees.
    assert np.abs(found - exact).max() < (0.03 if "l1" in options else 0.01)
    assert np.abs(found - exact).mean() < 0.05 * np.abs(same - exact).mean()


@pytest.mark.parametrize("classes", [2, 3])
def test_weights_of_rows_and_classes(classes: int) -> None:
    X, y = table(classes)
    weight = np.random.default_rng(1).choice([1.0, 4.0], len(y))
    model = LogisticRegression(0.3, tol=1e-9, class_weight={0: 2.0})
    exact, found = left_out(model, X, y, weight), model.approximate_leave_one_out(X, y, weight)[:SOME]
    assert np.abs(found - exact).max() < 0.01
    same = model.fit(X, y, sample_weight=weight).predict_proba(X)[:SOME]
    assert np.abs(found - exact).mean() < 0.05 * np.abs(same - exact).mean()


def test_the_error_is_that_of_leave_one_out() -> None:
    X, y = table(2, n=120, seed=3)
    model = LogisticRegression(0.01)
    wrong = model.approximate_leave_one_out(X, y).argmax(axis=1) != y
    assert wrong.mean() == pytest.approx(evaluate(model, X, y, LeaveOneOut()).error, abs=1 / 120 + 1e-12)


def test_sparse_rows_are_rows() -> None:
    X, y = table(3)
    X[np.abs(X) < 1.0] = 0.0
    model = LogisticRegression(0.01, tol=1e-9)
    np.testing.assert_allclose(
        model.approximate_leave_one_out(sparse.csr_array(X), y),
        model.approximate_leave_one_out(X, y),
        atol=1e-6,
    )


def test_rows_that_do_not_count_are_only_predicted() -> None:
    X, y = table(2)
    weight = np.ones(len(y))
    weight[:10] = 0.0
    model = LogisticRegression(tol=1e-9)
    found = model.approximate_leave_one_out(X, y, weight)
    np.testing.assert_allclose(found[:10], model.fit(X[10:], y[10:]).predict_proba(X[:10]), atol=1e-6)


def test_separated_classes_and_the_only_row_of_a_class() -> None:
    X, y = table(2)
    y = (X[:, 0] > X[:, 0].mean()).astype(int)
    found = LogisticRegression().approximate_leave_one_out(X, y)
    assert np.isfinite(found).all() and (found.argmax(axis=1) == y).mean() > 0.95
    y[np.argmax(X[:, 1])] = 2
    found = LogisticRegression(0.1).approximate_leave_one_out(X, y)
    assert np.isnan(found[y == 2]).all() and np.isfinite(found[y < 2]).all()


def test_the_model_itself_is_left_alone() -> None:
    X, y = table(2)
    model = LogisticRegression(0.1)
    model.approximate_leave_one_out(X, y)
    assert not hasattr(model, "classes_") and not hasattr(model, "n_features_in_")


def test_too_many_weights_are_refused() -> None:
    X = np.random.default_rng(0).normal(size=(30, 1200))
    with raises("M124", unknowns=1201, most_unknowns=1000):
        LogisticRegression(0.1).approximate_leave_one_out(X, np.arange(30) % 2)
