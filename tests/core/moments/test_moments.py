"""The grouped-moments kernels against their NumPy twins."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from tests.core import twins

# Around the tiles of 256 and 1024 rows and the strands of 16 384.
SIZES = [1, 2, 255, 256, 257, 1023, 1025, 16383, 16384, 16385, 40_000]


def case(n: int, width: int, cells: int, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Rows, cells (some -1: left out; some never used), weights (some 0) and centers near the means."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width)) * 10.0 ** rng.integers(-3, 4, width) + 3.0
    cell = rng.integers(-1, cells, n).astype(np.int32)
    weight = rng.choice([0.0, 0.25, 1.0, 3.5], n)
    center = rng.normal(size=(cells, width)) * 0.1 + 3.0
    return X, cell, weight, center


def run_diagonal(X, cell, weight, center, present=True, threads=2) -> dict[str, np.ndarray]:
    out = {name: np.zeros(center.shape) for name in ("sum", "square", "present")}
    total = np.zeros(len(center))
    there = out["present"] if present else None
    _core.moments.diagonal_moments(X, cell, weight, center, threads, total, out["sum"], out["square"], there)
    return {"total": total, **out}


def run_full(X, cell, weight, center, pool, fill=None, flags=None, threads=2) -> tuple[np.ndarray, ...]:
    cells, width = center.shape
    total, sums, product = np.zeros(cells), np.zeros((cells, width)), np.zeros((cells // pool, width, width))
    _core.moments.full_moments(X, cell, weight, center, pool, fill, flags, threads, total, sums, product)
    return total, sums, product


def assert_close(found: np.ndarray, expected: np.ndarray, X: np.ndarray) -> None:
    """To rounding of a sum over the rows: relative to the largest term the sum can have, feature by feature."""
    size = np.abs(X).max(axis=0, initial=0.0) + 3.0
    unit = {1: np.ones(1), 2: size, 3: size[:, None] * size}[found.ndim]
    assert found.shape == expected.shape
    np.testing.assert_allclose(found / unit, expected / unit, rtol=1e-12, atol=4e-14 * max(len(X), 1))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", SIZES)
def test_diagonal_equals_the_twin_at_every_size(n: int, weighted: bool) -> None:
    X, cell, weight, center = case(n, 5, 7)
    w = weight if weighted else None
    expected = twins.diagonal_moments(X, cell, w, center)
    found = run_diagonal(X, cell, w, center, present=False)
    for name in ("total", "sum"):
        assert_close(found[name], expected[name], X)
    assert_close(found["square"], expected["square"], X**2)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("pool", [1, 3])
def test_full_equals_the_twin_at_every_size(n: int, pool: int, weighted: bool) -> None:
    X, cell, weight, center = case(n, 6, 6)
    w = weight if weighted else None
    found = run_full(X, cell, w, center, pool)
    for ours, theirs in zip(found, twins.full_moments(X, cell, w, center, pool), strict=True):
        assert_close(ours, theirs, X)
    assert np.array_equal(found[2], np.swapaxes(found[2], 1, 2))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("layout", twins.LAYOUTS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (300, 1), (300, 9), (2500, 17)])
def test_memory_order_and_width_do_not_matter(
    shape: tuple[int, int], layout: str, dtype: type, tmp_path: Path
) -> None:
    X, cell, weight, center = case(*shape, 4)
    X = X.astype(dtype)
    table = twins.LAYOUTS[layout](X, tmp_path)
    assert np.array_equal(table, X)
    plain = np.ascontiguousarray(X, dtype=np.float64)
    for pool in (1, 4):
        found = run_full(table, cell, weight, center, pool)
        for ours, theirs in zip(found, run_full(plain, cell, weight, center, pool), strict=True):
            assert np.array_equal(ours, theirs)
    found, same = run_diagonal(table, cell, weight, center), run_diagonal(plain, cell, weight, center)
    assert all(np.array_equal(found[name], same[name]) for name in found)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [1, 256, 20_000])
def test_missing_values_are_skipped_and_counted(n: int, weighted: bool) -> None:
    X, cell, weight, center = case(n, 5, 3)
    X[np.random.default_rng(1).random(X.shape) < 0.3] = np.nan
    X[0] = np.nan
    w = weight if weighted else None
    expected = twins.diagonal_moments(X, cell, w, center)
    found = run_diagonal(X, cell, w, center)
    size = np.nan_to_num(X)
    for name in ("total", "sum", "present"):
        assert_close(found[name], expected[name], size)
    assert_close(found["square"], expected["square"], size**2)


def test_nan_shows_where_it_is_not_to_be_skipped() -> None:
    X, cell, _, center = case(600, 4, 2)
    X[np.flatnonzero(cell == 1)[5], 2] = np.nan
    diagonal = run_diagonal(X, cell, None, center, present=False)
    assert np.argwhere(np.isnan(diagonal["sum"])).tolist() == [[1, 2]]
    _, sums, product = run_full(X, cell, None, center, 1)
    assert np.argwhere(np.isnan(sums)).tolist() == [[1, 2]]
    assert (
        np.isfinite(product[0]).all() and np.isnan(product[1, 2]).all() and np.isnan(product[1, :, 2]).all()
    )
    assert np.isfinite(np.delete(np.delete(product[1], 2, 0), 2, 1)).all()


def test_a_row_of_weight_zero_or_without_a_cell_is_not_even_read() -> None:
    X, cell, weight, center = case(400, 3, 2)
    out = (cell < 0) | (weight == 0)
    X[out] = np.nan
    found = run_diagonal(X, cell, weight, center, present=False)
    full = run_full(X, cell, weight, center, 1)
    keep = ~out
    expected = twins.full_moments(X[keep], cell[keep], weight[keep], center, 1)
    assert_close(found["sum"], expected[1], X[keep])
    assert_close(full[2], expected[2], X[keep])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("flags", [[], [1], [0, 4]])
@pytest.mark.parametrize("pool", [1, 3])
def test_gaps_are_filled_and_flagged(pool: int, flags: list[int], order: str, dtype: type) -> None:
    X, cell, weight, _ = case(700, 5, 3)
    X = np.asarray(X, dtype=dtype, order=order)
    X[np.random.default_rng(2).random(X.shape) < 0.2] = np.nan
    fill, which = np.arange(5.0), np.array(flags, dtype=np.int32)
    center = np.random.default_rng(3).normal(size=(3, 5 + len(flags)))
    rows = twins.filled(X, fill, which)
    found = run_full(X, cell, weight, center, pool, fill, which)
    for ours, theirs in zip(found, twins.full_moments(rows, cell, weight, center, pool), strict=True):
        assert_close(ours, theirs, rows)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [1, 255, 257, 1500, 20_000])
@pytest.mark.parametrize("pool", [0, 1, 3])
def test_replicates_equal_weighted_passes(pool: int, n: int, weighted: bool) -> None:
    X, cell, weight, center = case(n, 4, 3)
    times = np.random.default_rng(4).poisson(1.0, (5, n)).astype(np.uint16)
    times[2, 0] = 9  # more often than the patterns of multiplicities know
    w = weight if weighted else None
    inner = (3, 4) if pool == 0 else (3 // pool, 4, 4)
    total, rows = np.zeros((5, 3)), np.zeros((5, 3))
    sums, product = np.zeros((5, 3, 4)), np.zeros((5, *inner))
    times[0, :1] = 9  # more often than a pattern can say
    _core.moments.replicate_moments(X, cell, w, center, times, pool, 2, total, rows, sums, product)
    for b in range(5):
        drawn = times[b] * (1.0 if w is None else w)
        assert rows[b].tolist() == [int(((cell == c) & (drawn > 0)).sum()) for c in range(3)]
        if pool:
            expected = twins.full_moments(X, cell, drawn, center, pool)
        else:
            twin = twins.diagonal_moments(X, cell, drawn, center)
            expected = twin["total"], twin["sum"], twin["square"]
        assert_close(total[b], expected[0], X)
        assert_close(sums[b], expected[1], X)
        assert_close(product[b], expected[2], X if pool else X**2)


@pytest.mark.parametrize("threads", [1, 2, 3, 8, 100])
def test_threads_do_not_change_a_bit(threads: int) -> None:
    X, cell, weight, center = case(70_000, 9, 12)
    one, many = (run_full(X, cell, weight, center, 4, threads=t) for t in (1, threads))
    assert all(np.array_equal(a, b) for a, b in zip(one, many, strict=True))
    one, many = (run_diagonal(X, cell, weight, center, threads=t) for t in (1, threads))
    assert all(np.array_equal(one[name], many[name]) for name in one)


@pytest.mark.parametrize("n", [0, 5])
def test_no_rows_and_no_columns_give_empty_sums(n: int, capfd: pytest.CaptureFixture[str]) -> None:
    for width in (0, 3):
        X, center = np.ones((n, width)), np.zeros((2, width))
        cell = np.zeros(n, dtype=np.int32)
        total, sums, product = run_full(X, cell, None, center, 1)
        assert total.tolist() == [n, 0] == run_diagonal(X, cell, None, center)["total"].tolist()
        assert sums[0].tolist() == [n] * width and product[0].tolist() == [[n] * width] * width
    assert capfd.readouterr() == ("", "")


@given(
    n=st.integers(1, 600),
    width=st.integers(1, 40),
    groups=st.integers(1, 6),
    pool=st.integers(1, 4),
    weighted=st.booleans(),
    order=st.sampled_from("CF"),
    dtype=st.sampled_from([np.float64, np.float32]),
    seed=st.integers(0, 2**32 - 1),
)
@settings(max_examples=120)
def test_any_shape_equals_the_twin(n, width, groups, pool, weighted, order, dtype, seed) -> None:
    X, cell, weight, center = case(n, width, groups * pool, seed)
    X = np.asarray(X, dtype=dtype, order=order)
    rows, w = np.asarray(X, dtype=np.float64), weight if weighted else None
    full = run_full(X, cell, w, center, pool)
    for ours, theirs in zip(full, twins.full_moments(rows, cell, w, center, pool), strict=True):
        assert_close(ours, theirs, rows)
    found, expected = run_diagonal(X, cell, w, center), twins.diagonal_moments(rows, cell, w, center)
    for name in ("total", "sum", "present"):
        assert_close(found[name], expected[name], rows)
    assert_close(found["square"], expected["square"], rows**2)
