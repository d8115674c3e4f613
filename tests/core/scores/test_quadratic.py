"""Quadratic scores of rows that are mostly zeros: the same figures by a shorter way, chosen row by row."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.scores_twin import assert_close, parameters, run, twin


def rows_of_few_entries(n: int, width: int, seed: int = 0) -> np.ndarray:
    """Numbers in the first two columns, a single 1 in every five of the others, as one-hot columns are."""
    rng = np.random.default_rng(seed)
    X = np.zeros((n, width))
    X[:, :2] = rng.normal(size=(n, 2))
    for first in range(2, width, 5):
        some = np.minimum(first + rng.integers(0, 5, n), width - 1)
        X[np.arange(n), some] = 1.0
    return X


@pytest.mark.parametrize("width", [12, 31, 32, 33, 64, 107])
@pytest.mark.parametrize("kind", ["quadratic", "triangular"])
def test_equal_the_twin(kind: str, width: int) -> None:
    X = rows_of_few_entries(700, width)
    X[::7] = np.random.default_rng(1).normal(size=X[::7].shape)  # dense rows among them
    X[5] = 0.0
    values = parameters(kind, 3, 2, width, 40)
    models = np.random.default_rng(2).integers(0, 3, 700).astype(np.int32)
    assert_close(run(kind, X, values, None, models), twin(kind, X, values, None, models))


@pytest.mark.parametrize("kind", ["quadratic", "triangular"])
def test_a_large_mean_does_not_cancel(kind: str) -> None:
    """The mean of column 0 is large beside its spread: x W - mean W would lose all that counts."""
    X = rows_of_few_entries(300, 40)
    mean, whitener, bias = parameters(kind, 1, 2, 40, 40)
    X[:, 0] += 1e9
    mean[..., 0] += 1e9
    X[3] = 0.0  # and here the column is far from its mean
    near = [i for i in range(300) if i != 3]
    found, expected = (way(kind, X, (mean, whitener, bias)) for way in (run, twin))
    assert_close(found[near], expected[near])
    assert_close(found[3], expected[3])


@pytest.mark.parametrize("kind", ["quadratic", "triangular"])
def test_neighbours_and_threads_do_not_change_a_bit(kind: str) -> None:
    X = rows_of_few_entries(9000, 60)
    X[::3] = np.random.default_rng(1).normal(size=X[::3].shape)
    values = parameters(kind, 1, 3, 60, 60)
    together = run(kind, X, values, threads=2)
    assert np.array_equal(together, run(kind, X, values, threads=1))
    for i in (0, 1, 2, 255, 256, 8999):
        assert np.array_equal(together[i : i + 1], run(kind, X[i : i + 1], values))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_no_number_is_passed_on_in_its_row_alone(value: float) -> None:
    X = rows_of_few_entries(300, 40)
    values = parameters("triangular", 1, 2, 40, 40)
    clean = run("triangular", X, values)
    X[17, 30] = value
    found = run("triangular", X, values)
    assert not np.isfinite(found[17]).any()
    assert np.array_equal(np.delete(found, 17, axis=0), np.delete(clean, 17, axis=0))


def test_negative_zero_is_zero() -> None:
    X = rows_of_few_entries(100, 40)
    values = parameters("triangular", 1, 2, 40, 40)
    assert np.array_equal(
        run("triangular", np.where(X == 0.0, -0.0, X), values), run("triangular", X, values)
    )
