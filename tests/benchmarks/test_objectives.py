"""What the notes of iterative models rest on: gradients, objectives and weights computed anew."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from benchmarks.data import Array, Labels, make_classes
from benchmarks.objectives import fold_weights, hinge, posteriors, relative_gradient, start_gradient


def objective(X: Array, y: Labels, W: Array, b: Array, l2: float) -> float:
    likelihood = np.log(posteriors(X, W, b)[np.arange(len(y)), y])
    return float(-likelihood.mean() + 0.5 * l2 * (W**2).sum())


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_gradient_is_that_of_the_objective(n_classes: int) -> None:
    X, y = make_classes(80, 3, n_classes)
    rng = np.random.default_rng(0)
    rows = 1 if n_classes == 2 else n_classes
    W, b, step = rng.normal(size=(rows, 3)), rng.normal(size=rows), 1e-6
    slopes = []
    for k in range(rows):
        for j in range(4):
            W_step, b_step = np.zeros_like(W), np.zeros_like(b)
            if j < 3:
                W_step[k, j] = step
            else:
                b_step[k] = step
            ends = [objective(X, y, W + sign * W_step, b + sign * b_step, 0.3) for sign in (1, -1)]
            slopes.append((ends[0] - ends[1]) / (2 * step))
    assert relative_gradient(X, y, W, b, 0.3, 1.0) == pytest.approx(np.abs(slopes).max(), rel=1e-6)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_it_vanishes_at_the_optimum_and_is_one_at_the_start(n_classes: int) -> None:
    X, y = make_classes(300, 4, n_classes)
    start = start_gradient(X, y)
    fitted = LogisticRegression(C=2.0, tol=1e-10, solver="newton-cholesky").fit(X, y)
    l2 = 1.0 / (2.0 * len(y))
    assert relative_gradient(X, y, fitted.coef_, fitted.intercept_, l2, start) < 1e-8
    assert relative_gradient(
        csr_array(X), y, fitted.coef_, fitted.intercept_, l2, start_gradient(csr_array(X), y)
    ) == pytest.approx(0.0, abs=1e-8)
    shares = np.bincount(y) / len(y)
    b = np.log(shares) if n_classes > 2 else np.log(shares[1:] / shares[0])
    assert relative_gradient(X, y, np.zeros((len(b), 4)), b, l2, start) == pytest.approx(1.0)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_log_posteriors_tell_the_weights(n_classes: int) -> None:
    X, y = make_classes(60, 4, n_classes)
    fitted = LogisticRegression().fit(X, y)
    W, b = fold_weights(X, np.log(posteriors(X, fitted.coef_, fitted.intercept_)))
    assert W == pytest.approx(fitted.coef_ - (fitted.coef_.mean(axis=0) if n_classes > 2 else 0.0), abs=1e-9)
    expected: NDArray[np.float64] = fitted.intercept_ - (fitted.intercept_.mean() if n_classes > 2 else 0.0)
    assert b == pytest.approx(expected, abs=1e-9)


def test_the_hinge_objective_by_hand() -> None:
    X, y = np.array([[2.0], [0.5], [-1.0]]), np.array([1, 1, 1])
    assert hinge(X, y, np.array([1.0]), 0.0, 0.5) == pytest.approx((0.0 + 0.5 + 2.0) / 3 + 0.25)
    assert hinge(X, 1 - y, np.array([1.0]), 0.0, 0.0) == pytest.approx((3.0 + 1.5 + 0.0) / 3)
    assert hinge(X, y, np.array([0.0]), 2.0, 0.5, free_intercept=False) == pytest.approx(1.0)
