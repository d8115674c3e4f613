"""Neighbours among rows of bits and numbers: those of whole rows, to the last bit."""

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
from assay.sharing.neighbors.rows import NUMBER, PatternRows, Patterns
from tests.core.near_twin import search
from tests.core.structs import nearest_patterns

Array = np.ndarray[Any, Any]
KINDS = ("levels", "few patterns", "one pattern", "scattered", "ties", "bits alone", "tiny", "huge")


def rows_of(kind: str, count: int, width: int, seed: int) -> Array:
    """Mostly columns of two values, of very different size."""
    rng = np.random.default_rng(seed)
    share = {"levels": 0.05, "few patterns": 0.002, "one pattern": 0.0}.get(kind, 0.5)
    X = (rng.random((count, width)) < share) * rng.gamma(0.5, size=width) * 3.0 + rng.normal(size=width)
    numeric = [] if kind == "bits alone" else rng.choice(width, max(1, width // 8), replace=False)
    for j in numeric:
        X[:, j] = rng.integers(0, 3, count) if kind == "ties" else rng.normal(size=count)
    return X * {"tiny": 1e-140, "huge": 1e140}.get(kind, 1.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("count", "width", "k"), [(300, 16, 300), (2000, 37, 9), (900, 70, 60), (1200, 131, 1)]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_neighbours_of_whole_rows(kind: str, count: int, width: int, k: int, dtype: Any) -> None:
    if kind in ("tiny", "huge") and dtype == np.float32:
        kind = "levels"
    X = rows_of(kind, count, width, 3).astype(dtype)
    Q = np.concatenate([X[:90], X[:5] + X[5:10]])
    for queries in (X[:90], Q):
        near, distances = search(X, queries, k, products=True)
        direct, measured = search(X, queries, k, products=False)
        assert np.array_equal(near, direct) and np.array_equal(distances, measured)


@pytest.mark.parametrize("part", [0, 1, 2])
def test_groups_and_the_row_itself(part: int) -> None:
    X = rows_of("levels", 700, 40, 5)
    group = np.random.default_rng(1).integers(-1, 5, 700).astype(np.int32)
    itself = np.arange(700)
    found = []
    for products in (True, False):
        near, distances = np.empty((700, 150), np.int32), np.empty((700, 150))
        _core.neighbors.nearest(
            X, X, group, np.abs(group), 5, part, itself, 0, 0, products, 2, near, distances
        )
        found.append((near, distances))
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
    assert part != 2 or (found[0][0] == -1).any()


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(KINDS[:6]), st.integers(17, 150), st.integers(1, 30), st.integers(0, 10**6))
def test_some_rows_of_a_table_among_others(kind: str, width: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rows_of(kind, 200, width, seed)
    patterns = Patterns.of(X)
    assert patterns is not None
    rows = PatternRows.of(patterns, [])
    assert np.array_equal(rows.kind == NUMBER, [len(np.unique(column)) > 2 for column in X.T])
    chosen = rng.random(200) < 0.6
    train, test = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    near = rows.nearest(train, test, min(k, len(train)), 1)
    direct, measured = search(X[train], X[test], min(k, len(train)), products=False)
    assert np.array_equal(near.rows, train[direct]) and np.array_equal(near.distances, measured)


def test_the_same_bits_for_any_number_of_threads() -> None:
    X = rows_of("levels", 2500, 60, 2)
    one, three = (search(X, X, 20, products=True, threads=threads) for threads in (1, 3))
    assert np.array_equal(one[0], three[0]) and np.array_equal(one[1], three[1])


@pytest.mark.parametrize("isa", ["portable", "avx2"])
def test_every_kind_of_processor(isa: str) -> None:
    """Kernels of other processors find the same rows as measuring every pair with them."""
    program = (
        "import sys, numpy as np; from assay import _core; from tests.core.near_twin import search\n"
        "from tests.core.neighbors.test_binary_columns import rows_of\n"
        "if _core.isa() != sys.argv[1]: sys.exit(0)\n"
        "X = rows_of('levels', 600, 45, 1)\n"
        "a, b = (search(X, X, 30, products=each) for each in (True, False))\n"
        "assert np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1])\n"
    )
    environment = {**os.environ, "ASSAY_ISA": isa}
    done = subprocess.run(
        [sys.executable, "-c", program, isa], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0 or b"names no kernels" in done.stderr


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": np.full(20, 3, np.uint8)}, "no such kind"),
        ({"step": np.ones(19)}, "do not fit together"),
        ({"bits": np.zeros((4, 2), np.uint64)}, "a bit for every column"),
        ({"numbers": np.zeros((4, 1))}, "a bit for every column"),
        ({"rows": np.array([4], np.int32)}, "no such row"),
        ({"queries": np.array([-1], np.int32)}, "no such row"),
        ({"step": np.full(20, 1e200)}, "too large"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change: dict[str, Any], sentence: str) -> None:
    given: dict[str, Any] = {
        "bits": np.zeros((4, 1), np.uint64), "numbers": np.zeros((4, 0)), "kind": np.ones(20, np.uint8),
        "step": np.ones(20), "rows": np.arange(3, dtype=np.int32), "queries": np.array([3], np.int32),
        "threads": 1, "near": np.zeros((1, 1), np.int32), "distances": np.zeros((1, 1)),
    }  # fmt: skip
    with pytest.raises(ValueError, match=sentence):
        nearest_patterns(**{**given, **change})
