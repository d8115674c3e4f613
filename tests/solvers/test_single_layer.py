"""Descent of a single layer: numeric gradients of every output and loss, and its steps by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assay.solvers.outputs import SLOPES, sigmoid_of, softmax_of
from assay.solvers.single_layer import UnitProblem, batch, stochastic
from tests.solvers.differences import numeric, rows_of

SMOOTH = [key for key in SLOPES if key[0] not in ("step", "sign")]
CORNERED = ("linear", "absolute_error")


def problem(
    output: str, surrogate: str, units: int = 3, l2: float = 0.0, weighted: bool = False, low: float = 0.0
) -> UnitProblem:
    rng = np.random.default_rng(5)
    X, codes = rng.normal(size=(11, 4)), rng.integers(0, max(2, units), 11).astype(np.int32)
    weight = rng.uniform(0.5, 2.0, 11) if weighted else None
    weight = None if weight is None else weight / weight.mean()
    penalty = l2 * np.array([1.0, 2.0, 0.5, 3.0])
    return UnitProblem(rows_of(X), codes, weight, units, low, output, surrogate, penalty)


def drawn(units: int) -> np.ndarray:
    return np.random.default_rng(6).normal(size=(units, 5))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("l2", [0.0, 0.3])
@pytest.mark.parametrize("units", [1, 3])
@pytest.mark.parametrize(("output", "surrogate"), SMOOTH)
def test_gradient_is_the_numeric_one(
    output: str, surrogate: str, units: int, l2: float, weighted: bool
) -> None:
    if output == "softmax":
        units = max(2, units)
    low = -1.0 if output == "linear" and l2 else 0.0
    p = problem(output, surrogate, units, l2, weighted, low)
    U = drawn(units)
    analytic = p.gradient(U)[1]
    expected = numeric(lambda: p.gradient(U)[0], U.reshape(-1)).reshape(U.shape)
    np.testing.assert_allclose(analytic, expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("output", "low"), [("step", 0.0), ("sign", -1.0)])
@pytest.mark.parametrize("units", [1, 3])
def test_gradient_of_steps_is_that_of_the_perceptron_criterion(output: str, low: float, units: int) -> None:
    p = problem(output, "squared_error", units, weighted=True, low=low)
    U, weight = drawn(units), p.weight
    assert weight is not None

    def criterion() -> float:
        A = p.rows.X @ U[:, :-1].T + U[:, -1]
        wrong = np.where(A > 0, 1.0, low) - p.targets(p.codes)
        return float((weight[:, None] * wrong * A).sum() / len(A))

    value, G = p.gradient(U)
    expected = numeric(criterion, U.reshape(-1)).reshape(U.shape)
    np.testing.assert_allclose(G, expected, rtol=1e-6, atol=1e-9)
    A = p.rows.X @ U[:, :-1].T + U[:, -1]
    wrong = (A > 0) != (p.targets(p.codes) > 0)
    assert value == pytest.approx((weight[:, None] * wrong).sum() / len(A) * 0.5 * (1 - low) ** 2)


def test_squared_error_of_softmax_by_the_formula() -> None:
    p, U = problem("softmax", "squared_error"), drawn(3)
    y, t = softmax_of(p.rows.X @ U[:, :-1].T + U[:, -1]), p.targets(p.codes)
    X = np.column_stack([p.rows.X, np.ones(len(t))])
    expected = np.zeros((3, 5))
    for n in range(len(t)):
        for k in range(3):
            for j in range(3):
                expected[k] += (y[n, j] - t[n, j]) * y[n, j] * ((j == k) - y[n, k]) * X[n] / len(t)
    np.testing.assert_allclose(p.gradient(U)[1], expected, rtol=1e-10)


def test_outputs_do_not_overflow() -> None:
    wide = np.array([[-1e4, 0.0, 1e4]])
    np.testing.assert_allclose(sigmoid_of(wide.copy()), [[0.0, 0.5, 1.0]])
    np.testing.assert_allclose(softmax_of(wide.copy()), [[0.0, 0.0, 1.0]])
    T = np.array([[1.0, 0.0, 0.0]])
    for key in SLOPES:
        assert np.isfinite(SLOPES[key](wide.copy(), T)).all()


def test_batch_step_by_hand() -> None:
    p, start = problem("sigmoid", "cross_entropy"), np.zeros((3, 5))
    Z = np.column_stack([p.rows.X, np.ones(11)])
    expected = start
    for _ in range(4):
        y = 1 / (1 + np.exp(-Z @ expected.T))
        expected = expected - 0.7 * (y - p.targets(p.codes)).T @ Z / 11
    found = batch(p, start, 0.7, 4, 1e-12)
    np.testing.assert_allclose(found.U, expected, rtol=1e-12)
    assert found.epochs == 4 and not found.converged and (np.diff(found.history) < 0).all()


@pytest.mark.parametrize("l2", [0.0, 0.2])
def test_stochastic_steps_by_hand(l2: float) -> None:
    p = problem("linear", "squared_error", l2=l2, weighted=True)
    assert p.weight is not None
    Z, expected = np.column_stack([p.rows.X, np.ones(11)]), np.zeros((3, 5))
    for n in np.random.default_rng(8).permutation(11):
        slope = expected @ Z[n] - p.targets(p.codes)[n]
        penalty = np.append(p.penalty, 0.0) * expected
        expected = expected - 0.05 * penalty - 0.05 * p.weight[n] * np.outer(slope, Z[n])
    found = stochastic(p, np.zeros((3, 5)), 0.05, 1, 1e-12, np.random.default_rng(8))
    np.testing.assert_allclose(found.U, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("output", "surrogate"), [key for key in SMOOTH if key != CORNERED])
def test_chosen_rate_never_lets_the_objective_rise(output: str, surrogate: str) -> None:
    found = batch(problem(output, surrogate, l2=0.01), np.zeros((3, 5)), None, 5000, 1e-8)
    # The slope of an absolute error dies out far from the boundary, and descent gets slow.
    assert surrogate == "absolute_error" or (found.converged and found.remaining <= 1e-8)
    assert (np.diff(found.history) <= 1e-12).all()


def test_targets_and_their_means() -> None:
    one = problem("linear", "squared_error", 1, low=-1.0, weighted=True)
    np.testing.assert_allclose(
        one.target_means(), np.average(one.targets(one.codes), axis=0, weights=one.weight)
    )
    three = problem("linear", "squared_error", 3)
    np.testing.assert_allclose(three.target_means(), three.targets(three.codes).mean(axis=0))
    assert set(one.targets(one.codes).ravel().tolist()) == {-1.0, 1.0}


@pytest.mark.parametrize("units", [1, 3])
def test_steps_between_corners_end_at_the_best_point(units: int) -> None:
    p = problem(*CORNERED, units=units, l2=0.01, weighted=True)
    found = batch(p, np.zeros((units, 5)), None, 5000, 1e-7)
    value = p.gradient(found.U)[0]
    assert found.converged and found.remaining <= 1e-7 and value == min(found.history)
    rng = np.random.default_rng(0)
    nearby = [found.U + 10.0**-k * rng.normal(size=found.U.shape) for k in range(1, 6) for _ in range(40)]
    assert min(p.gradient(U)[0] for U in nearby) > value - 1e-6  # convex: no way down
    few = batch(p, np.zeros((units, 5)), None, 3, 1e-7)
    assert not few.converged and few.epochs == 3
