"""k-means with bounds against Lloyd's steps written out."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from assay.solvers.kmeans import STARTS, kmeans, nearest_centers, starts
from tests.raised import raises
from tests.solvers.lloyd import plain_lloyd, squares

Array = np.ndarray[Any, Any]


def points(kind: str, rows: int, width: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, width))
    if kind == "blobs":
        X = X + 12.0 * rng.integers(0, 5, (rows, 1))
    if kind == "offset":  # nearer to each other than single precision can tell
        X = 1e-6 * X + 1e3 * rng.integers(0, 3, (rows, 1))
    if kind == "outlier":
        X[rows // 2] = 1e7
    if kind == "skewed":
        X = np.exp(2.0 * X)
    return X * {"huge": 1e140, "tiny": 1e-140, "large": 1e15, "small": 1e-18}.get(kind, 1.0)


KINDS = ("normal", "blobs", "offset", "outlier", "skewed", "large", "small")
CASES = [
    *((kind, dtype) for kind in KINDS for dtype in (np.float32, np.float64)),
    *((kind, np.float64) for kind in ("huge", "tiny")),
]


def same(X: Array, start: Array, weights: Array | None, max_iter: int = 60, threads: int = 2) -> None:
    found = kmeans(X, start, weights=weights, max_iter=max_iter, threads=threads)
    unit = float(np.abs(X).max())  # the plain steps have no room for huge squares
    centers, labels, history, converged = plain_lloyd(X.astype(float) / unit, start / unit, weights, max_iter)
    assert np.array_equal(found.labels, labels)
    assert found.converged == converged and found.n_iter == len(history) - 1 == len(found.history) - 1
    np.testing.assert_allclose(found.centers / unit, centers, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(found.history / unit / unit, history, rtol=1e-8, atol=1e-24)
    assert found.error == found.history[-1] and (np.diff(found.history) <= 0.0).all()
    assert np.array_equal(nearest_centers(X, found.centers), found.labels)


@pytest.mark.parametrize(("kind", "dtype"), CASES)
@pytest.mark.parametrize(
    ("rows", "width", "groups"), [(60, 1, 7), (2500, 3, 20), (700, 37, 9), (300, 8, 100)]
)
def test_bounds_give_what_lloyd_gives(kind: str, dtype: Any, rows: int, width: int, groups: int) -> None:
    X = points(kind, rows, width, 1).astype(dtype)
    rng = np.random.default_rng(2)
    for method in STARTS:
        weights = rng.uniform(0.0, 3.0, rows) if method == "random" else None
        same(X, starts(X, groups, method, rng, weights), weights)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_ties_go_to_the_first_centre(dtype: Any) -> None:
    """Whole numbers between centres of few digits: many rows have two nearest centres or more."""
    grid = np.stack(np.meshgrid(*[np.arange(5)] * 3), axis=-1).reshape(-1, 3).astype(dtype)
    centers = np.array([[1.0, 1, 1], [3, 1, 1], [1, 1, 1], [3, 3, 3], [1, 3, 1], [1, 1, 3]])
    found = kmeans(grid, centers, max_iter=0)
    apart = squares(grid, centers)
    assert ((apart == apart.min(axis=1, keepdims=True)).sum(axis=1) > 1).sum() > 40
    assert np.array_equal(found.labels, apart.argmin(axis=1))
    assert np.array_equal(nearest_centers(grid, centers), found.labels)
    assert not found.converged and found.n_iter == 0


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 120), st.integers(1, 6), st.integers(0, 10**6), st.booleans(), st.booleans())
def test_any_table_of_small_whole_numbers(
    rows: int, width: int, seed: int, single: bool, weigh: bool
) -> None:
    """Duplicates and ties everywhere: the first assignment is Lloyd's, and E never rises."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (rows, width)).astype(np.float32 if single else np.float64)
    weights = rng.integers(0, 3, rows).astype(float) if weigh else None
    if weights is not None:
        weights[rng.integers(rows)] = 1.0
    groups = int(rng.integers(1, 1 + (rows if weights is None else (weights > 0).sum())))
    start = starts(X, groups, STARTS[seed % 2], rng, weights)
    once = kmeans(X, start, weights=weights, max_iter=0)
    assert np.array_equal(once.labels, squares(X, start).argmin(axis=1))
    found = kmeans(X, start, weights=weights)
    assert (np.diff(found.history) <= 0.0).all() and found.converged
    apart = squares(X, found.centers)
    near = apart.min(axis=1)
    assert (apart[np.arange(rows), found.labels] <= near + 1e-12).all()
    w = np.ones(rows) if weights is None else weights
    np.testing.assert_allclose(found.error, (w * near).sum() / w.sum(), rtol=1e-9, atol=1e-13)
    for k in range(groups):
        if w[found.labels == k].sum() > 0:
            mean = np.average(X[found.labels == k], axis=0, weights=w[found.labels == k])
            np.testing.assert_allclose(found.centers[k], mean, rtol=1e-12, atol=1e-13)


