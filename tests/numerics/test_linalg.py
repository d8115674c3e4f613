"""Whitening: the inverse covariance as a product, with a stated rule for the singular ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.numerics.linalg import whiten, whiten_all

FLOOR = 1e-9


def covariance(width: int, seed: int = 0, rank: int | None = None) -> np.ndarray:
    root = np.random.default_rng(seed).normal(size=(width, 3 * width if rank is None else rank))
    return root @ root.T / root.shape[1]


def deviations(matrix: np.ndarray) -> np.ndarray:
    return np.sqrt(np.diag(matrix))


def floored_inverse(matrix: np.ndarray, scale: np.ndarray, floor: float) -> np.ndarray:
    """By the rule: eigenvalues of the matrix in units of `scale`, raised to the floor, inverted."""
    values, vectors = np.linalg.eigh(matrix / scale[:, None] / scale)
    return (vectors / np.maximum(values, floor)) @ vectors.T / scale[:, None] / scale


@given(st.integers(1, 25), st.integers(0, 10_000))
@settings(max_examples=60)
def test_the_product_is_the_inverse(width: int, seed: int) -> None:
    matrix = covariance(width, seed)
    found = whiten(matrix, deviations(matrix), FLOOR)
    W = found.whitener
    assert np.array_equal(W, np.triu(W)) and W.flags.c_contiguous
    np.testing.assert_allclose(W @ W.T @ matrix, np.eye(width), atol=1e-9 * np.linalg.cond(matrix))
    assert found.log_determinant == pytest.approx(np.linalg.slogdet(matrix)[1], abs=1e-9)
    assert found.floored == 0


def test_one_by_one() -> None:
    found = whiten(np.array([[16.0]]), np.array([4.0]), FLOOR)
    assert found.whitener.tolist() == [[0.25]]
    assert found.log_determinant == pytest.approx(np.log(16.0))


def test_units_do_not_matter() -> None:
    matrix = covariance(6, 3)
    scale = deviations(matrix)
    units = 10.0 ** np.array([-120.0, -6.0, 0.0, 3.0, 80.0, 140.0])
    plain = whiten(matrix, scale, FLOOR)
    scaled = whiten(matrix * units[:, None] * units, scale * units, FLOOR)
    np.testing.assert_allclose(scaled.whitener * units[:, None], plain.whitener, rtol=1e-12)
    assert scaled.log_determinant == pytest.approx(plain.log_determinant + 2 * np.log(units).sum())


def test_units_do_not_matter_where_the_floor_is_used() -> None:
    matrix = covariance(5, 4, rank=3)
    scale = deviations(matrix)
    units = 10.0 ** np.array([-9.0, -3.0, 0.0, 3.0, 9.0])
    plain = whiten(matrix, scale, FLOOR)
    scaled = whiten(matrix * units[:, None] * units, scale * units, FLOOR)
    assert plain.floored == scaled.floored == 2
    x = np.random.default_rng(5).normal(size=5) * scale
    distances = [((x @ plain.whitener) ** 2).sum(), (((x * units) @ scaled.whitener) ** 2).sum()]
    assert distances[0] == pytest.approx(distances[1], rel=1e-5)


def test_distances_along_the_floor_keep_their_digits() -> None:
    """The same direction is singular for both classes: what is left of two distances of 1e10 is a small number."""
    covariances, scale = (
        np.array([[[4.5, 1.5], [1.5, 0.5]], [[2.25, 0.75], [0.75, 0.25]]]),
        np.array([1.5, 0.5]),
    )
    whiteners, _, floored = whiten_all(covariances, np.stack([scale, scale]), FLOOR)
    assert floored.tolist() == [1, 1]
    away = np.array([-2.0, 2.0])  # in units of `scale`, along (1, 1) by u and across it by v
    u, v = (away / scale).sum() / np.sqrt(2.0), (away / scale) @ [1.0, -1.0] / np.sqrt(2.0)
    first, second = (((away @ whitener) ** 2).sum() for whitener in whiteners)
    assert first == pytest.approx(v**2 / FLOOR + u**2 / 4.0, rel=1e-14)
    assert first - second == pytest.approx(u**2 / 4.0 - u**2 / 2.0, abs=1e-4)


@pytest.mark.parametrize("rank", [1, 3, 7])
def test_directions_without_variance_get_the_floor(rank: int) -> None:
    matrix = covariance(8, 6, rank=rank)
    scale = deviations(matrix)
    found = whiten(matrix, scale, FLOOR)
    assert found.floored == 8 - rank
    assert np.isfinite(found.whitener).all() and np.isfinite(found.log_determinant)
    expected = floored_inverse(matrix, scale, FLOOR)
    np.testing.assert_allclose(
        found.whitener @ found.whitener.T, expected, rtol=1e-5, atol=1e-6 * expected.max()
    )
    assert found.log_determinant == pytest.approx(-np.linalg.slogdet(expected)[1], abs=1e-4)


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-8])
def test_nearly_singular_but_above_the_floor_is_left_alone(gap: float) -> None:
    matrix = np.array([[1.0, 1.0 - gap], [1.0 - gap, 1.0]])
    found = whiten(matrix, np.ones(2), FLOOR)
    assert found.floored == 0
    W = found.whitener
    np.testing.assert_allclose(W @ W.T, np.linalg.inv(matrix), rtol=1e-6)
    assert found.log_determinant == pytest.approx(np.log(gap * (2 - gap)), rel=1e-6)


def test_nearly_singular_below_the_floor_is_raised_to_it() -> None:
    matrix = np.array([[1.0, 1.0 - 1e-12], [1.0 - 1e-12, 1.0]])
    found = whiten(matrix, np.ones(2), FLOOR)
    assert found.floored == 1
    away = np.array([1.0, -1.0]) / np.sqrt(2.0)
    assert ((away @ found.whitener) ** 2).sum() == pytest.approx(1.0 / FLOOR, rel=1e-6)


def test_a_shade_below_zero_is_raised_too() -> None:
    matrix = np.array([[1.0, 1.0 + 1e-15], [1.0 + 1e-15, 1.0]])
    found = whiten(matrix, np.ones(2), FLOOR)
    assert found.floored == 1 and np.isfinite(found.whitener).all()


@pytest.mark.parametrize("constant", [[0], [3], [1, 2], [0, 1, 2, 3]])
def test_constant_features_are_left_out(constant: list[int]) -> None:
    matrix = covariance(4, 7)
    matrix[constant] = 0.0
    matrix[:, constant] = 0.0
    found = whiten(matrix, deviations(matrix), FLOOR)
    rest = np.setdiff1d(np.arange(4), constant)
    assert not found.whitener[constant].any() and not found.whitener[:, constant].any()
    inner = found.whitener[np.ix_(rest, rest)]
    np.testing.assert_allclose(inner @ inner.T @ matrix[np.ix_(rest, rest)], np.eye(len(rest)), atol=1e-10)
    expected = np.linalg.slogdet(matrix[np.ix_(rest, rest)])[1] if len(rest) else 0.0
    assert found.log_determinant == pytest.approx(expected)
    assert found.floored == 0


def test_a_class_without_any_spread_gets_the_floor_everywhere() -> None:
    found = whiten(np.zeros((3, 3)), np.array([1.0, 2.0, 4.0]), FLOOR)
    assert found.floored == 3
    np.testing.assert_allclose(np.abs(np.diag(found.whitener)), FLOOR**-0.5 / np.array([1.0, 2.0, 4.0]))


def test_the_rule_does_not_change_the_input() -> None:
    matrix = covariance(4, 8, rank=2)
    before, scale = matrix.copy(), deviations(matrix)
    whiten(matrix, scale, FLOOR)
    assert np.array_equal(matrix, before)


def test_a_stack_is_whitened_to_the_bits_of_each() -> None:
    plain, thin, wide = covariance(6, 1), covariance(6, 2, rank=3), covariance(6, 3)
    units = deviations(plain)
    scales = np.stack([units, deviations(thin), deviations(wide), np.where(np.arange(6) == 2, 0.0, units)])
    stack = np.stack([plain, thin, wide, plain])
    stack, scales = (
        np.append(stack, [1e10 * np.eye(6)], axis=0),
        np.append(scales, [np.full(6, 1e-160)], axis=0),
    )
    whitener, log_determinant, floored = whiten_all(stack, scales, FLOOR)
    assert floored.tolist()[:4] == [0, 3, 0, 0]
    for i, (matrix, scale) in enumerate(zip(stack, scales, strict=True)):
        one = whiten(matrix, scale, FLOOR)
        assert np.array_equal(whitener[i], one.whitener)
        assert log_determinant[i] == pytest.approx(one.log_determinant, rel=1e-15)
        assert floored[i] == one.floored


def test_an_empty_stack() -> None:
    whitener, log_determinant, floored = whiten_all(np.zeros((0, 3, 3)), np.zeros((0, 3)), FLOOR)
    assert whitener.shape == (0, 3, 3) and len(log_determinant) == len(floored) == 0
