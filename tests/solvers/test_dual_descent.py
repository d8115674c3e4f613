"""Coordinate descent in the dual against the dense solver, whose optimum is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from assay import LinearSVM
from assay.models.svm.linear import WIDE
from tests.noted import noted

RNG = np.random.default_rng(4)


def table(rows: int = 90, columns: int = WIDE + 1, classes: int = 3) -> tuple[Any, Any]:
    """Mostly zeros, of classes that overlap."""
    X = RNG.poisson(0.02, (rows, columns)) * RNG.uniform(0.5, 2.0, columns)
    y = RNG.integers(0, classes, rows)
    X[np.arange(rows), y] += RNG.random(rows)
    return X, y


@pytest.mark.parametrize("surrogate", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("l2", [1.0, 0.05, 1e-3])
def test_the_optimum_is_that_of_the_dense_solver(surrogate: str, classes: int, l2: float) -> None:
    X, y = table(classes=classes)
    weight = RNG.choice([0.0, 1.0, 2.0, 0.5], len(y))
    options = {"l2": l2, "surrogate": surrogate, "tol": 1e-10}
    sparse = LinearSVM(**options).fit(csr_array(X), y, weight)
    dense = LinearSVM(**options).fit(X, y, weight)
    assert sparse.gap_ <= 1e-10
    assert sparse.history_[-1, 0] == pytest.approx(dense.history_[-1, 0], rel=1e-9)
    np.testing.assert_allclose(sparse.coef_, dense.coef_, atol=3e-5 * np.abs(dense.coef_).max())


@pytest.mark.parametrize("surrogate", ["hinge", "squared_hinge"])
def test_wide_rows_that_are_separable_close_the_gap(surrogate: str) -> None:
    rows = csr_array(RNG.poisson(0.05, (60, WIDE + 99)).astype(float))
    y = RNG.integers(0, 2, 60)
    model = LinearSVM(l2=1e-6, surrogate=surrogate).fit(rows, y)
    assert model.gap_ <= 1e-6 and not noted(model.diagnostics_, "M320")
    assert (model.predict(rows) == y).all()


def test_the_intercept_is_free() -> None:
    """A column of ones, which is constant, and rows moved by it change nothing."""
    X, y = table(classes=2)
    plain = LinearSVM(l2=0.01, tol=1e-9).fit(csr_array(X), y)
    ones = LinearSVM(l2=0.01, tol=1e-9).fit(csr_array(np.column_stack([X, np.ones(len(X))])), y)
    np.testing.assert_allclose(plain.coef_[0], ones.coef_[0, :-1], atol=1e-5)
    assert plain.intercept_ == pytest.approx(ones.intercept_, abs=1e-4)


def test_the_same_bits_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table(classes=4)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("ASSAY_THREADS", threads)
        found.append(LinearSVM(l2=0.01).fit(csr_array(X), y).coef_.tobytes())
    assert found[0] == found[1]


def test_rows_without_entries_and_rows_of_one_side() -> None:
    X = csr_array((np.array([1.0, 2.0]), np.array([0, WIDE]), np.array([0, 1, 1, 2, 2])), shape=(4, WIDE + 1))
    model = LinearSVM(l2=0.1).fit(X, ["a", "b", "b", "a"])
    assert model.gap_ <= 1e-6
    lone = LinearSVM(l2=0.1).fit(X, ["a", "b", "c", "c"], [1.0, 1.0, 0.0, 0.0])
    assert set(lone.predict(X)) <= {"a", "b"}
