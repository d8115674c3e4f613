"""Neighbours from lists in the order of a bound: what is sure is what measuring every pair finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from tests.core.near_twin import brute, points

Array = np.ndarray[Any, Any]
FACTOR, SLACK = 1.0 + 1e-9, 1e-12


def listed(
    Z: Array,
    query: Array,
    place: Array,
    lists: Array,
    bounds: Array,
    allowed: Array,
    k: int,
    threads: int = 2,
) -> tuple[Array, Array, Array]:
    near, distances = np.empty((len(query), k), np.int32), np.empty((len(query), k))
    sure = np.empty(len(query), np.uint8)
    among = _core.neighbors.Candidates(query, place, lists, bounds, allowed, FACTOR, SLACK)
    _core.neighbors.nearest_listed(Z, among, threads, near, distances, sure)
    return near, distances, sure.astype(bool)


@settings(max_examples=40, deadline=None)
@given(
    kind=st.sampled_from(["normal", "whole", "equal"]),
    length=st.integers(1, 80),
    k=st.integers(1, 12),
    spread=st.sampled_from([0.0, 0.02, 1.0]),
    seed=st.integers(0, 10**6),
)
def test_sure_lists_hold_the_nearest(kind: str, length: int, k: int, spread: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    Z = points(kind, 70, 5, seed)
    least = 1.0 - spread * rng.random(5)
    allowed = rng.random(70) < 0.7
    query = np.flatnonzero(~allowed).astype(np.int32)[::-1].copy()
    place = np.arange(len(query), dtype=np.int32)[::-1].copy()
    others = ~np.eye(70, dtype=bool)[query]
    order, bounds = brute(Z * least, Z[query] * least, min(length, 70), others)
    order = np.where(np.isfinite(bounds), order, -1).astype(np.int32)
    near, distances, sure = listed(
        Z, query, place, order[place].copy(), bounds[place].copy(), allowed.astype(np.uint8), k
    )
    rows, expected = brute(Z, Z[query], k, np.broadcast_to(allowed, others.shape))
    assert np.array_equal(near[sure], rows[sure])
    np.testing.assert_allclose(distances[sure], expected[sure], rtol=1e-14)
    beyond = bounds[:, -1] > expected[:, -1] * FACTOR + 2.0 * SLACK
    assert sure[beyond].all()
    assert not sure[bounds[:, -1] < expected[:, -1]].any()


def test_the_same_bits_for_any_number_of_threads() -> None:
    Z, allowed = points("normal", 700, 9, 1), np.ones(700, np.uint8)
    query = np.arange(700, dtype=np.int32)
    order, bounds = brute(Z, Z, 30, ~np.eye(700, dtype=bool))
    order = order.astype(np.int32)
    one, four = (listed(Z, query, query, order, bounds, allowed, 20, threads) for threads in (1, 4))
    assert all(np.array_equal(a, b) for a, b in zip(one, four, strict=True))
    assert one[2].all()


def test_no_query_is_answered_with_nothing() -> None:
    none = np.empty(0, np.int32)
    near, _, sure = listed(
        np.ones((3, 2)), none, none, np.zeros((3, 2), np.int32), np.ones((3, 2)), np.ones(3, np.uint8), 2
    )
    assert near.shape == (0, 2) and len(sure) == 0


@pytest.mark.parametrize(
    ("query", "place", "row", "sentence"),
    [(9, 0, 0, "no such query"), (0, 9, 0, "no such list"), (0, 0, 9, "no such row")],
)
def test_numbers_beyond_the_rows_are_refused(query: int, place: int, row: int, sentence: str) -> None:
    def one(value: int) -> Array:
        return np.array([value], np.int32)

    with pytest.raises(ValueError, match=sentence):
        listed(
            np.ones((3, 2)), one(query), one(place), np.full((3, 1), row, np.int32), np.ones((3, 1)),
            np.ones(3, np.uint8), 1,
        )  # fmt: skip
