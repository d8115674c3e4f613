"""Coordinate descent on quadratics with absolute values, against plain NumPy and the conditions of a minimum."""

from __future__ import annotations

import numpy as np
import pytest

from assay import _core
from tests.core import twins


def problem(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(2 * count, count)) * rng.uniform(0.1, 3.0, count)
    start = rng.normal(size=count) * (rng.random(count) < 0.5)
    return A.T @ A / (2 * count), rng.normal(size=count), start, rng.uniform(0.0, 1.0, count)


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 40])
def test_every_sweep_is_the_twin(count: int) -> None:
    hessian, gradient, start, l1 = problem(count)
    for sweeps in (1, 2, 5, 10_000):
        out = np.empty(count)
        made = _core.logistic.coordinate_descent(hessian, gradient, start, l1, sweeps, 1e-9, out)
        expected, turns = twins.coordinate_descent(hessian, gradient, start, l1, sweeps, 1e-9)
        assert made == turns
        np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_end_is_a_minimum(seed: int) -> None:
    hessian, gradient, start, l1 = problem(30, seed)
    out = np.empty(30)
    assert _core.logistic.coordinate_descent(hessian, gradient, start, l1, 10_000, 1e-12, out) > 0
    slope = gradient + hessian @ (out - start)
    used = out != 0.0
    assert 0 < used.sum() < 30
    np.testing.assert_allclose(slope[used], -(l1 * np.sign(out))[used], atol=1e-10)
    assert (np.abs(slope[~used]) <= l1[~used] + 1e-10).all()


def test_coordinates_without_curvature_stay() -> None:
    out = np.empty(3)
    hessian = np.diag([2.0, 0.0, 1.0])
    made = _core.logistic.coordinate_descent(
        hessian, np.array([1.0, 5.0, 0.5]), np.array([0.0, 7.0, 0.0]), np.array([0.0, 1.0, 1.0]), 9, 0.0, out
    )
    assert made > 0 and out.tolist() == [-0.5, 7.0, 0.0]


def test_what_does_not_fit_is_refused() -> None:
    three = np.zeros(3)
    with pytest.raises(ValueError, match="fit together"):
        _core.logistic.coordinate_descent(np.eye(2), three, three, three, 1, 0.0, np.empty(3))
    with pytest.raises(ValueError, match="square matrix"):
        _core.logistic.coordinate_descent(np.zeros(9), three, three, three, 1, 0.0, np.empty(3))
