"""Neighbours among whole numbers, by products of 16-bit integers where they fit, against Python's integers."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core

Array = np.ndarray[Any, Any]
EDGE = 16383  # its square is the most that the squares of a row may add up to


def search(X: Array, Q: Array, k: int, *, products: bool = True, threads: int = 2) -> tuple[Array, Array]:
    near, distances = np.empty((len(Q), k), np.int32), np.empty((len(Q), k))
    _core.neighbors.nearest(X, Q, None, None, 1, 0, None, 0, 0, products, threads, near, distances)
    return near, distances


def exact(X: Array, Q: Array, k: int) -> tuple[Array, Array]:
    """Order by (squared distance, row) in 64-bit integers."""
    squares = ((Q[:, None, :].astype(np.int64) - X[None].astype(np.int64)) ** 2).sum(axis=2)
    order = np.argsort(squares, axis=1, kind="stable")[:, :k]
    return order, np.sqrt(np.take_along_axis(squares, order, 1).astype(float))


def agrees(X: Array, Q: Array, k: int, expected: tuple[Array, Array]) -> bool:
    found = search(X, Q, k)
    return np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])


@settings(max_examples=80, deadline=None)
@given(
    st.integers(1, 150), st.integers(17, 60), st.integers(1, 9), st.sampled_from([1, 2, 255, 5000, EDGE, 40_000]),
    st.floats(0.05, 1.0), st.integers(0, 10**6), st.booleans(),
)  # fmt: skip
def test_any_whole_numbers(
    rows: int, queries: int, width: int, most: int, share: float, seed: int, single: bool
) -> None:
    """Numbers that fit 16 bits and that do not, few of them or many other than zero."""
    rng = np.random.default_rng(seed)
    X, Q = (
        rng.integers(-most, most + 1, (count, width)) * (rng.uniform(size=(count, width)) < share)
        for count in (rows, queries)
    )
    k = int(rng.integers(1, rows + 1))
    dtype = np.float32 if single else np.float64
    assert agrees(X.astype(dtype), Q.astype(dtype), k, exact(X, Q, k))


@pytest.mark.parametrize("most", [EDGE, EDGE + 1, 32767, 32768, 65536, 2**24])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_at_the_edge_of_the_range(most: int, width: int) -> None:
    corners = np.array([most, -most, most - 1, 1 - most, 0, 1])
    X = np.zeros((90, width), np.int64)
    X[np.arange(90), np.arange(90) % width] = corners[np.arange(90) % 6]
    assert agrees(X.astype(float), X[::-1].astype(float), 90, exact(X, X[::-1], 90))


@pytest.mark.parametrize("width", [4127, 4128, 9000])
def test_more_columns_than_32_bits_can_sum(width: int) -> None:
    """4127 columns of 255 are the most that the sums have room for."""
    X = np.random.default_rng(0).integers(0, 2, (40, width)) * 255
    X[0], X[1] = 255, 0
    Q = np.concatenate([255 - X, -X])
    assert agrees(X.astype(np.float32), Q.astype(np.float32), 40, exact(X, Q, 40))


@pytest.mark.parametrize("rest", [0.5, 1e-9, 5e-324, -1e-300, 2.0**-20])
@pytest.mark.parametrize("where", ["rows", "queries"])
def test_one_number_that_is_not_whole_is_not_rounded(rest: float, where: str) -> None:
    rng = np.random.default_rng(1)
    X, Q = rng.integers(0, 4, (300, 5)).astype(float), rng.integers(0, 4, (300, 5)).astype(float)
    odd = X if where == "rows" else Q
    odd[299, 4] = rest
    found, expected = search(X, Q, 30), search(X, Q, 30, products=False)
    assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])
    if rest >= 1e-9:  # it tells rows apart that were equally far
        odd[299, 4] = 0.0
        assert not np.array_equal(found[1], search(X, Q, 30)[1])


@pytest.mark.parametrize("value", [0.0, -0.0, 7.0])
def test_constant_tables_list_the_first_rows(value: float) -> None:
    X = np.full((500, 3), value)
    near, distances = search(X, X[:30], 9)
    assert (near == np.arange(9)).all() and (distances == 0.0).all()


def test_the_same_bits_for_any_number_of_threads() -> None:
    rng = np.random.default_rng(2)
    X = rng.integers(0, 256, (2500, 30)) * (rng.uniform(size=(2500, 30)) < 0.2)
    expected = exact(X, X[:700], 20)
    for threads in (1, 2, 3, 8):
        found = search(X.astype(np.float32), X[:700].astype(np.float32), 20, threads=threads)
        assert np.array_equal(found[0], expected[0]) and np.array_equal(found[1], expected[1])


SCRIPT = """
import hashlib, numpy as np
from assay import _core
rng = np.random.default_rng(3)
X = (rng.integers(-9, 256, (1500, 21)) * (rng.uniform(size=(1500, 21)) < 0.4)).astype(float)
near, distances = np.empty((500, 12), np.int32), np.empty((500, 12))
_core.neighbors.nearest(X, X[:500], None, None, 1, 0, None, 0, 0, True, 2, near, distances)
print(hashlib.sha256(near.tobytes() + distances.tobytes()).hexdigest())
"""


def test_every_kind_of_processor_gives_the_same_bits() -> None:
    kinds = ["portable", "avx2", "avx512"]
    found = set()
    for isa in kinds[: kinds.index(_core.isa()) + 1]:  # those that run here
        environment = {**os.environ, "ASSAY_ISA": isa}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
        )
        found.add(run.stdout)
    assert len(found) == 1
