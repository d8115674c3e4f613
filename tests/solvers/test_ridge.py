"""Ridge equations: twins by explicit inverse, singular systems, paths, and NIST's certified coefficients."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.solvers.ridge import ridge_path, solve_ridge
from tests.realdata import load_csv
from tests.solvers.equations import equations


@given(
    n=st.integers(8, 40),
    width=st.integers(1, 6),
    l2=st.sampled_from([0.0, 1e-3, 1.0, 50.0]),
    seed=st.integers(0, 99),
)
@settings(max_examples=40)
def test_equals_augmented_least_squares(n: int, width: int, l2: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, targets = rng.normal(size=(n, width)), rng.normal(size=(n, 2))
    centered = X - X.mean(axis=0)
    top = np.vstack([centered / np.sqrt(n), np.sqrt(l2) * np.eye(width)])
    bottom = np.vstack([(targets - targets.mean(axis=0)) / np.sqrt(n), np.zeros((width, 2))])
    expected = np.linalg.lstsq(top, bottom, rcond=None)[0].T
    solved = solve_ridge(*equations(X, targets), l2)
    assert solved.rank == width
    np.testing.assert_allclose(solved.weights, expected, rtol=1e-8, atol=1e-10)


def test_units_cost_no_digits() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    units = np.array([1e-9, 1.0, 1e11])
    targets = X @ np.array([[1.0], [2.0], [-1.0]]) + rng.normal(size=(60, 1))
    plain, scaled = solve_ridge(*equations(X, targets), 0.0), solve_ridge(*equations(X * units, targets), 0.0)
    np.testing.assert_allclose(scaled.weights * units, plain.weights, rtol=1e-11)


def test_collinear_features_share_the_weight() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=50)
    X = np.column_stack([x, x, rng.normal(size=50)])
    solved = solve_ridge(*equations(X, 3.0 * x[:, None]), 0.0)
    assert solved.rank == 2
    np.testing.assert_allclose(solved.weights, [[1.5, 1.5, 0.0]], atol=1e-12)


def test_left_out_features_have_weight_zero() -> None:
    total, target = np.diag([1.0, 0.0]), np.array([[0.5, 0.0]])
    solved = solve_ridge(total, target, np.array([1.0, 0.0]), 0.0)
    assert solved.weights.tolist() == [[0.5, 0.0]] and solved.rank == 1
    nothing = solve_ridge(total, target, np.zeros(2), 0.0)
    assert nothing.weights.tolist() == [[0.0, 0.0]] and nothing.rank == 0
    assert ridge_path(total, target, np.zeros(2), np.array([1.0])).tolist() == [[[0.0, 0.0]]]


@given(seed=st.integers(0, 99), spread=st.sampled_from([0.0, 3.0, 6.0]))
@settings(max_examples=25)
def test_path_equals_single_solutions(seed: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 4)) * 10.0 ** rng.uniform(-spread, spread, size=4)
    problem = equations(X, rng.normal(size=(40, 3)))
    l2 = np.array([0.0, 1e-9, 1e-3, 1.0, 1e4])
    path = ridge_path(*problem, l2)
    for penalty, weights in zip(l2, path, strict=True):
        expected = solve_ridge(*problem, float(penalty)).weights
        np.testing.assert_allclose(weights * problem[2], expected * problem[2], rtol=1e-7, atol=1e-12)


def test_path_of_collinear_features_at_zero() -> None:
    x = np.random.default_rng(2).normal(size=30)
    problem = equations(np.column_stack([x, 2.0 * x]), x[:, None])
    path = ridge_path(*problem, np.array([0.0, 0.5]))
    np.testing.assert_allclose(path[0], solve_ridge(*problem, 0.0).weights)
    np.testing.assert_allclose(path[1], solve_ridge(*problem, 0.5).weights)


def powers(x: np.ndarray, degree: int) -> np.ndarray:
    return np.vander(x, degree + 1, increasing=True)[:, 1:]


def nist(name: str, degree: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, target and certified coefficients, constant first."""
    frame = load_csv("nist_strd_linear_data").query("dataset == @name").dropna(axis=1, how="all")
    certified = load_csv("nist_strd_certified", dtype=str).query("dataset == @name")
    values = certified[certified.statistic.str.fullmatch(r"B\d+")].value.astype(float).to_numpy()
    X = frame.filter(regex=r"^x\d").to_numpy(dtype=float)
    return X if degree is None else powers(X[:, 0], degree), frame["y"].to_numpy(dtype=float), values


# What normal equations can reach: the squares of Wampler's powers cost half of the digits, and the tenth
# powers of Filip more than there are (see the next test).
@pytest.mark.parametrize(
    ("name", "degree", "digits"),
    [
        ("Norris", None, 11.5),
        ("Pontius", 2, 11.0),
        ("Longley", None, 10.5),
        ("Wampler1", 5, 6.0),
        ("Wampler2", 5, 8.5),
        ("Wampler3", 5, 6.0),
        ("Wampler4", 5, 5.5),
        ("Wampler5", 5, 5.5),
    ],
)
def test_certified_coefficients(name: str, degree: int | None, digits: float) -> None:
    X, y, certified = nist(name, degree)
    solved = solve_ridge(*equations(X, y[:, None]), 0.0)
    slopes = solved.weights[0]
    estimate = np.concatenate([[y.mean() - slopes @ X.mean(axis=0)], slopes])
    error = np.abs(estimate - certified) / np.abs(certified)
    assert -np.log10(np.maximum(error.max(), 1e-16)) >= digits


def test_filip_is_reported_as_singular() -> None:
    X, y, _ = nist("Filip", 10)
    assert solve_ridge(*equations(X, y[:, None]), 0.0).rank < 10