def test_a_whole_weight_is_the_row_so_many_times() -> None:
    X = points("normal", 300, 4, 3)
    weights = np.random.default_rng(4).integers(0, 4, 300)
    start = X[weights > 0][:8]
    one = kmeans(X, start, weights=weights.astype(float))
    many = kmeans(np.repeat(X, weights, axis=0), start)
    assert np.array_equal(np.repeat(one.labels, weights), many.labels)
    np.testing.assert_allclose(one.centers, many.centers, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(one.history, many.history, rtol=1e-12)


def test_weights_of_any_size_do_not_change_the_groups() -> None:
    X = points("normal", 200, 3, 5)
    weights = np.random.default_rng(6).uniform(0.1, 1.0, 200)
    one = kmeans(X, X[:5], weights=weights)
    for factor in (1e300, 1e-300):
        again = kmeans(X, X[:5], weights=weights * factor)
        assert np.array_equal(one.labels, again.labels)
        np.testing.assert_allclose(one.history, again.history, rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_empty_groups_take_the_farthest_rows(dtype: Any) -> None:
    X = points("normal", 400, 5, 7).astype(dtype)
    start = np.concatenate([X[:3].astype(float), np.full((4, 5), 1e3) + np.arange(4)[:, None]])
    same(X, start, None)
    found = kmeans(X, start)
    assert found.moved >= 4 and found.empty == 0
    assert np.bincount(found.labels, minlength=7).min() > 0


def test_more_groups_than_different_rows_leave_some_empty() -> None:
    X = np.repeat(np.array([[0.1, 0.7], [3.3, 1e-3]]), 20, axis=0)
    found = kmeans(X, X[[0, 1, 20, 21, 22]])
    assert found.empty == 3 and found.converged and found.error < 1e-30
    assert set(found.labels) == {0, 2}


def test_steps_end_when_little_is_gained() -> None:
    X = points("normal", 3000, 4, 8)
    whole, early = kmeans(X, X[:12]), kmeans(X, X[:12], tolerance=1e-3)
    assert early.converged and early.n_iter < whole.n_iter
    gains = -np.diff(early.history) / early.history[1:]
    assert gains[-1] <= 1e-3 and (gains[:-1] > 1e-3).all()
    assert np.array_equal(early.history[:-1], whole.history[: early.n_iter]) or np.allclose(
        early.history, whole.history[: early.n_iter + 1], rtol=1e-13
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_same_bits_for_any_number_of_threads(dtype: Any) -> None:
    X = points("normal", 9000, 7, 9).astype(dtype)
    weights = np.random.default_rng(1).uniform(0.0, 1.0, 9000)
    start = starts(X, 15, "k-means++", np.random.default_rng(2), weights, threads=1)
    one = kmeans(X, start, weights=weights, max_iter=25, threads=1)
    for threads in (2, 3, 8):
        drawn = starts(X, 15, "k-means++", np.random.default_rng(2), weights, threads=threads)
        assert np.array_equal(start, drawn)
        many = kmeans(X, start, weights=weights, max_iter=25, threads=threads)
        assert np.array_equal(one.labels, many.labels)
        assert np.array_equal(one.centers, many.centers) and np.array_equal(one.history, many.history)
        assert np.array_equal(nearest_centers(X, one.centers, threads), one.labels)


PROGRAM = """
import hashlib, numpy as np
from assay import _core
from assay.solvers.kmeans import kmeans
X = np.random.default_rng(0).integers(0, 9, (2000, 11)).astype(np.float32)
found = kmeans(X, X[:16].astype(float), max_iter=30)
print(_core.isa(), hashlib.sha256(found.labels.tobytes()).hexdigest())
"""


def test_every_kind_of_processor_finds_the_same_groups() -> None:
    X = np.random.default_rng(0).integers(0, 9, (2000, 11)).astype(np.float32)
    labels = plain_lloyd(X, X[:16].astype(float), max_iter=30)[1].astype(np.int32)
    expected = hashlib.sha256(labels.tobytes()).hexdigest()
    for isa in ("portable", _core.isa()):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "ASSAY_ISA": isa},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == [isa, expected]


def test_starts_are_rows_that_lie_apart() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([np.full((500, 2), place) for place in (0.0, 5.0, 50.0)]) + 0.01 * rng.normal(
        size=(1500, 2)
    )
    for seed in range(20):
        drawn = starts(X, 3, "k-means++", np.random.default_rng(seed))
        assert len({round(float(row[0]) / 5) for row in drawn}) == 3
        assert all((X == row).all(axis=1).any() for row in drawn)


def test_random_starts_are_as_likely_as_their_weights() -> None:
    X, weights = np.arange(4.0)[:, None], np.array([0.0, 1.0, 1.0, 6.0])
    for method in STARTS:
        drawn = [starts(X, 1, method, np.random.default_rng(seed), weights)[0, 0] for seed in range(800)]
        shares = np.bincount(np.array(drawn, dtype=int), minlength=4) / 800
        np.testing.assert_allclose(shares, weights / 8.0, atol=0.06)


def test_rows_that_are_all_equal_still_give_as_many_starts() -> None:
    X = np.ones((5, 2))
    assert starts(X, 4, "k-means++", np.random.default_rng(0)).shape == (4, 2)


def test_an_unknown_start_is_refused() -> None:
    with raises("N041", method="best"):
        starts(np.ones((3, 1)), 1, "best", np.random.default_rng(0))


def test_arrays_that_do_not_fit_are_refused() -> None:
    X, labels = np.ones((4, 2)), np.empty(4, np.int32)
    with pytest.raises(ValueError, match="fit together"):
        _core.cluster.lloyd(X, None, 5, 0.0, 1, np.ones((2, 3)), labels)
    with pytest.raises(ValueError, match="fit together"):
        _core.cluster.lloyd(X, np.ones(3), 5, 0.0, 1, np.ones((2, 2)), labels)
    with pytest.raises(ValueError, match="no such row"):
        _core.cluster.closer(X, None, np.array([4], np.int32), np.ones(4), 1, np.empty((1, 4)), np.empty(1))
