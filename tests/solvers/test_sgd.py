"""Stochastic gradient descent: the update rules by hand, and the fast epochs against a loop over single rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.models.svm.linear import LinearSVM
from assay.solvers.sgd import LearningRateSchedule, descend, run_epoch
from tests.noted import noted
from tests.raised import raises

LOSSES = ("hinge", "squared_hinge", "perceptron")


def table(n: int = 60, seed: int = 0, noise: float = 0.5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = (X[:, 0] - X[:, 1] + noise * rng.normal(size=n) > 0.2).astype(int)
    y[:2] = [0, 1]
    return X, y


def naive(X, y, rows, a, b, surrogate, l2, eta):  # type: ignore[no-untyped-def]
    """The loop as it is written in the lecture."""
    for k in rows:
        margin = y[k] * (a @ X[k] + b)
        pull = 0.0
        if surrogate == "hinge" and margin < 1:
            pull = 1.0
        if surrogate == "squared_hinge" and margin < 1:
            pull = 2 * (1 - margin)
        if surrogate == "perceptron" and margin <= 0:
            pull = 1.0
        a, b = a - eta * (l2 * a - pull * y[k] * X[k]), b - eta * (-pull * y[k])
    return a, b


def test_the_hinge_step_by_step_by_hand() -> None:
    X, y = np.array([[1.0, 2.0], [3.0, -1.0]]), np.array([1.0, -1.0])
    eta, l2 = 0.5, 0.1
    # Row 0: f = 0 < 1, so a <- 0 + 0.5 (1, 2), b <- 0.5.
    a, b = run_epoch(X, y, np.array([0]), np.zeros(2), 0.0, "hinge", l2, eta)
    np.testing.assert_allclose(a, [0.5, 1.0])
    assert b == 0.5
    # Row 0 again: f = 0.5 + 2 + 0.5 = 3 >= 1, so a <- (1 - 0.05) a and b stays.
    a, b = run_epoch(X, y, np.array([0]), a, b, "hinge", l2, eta)
    np.testing.assert_allclose(a, [0.475, 0.95])
    assert b == 0.5
    # Row 1: y f = -(1.425 - 0.95 + 0.5) < 1, so a <- 0.95 a - 0.5 (3, -1), b <- 0.
    a, b = run_epoch(X, y, np.array([1]), a, b, "hinge", l2, eta)
    np.testing.assert_allclose(a, [0.95 * 0.475 - 1.5, 0.95 * 0.95 + 0.5])
    assert b == 0.0


def test_the_first_loss_step_by_step_by_hand() -> None:
    X, y = np.array([[1.0], [2.0]]), np.array([1.0, -1.0])
    # On the boundary a row is not yet right: a <- 1, b <- 1.
    a, b = run_epoch(X, y, np.array([0]), np.zeros(1), 0.0, "perceptron", 0.5, 1.0)
    assert (a.tolist(), b) == ([1.0], 1.0)
    # y f = 2 > 0 has no loss, unlike the hinge that a small margin would still move: only the penalty acts.
    a, b = run_epoch(X, y, np.array([0]), a, b, "perceptron", 0.5, 1.0)
    assert (a.tolist(), b) == ([0.5], 1.0)
    # Row 1: y f = -(1 + 1) < 0, so a <- 0.5 · 0.5 - 2, b <- 0.
    a, b = run_epoch(X, y, np.array([1]), a, b, "perceptron", 0.5, 1.0)
    assert (a.tolist(), b) == ([-1.75], 0.0)


@given(
    seed=st.integers(0, 1000),
    surrogate=st.sampled_from(LOSSES),
    l2=st.sampled_from([1e-4, 0.01, 0.3]),
    eta=st.sampled_from([0.01, 0.1]),
    noise=st.sampled_from([0.0, 1.0]),
)
@settings(max_examples=40, deadline=None)
def test_epochs_are_those_of_the_loop(seed: int, surrogate: str, l2: float, eta: float, noise: float) -> None:
    X, codes = table(50, seed, noise)
    y, rng = 2.0 * codes - 1.0, np.random.default_rng(seed)
    a, b = rng.normal(size=3), 0.3
    rows = rng.integers(0, 50, 3000)
    for steps in (1, 2, 17, 3000):
        fast = run_epoch(X, y, rows[:steps], a, b, surrogate, l2, eta)
        slow = naive(X, y, rows[:steps], a, b, surrogate, l2, eta)
        np.testing.assert_allclose(fast[0], slow[0], rtol=1e-8, atol=1e-10)
        assert fast[1] == pytest.approx(slow[1], rel=1e-8, abs=1e-10)


def test_step_lengths_and_epochs() -> None:
    assert LearningRateSchedule(3, 2.0, 5.0, 1).lengths() == pytest.approx([2 / 6, 2 / 7, 2 / 8])
    assert LearningRateSchedule(2, 1.0, 4.0, 0).lengths() == pytest.approx([1 / 4, 1 / 5])
    X, y = table()
    asked: list[int] = []

    def rows(epoch: int) -> np.ndarray:
        asked.append(epoch)
        return np.arange(60)

    found = descend(
        X, 2.0 * y - 1, np.full(60, 1 / 60), rows, "hinge", 0.01, LearningRateSchedule(4, 1.0, 10.0, 1)
    )
    a, b = np.zeros(3), 0.0
    for e in (1, 2, 3, 4):
        a, b = naive(X, 2.0 * y - 1, range(60), a, b, "hinge", 0.01, 1 / (e + 10))
    np.testing.assert_allclose(found.a, a)
    assert asked == [0, 1, 2, 3] and len(found.history) == 4


def test_an_epoch_has_a_step_for_each_row() -> None:
    X, y = table(35)
    model = LinearSVM(solver="sgd", epochs=3)
    rows = model._rows(np.ones(35))
    assert [len(rows(e)) for e in range(3)] == [35, 35, 35]
    assert not np.array_equal(rows(0), rows(1))
    assert len(LinearSVM(steps_per_epoch=7)._rows(np.ones(35))(0)) == 7


def test_rows_are_drawn_in_proportion_to_their_weights() -> None:
    weight = np.array([1.0, 0.0, 2.0, 5.0, 0.0])
    drawn = LinearSVM(steps_per_epoch=80_000)._rows(weight)(0)
    shares = np.bincount(drawn, minlength=5) / 80_000
    np.testing.assert_allclose(shares, weight / 8, atol=0.01)
    assert shares[1] == shares[4] == 0.0


@pytest.mark.parametrize(("surrogate", "m"), [("hinge", 2.0), ("squared_hinge", 0.5)])
def test_both_solvers_agree_in_the_objective(surrogate: str, m: float) -> None:
    X, y = table(200)
    exact = LinearSVM(0.05, surrogate=surrogate).fit(X, y)
    steps = LinearSVM(0.05, surrogate=surrogate, solver="sgd", epochs=200, m=m, n=20.0).fit(X, y)
    best, reached = exact.history_[-1][0], steps.history_[-1][0]
    assert best <= reached * (1 + 1e-6) and reached <= 1.02 * best
    # The gap of the descent is a true, if wide, certificate.
    assert all(value * (1 - gap) <= best * (1 + 1e-9) for value, gap in steps.history_)


def test_the_seed_decides() -> None:
    X, y = table()
    one, same, other = (LinearSVM(solver="sgd", random_state=s).fit(X, y).coef_ for s in (1, 1, 2))
    assert np.array_equal(one, same) and not np.array_equal(one, other)


def test_a_descent_that_diverges_says_so() -> None:
    X, y = table()
    with raises("N043", first=1):
        LinearSVM(10.0, solver="sgd", m=1e3, n=0.0, steps_per_epoch=1000).fit(X, y)


def test_more_classes_and_constant_columns() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 2)) * 0.4 + np.array([[0.0, 3.0], [3.0, 0.0], [-3.0, -3.0]])[y]
    model = LinearSVM(0.01, solver="sgd").fit(np.column_stack([X, np.full(120, 2.0)]), y)
    assert model.score(np.column_stack([X, np.full(120, 2.0)]), y) == 1.0
    assert model.coef_.shape == (3, 3) and noted(model.diagnostics_, "M300", columns=(2,))


def test_descent_begins_at_the_starting_weights() -> None:
    X, y = table()
    start = np.array([[0.5, -1.0, 0.25, 2.0]])
    model = LinearSVM(0.1, solver="sgd", epochs=1, steps_per_epoch=1, start=start).fit(X, y)
    assert not np.allclose(
        model.coef_, LinearSVM(0.1, solver="sgd", epochs=1, steps_per_epoch=1).fit(X, y).coef_
    )
    eta, after = 1.0 / 11.0, []
    for x, side in zip(X, np.where(y == 1, 1.0, -1.0), strict=True):
        pull = side * (start[0, :-1] @ x + start[0, -1]) < 1
        a = start[0, :-1] - eta * (0.1 * start[0, :-1] - pull * side * x)
        after.append([*a, start[0, -1] + eta * pull * side])
    found = np.append(model.coef_, model.intercept_)
    assert np.isclose(np.array(after), found, rtol=1e-12).all(axis=1).any()


def test_three_boundaries_begin_at_their_own_weights() -> None:
    X, y = table()
    y = np.where(X[:, 2] > 1, 2, y)
    start = np.arange(12.0).reshape(3, 4)
    model = LinearSVM(0.1, solver="sgd", epochs=1, steps_per_epoch=1, m=1e-12, start=start).fit(X, y)
    np.testing.assert_allclose(
        np.column_stack([model.coef_, model.intercept_]), start, rtol=1e-10, atol=1e-10
    )


def test_a_row_on_the_edge_of_the_loss_without_a_margin_pulls() -> None:
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    a, b = run_epoch(X, y, np.array([0]), np.zeros(1), 0.0, "perceptron", 0.1, 0.5)
    assert (a.tolist(), b) == ([0.5], 0.5)
