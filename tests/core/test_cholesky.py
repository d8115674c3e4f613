"""Cholesky factors of many matrices at once, and systems solved with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import cho_factor, cho_solve

from assay import _core


def factors(matrices: np.ndarray, diagonals: np.ndarray, threads: int = 1) -> tuple[np.ndarray, np.ndarray]:
    count, size = diagonals.shape
    out, good = np.full((count, _core.factor_size(size)), np.nan), np.zeros(count, dtype=bool)
    _core.cholesky_factors(matrices, diagonals, threads, out, good)
    return out, good


def positive(count: int, size: int) -> np.ndarray:
    A = np.random.default_rng(size).normal(size=(count, size, size + 2))
    return A @ np.swapaxes(A, 1, 2) + 0.1 * np.eye(size)


@pytest.mark.parametrize("size", [1, 2, 5, 6, 7, 8, 13, 24, 51])
@pytest.mark.parametrize("threads", [1, 2])
def test_solutions_are_those_of_lapack(size: int, threads: int) -> None:
    A, d = positive(4, size), np.random.default_rng(0).uniform(0.0, 2.0, (4, size))
    factor, good = factors(A, d, threads)
    assert good.all()
    which = np.array([2, 0, 2, 3, 1])
    right = np.random.default_rng(1).normal(size=(5, size))
    found = right.copy()
    _core.cholesky_solve(factor, which, threads, found)
    for m, b, x in zip(which, right, found, strict=True):
        np.testing.assert_allclose(x, cho_solve(cho_factor(A[m] + np.diag(d[m])), b), rtol=1e-9, atol=1e-11)


def test_threads_change_no_bit() -> None:
    A, d = positive(6, 160), np.zeros((6, 160))
    one, three = factors(A, d, 1)[0], factors(A, d, 3)[0]
    assert np.array_equal(one, three)
    solutions = [np.ones((6, 160)) for _ in range(2)]
    for threads, right in zip((1, 3), solutions, strict=True):
        _core.cholesky_solve(one, np.arange(6), threads, right)
    assert np.array_equal(*solutions)


@pytest.mark.parametrize("at", [0, 4, 9])
@pytest.mark.parametrize("value", [-1.0, 0.0, np.nan])
def test_a_matrix_that_is_not_positive_definite_is_named(at: int, value: float) -> None:
    A = np.stack([np.eye(10)] * 3)
    A[1, at, at] = value
    assert factors(A, np.zeros((3, 10)))[1].tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"matrices": np.zeros((2, 3, 4))}, "square"),
        ({"diagonals": np.zeros((2, 4))}, "do not fit"),
        ({"factors": np.zeros((2, 3))}, "do not fit"),
        ({"good": np.zeros(3, dtype=bool)}, "do not fit"),
    ],
)
def test_arrays_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    given: dict[str, Any] = {
        "matrices": positive(2, 3), "diagonals": np.zeros((2, 3)), "threads": 1,
        "factors": np.zeros((2, _core.factor_size(3))), "good": np.zeros(2, dtype=bool),
    }  # fmt: skip
    with pytest.raises(ValueError, match=sentence):
        _core.cholesky_factors(**{**given, **change})


def test_a_factor_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no such factor"):
        _core.cholesky_solve(np.zeros((2, _core.factor_size(3))), np.array([0, 2]), 1, np.zeros((2, 3)))
