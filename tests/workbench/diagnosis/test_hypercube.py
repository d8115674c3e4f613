"""Formulas of the uniform cube against counting, simulating and enumerating."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.workbench.diagnosis.hypercube import (
    Cube,
    empty_proportion,
    grid,
    shell_volume,
    single_proportion,
    squared_distances,
    uniform_norm,
    uniform_spread,
)
from tests.commands.tables import category, joined, matrix, numbers


def test_the_shell_of_three_dimensions() -> None:
    assert shell_volume(0.05, 3) == pytest.approx(1 - 0.95**3) == pytest.approx(0.142625)
    assert shell_volume(0.05, np.array([0, 3])).tolist() == [0.0, pytest.approx(0.142625)]


@pytest.mark.parametrize("d", [1, 2, 3, 20])
def test_uniform_rows_show_what_the_formulas_say(d: int) -> None:
    x = np.random.default_rng(d).uniform(-1, 1, size=(200_000, d))
    assert (np.abs(x).max(axis=1) > 0.95).mean() == pytest.approx(shell_volume(0.05, d), abs=0.005)
    assert (x * x).sum(axis=1).mean() == pytest.approx(uniform_norm(d), rel=0.01)
    apart = ((x[::2] - x[1::2]) ** 2).sum(axis=1)
    assert apart.std() / apart.mean() == pytest.approx(uniform_spread(d), rel=0.01)


@pytest.mark.parametrize(("rows", "bins"), [(0, 3), (1, 1), (1, 4), (4, 3), (5, 2)])
def test_shares_of_bins_by_enumeration(rows: int, bins: int) -> None:
    every = [np.bincount(falls, minlength=bins) for falls in itertools.product(range(bins), repeat=rows)]
    counts = np.array([np.zeros(bins) if rows == 0 else c for c in every])
    assert empty_proportion(rows, bins) == pytest.approx((counts == 0).mean())
    assert single_proportion(rows, bins) == pytest.approx((counts == 1).mean())


@given(st.integers(1, 10**7), st.integers(1, 3000))
def test_the_grid_has_a_row_a_bin_and_no_axis_to_spare(rows: int, d: int) -> None:
    per_axis, axes = grid(rows, d)
    assert per_axis**axes <= rows
    assert 0 <= axes <= d
    if per_axis == 3:
        assert axes == d
    else:
        assert axes == d or 2 ** (axes + 1) > rows


def test_columns_are_scaled_to_the_cube_and_those_that_do_not_vary_left_out() -> None:
    table = joined(
        numbers(a=[1, 3, 2, np.nan], b=[5, 5, 5, 5], c=[np.nan] * 4, d=[-1e308, 1e308, 0, np.inf]),
        category("e", ["x", "y", "x", "y"]),
    )
    cube = Cube.of(table)
    assert cube.names == ("a", "d")
    np.testing.assert_array_equal(cube.axis(0), [-1, 1, 0, np.nan])
    np.testing.assert_array_equal(cube.axis(1), [-1, 1, 0, np.nan])


@given(st.integers(2, 6), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_distances_are_those_of_a_double_loop(n: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, size=(n, d))
    x[rng.random((n, d)) < 0.3] = np.nan
    expected = []
    for a, b in itertools.combinations(range(n), 2):
        squares = [(x[a, j] - x[b, j]) ** 2 for j in range(d) if not math.isnan(x[a, j] - x[b, j])]
        expected.append(sum(squares) * d / len(squares) if squares else math.nan)
    np.testing.assert_allclose(squared_distances(x), expected, atol=1e-12)


@given(st.floats(1e-3, 1e3), st.floats(-1e3, 1e3))
def test_the_cube_does_not_know_units(scale: float, shift: float) -> None:
    x = np.random.default_rng(0).normal(size=(30, 2))
    plain, moved = Cube.of(matrix(x)), Cube.of(matrix(scale * x + shift))
    for j in range(2):
        np.testing.assert_allclose(plain.axis(j), moved.axis(j), atol=1e-8)
