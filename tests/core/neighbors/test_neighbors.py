"""Neighbours, distances and votes of the core against the same written out in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import _core
from assay.numerics.distances import Space
from assay.numerics.neighbors import OTHERS, OWN, Near, NeighborGroups, Tree, fold_lists, merged, nearest
from tests.core.near_twin import Array, brute, points, search

EUCLID = Space("euclidean")
KINDS = ("normal", "whole", "equal", "outlier", "clusters", "large", "small")
CASES = [
    *((kind, dtype) for kind in KINDS for dtype in (np.float32, np.float64)),
    *((kind, np.float64) for kind in ("huge", "tiny")),
]


@pytest.mark.parametrize(("kind", "dtype"), CASES)
@pytest.mark.parametrize(("rows", "width", "k"), [(90, 1, 90), (500, 3, 7), (3000, 19, 60), (1200, 64, 1)])
def test_products_find_what_measuring_every_pair_finds(
    kind: str, rows: int, width: int, k: int, dtype: Any
) -> None:
    X = points(kind, rows, width, 1).astype(dtype)
    Q = np.concatenate([X[:40], points(kind, 35, width, 2).astype(dtype), 1e3 * X[:2] + 1])
    near, distances = search(X, Q, k, products=True)
    direct, measured = search(X, Q, k, products=False)
    assert np.array_equal(near, direct) and np.array_equal(distances, measured)
    expected, lengths = brute(X, Q, k)
    np.testing.assert_allclose(distances, lengths, rtol=1e-12)
    if kind in ("normal", "whole", "equal"):
        assert np.array_equal(near, expected)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 200), st.integers(1, 30), st.integers(1, 9), st.integers(0, 10**6), st.booleans())
def test_any_table_of_small_whole_numbers(
    rows: int, queries: int, width: int, seed: int, single: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (rows, width)).astype(np.float32 if single else np.float64)
    Q = rng.integers(0, 3, (queries + 16, width)).astype(X.dtype)
    k = int(rng.integers(1, rows + 1))
    near, distances = search(X, Q, k, products=True)
    expected, lengths = brute(X, Q, k)
    assert np.array_equal(near, expected) and np.array_equal(distances, lengths)


@pytest.mark.parametrize("kind", ["normal", "whole"])
def test_the_same_bits_for_any_number_of_threads(kind: str) -> None:
    X = points(kind, 2500, 11, 3)
    first = search(X, X[:700], 20, products=True, threads=1)
    for threads in (2, 3, 8):
        again = search(X, X[:700], 20, products=True, threads=threads)
        assert np.array_equal(first[0], again[0]) and np.array_equal(first[1], again[1])


def test_a_guess_that_is_too_low_is_made_again() -> None:
    """Panels that are looked at first hold all rows near the queries: the others are farther than guessed."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 4)) + 50.0
    order = np.arange(20_000)
    for stride in (1, 7, 16, 48, 256):
        X[(order % stride) == stride - 1] = rng.normal(size=4) * 1e-3
    Q = rng.normal(size=(60, 4)) * 1e-3
    assert np.array_equal(search(X, Q, 40, products=True)[0], search(X, Q, 40, products=False)[0])


@pytest.mark.parametrize("part", [OTHERS, OWN])
@pytest.mark.parametrize("queries", [10, 400])
def test_groups_and_the_row_itself(part: int, queries: int) -> None:
    X = points("whole", 400, 3, 5)
    group = np.random.default_rng(6).integers(-2, 4, 400).astype(np.int32)
    wanted = np.maximum(group[:queries], 0)
    itself = np.arange(queries)
    found = nearest(EUCLID, X, X[:queries], 5, itself=itself, groups=NeighborGroups(group, wanted, part))
    same = wanted[:, None] == group[None]
    allowed = (same if part == OWN else ~same) & (group >= 0) & (itself[:, None] != np.arange(400))
    expected, lengths = brute(X, X[:queries], 5, allowed)
    assert np.array_equal(found.rows, expected) and np.array_equal(found.distances, lengths)


def test_places_without_a_row_are_marked() -> None:
    X = np.arange(4.0)[:, None]
    for queries in (X, np.repeat(X, 8, axis=0)):
        found = nearest(EUCLID, X, queries, 6)
        assert (found.rows[:, 4:] == -1).all() and np.isinf(found.distances[:, 4:]).all()


def test_lists_of_folds_and_of_all_others_from_one_pass() -> None:
    X = points("whole", 600, 4, 7)
    fold = np.random.default_rng(8).integers(0, 5, 600).astype(np.int32)
    others, everyone = fold_lists(X, 12, fold)
    expected, lengths = brute(X, X, 12, fold[:, None] != fold)
    assert np.array_equal(others.rows, expected) and np.array_equal(others.distances, lengths)
    expected, lengths = brute(X, X, 12, ~np.eye(600, dtype=bool))
    assert np.array_equal(everyone.rows, expected) and np.array_equal(everyone.distances, lengths)


def test_merged_lists_keep_the_order() -> None:
    one = Near(np.array([[4, 1]], np.int32), np.array([[0.5, 2.0]]))
    two = Near(np.array([[0, -1]], np.int32), np.array([[2.0, np.inf]]))
    found = merged(one, two)
    assert found.rows.tolist() == [[4, 0]] and found.distances.tolist() == [[0.5, 2.0]]


@pytest.mark.parametrize("kind", ["normal", "whole", "equal"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_tree_gives_the_same_answers(kind: str, dtype: Any) -> None:
    X = points(kind, 700, 2, 9).astype(dtype)
    Q = np.concatenate([X[:50], points(kind, 50, 2, 10).astype(dtype)])
    for k in (1, 6, 700):
        found, expected = Tree(X).nearest(Q, k), nearest(EUCLID, X, Q, k)
        assert np.array_equal(found.rows, expected.rows) and np.array_equal(
            found.distances, expected.distances
        )
    own = np.arange(700)
    found, expected = Tree(X).nearest(X, 9, itself=own), nearest(EUCLID, X, X, 9, itself=own)
    assert np.array_equal(found.rows, expected.rows) and np.array_equal(found.distances, expected.distances)


def votes(near: Array, distances: Array, codes: Array, weight: Any, k: float, by_distance: bool) -> Array:
    """One list, one size, written out."""
    out, mass = np.zeros(int(codes.max()) + 1), 0.0
    for row, distance in zip(near, distances, strict=True):
        part = min(1.0 if weight is None else weight[row], k - mass)
        if distances[0] == 0.0:
            voice = 1.0 if distance == 0.0 or not by_distance else 0.0
        else:
            voice = distances[0] / distance if by_distance else 1.0
        out[codes[row]] += part * voice
        mass += part
        if mass >= k:
            break
    return out / out.sum()


@pytest.mark.parametrize("by_distance", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_votes_written_out(by_distance: bool, weighted: bool) -> None:
    rng = np.random.default_rng(11)
    X, codes = points("whole", 200, 2, 12), rng.integers(0, 4, 200).astype(np.int32)
    weight = rng.uniform(0.4, 2.0, 200) if weighted else None
    near = nearest(EUCLID, X, X[:50] + 0.1 * rng.integers(0, 2, (50, 1)), 60)
    sizes = np.array([1.0, 2.0, 5.0, 20.0])
    out, short = np.empty((4, 50, 4)), np.empty(50, np.uint8)
    left = _core.neighbors.vote(
        near.rows, near.distances, codes, weight, sizes, by_distance, False, 2, short, out
    )
    assert left == 0 and not short.any()
    for s, k in enumerate(sizes):
        for i in range(50):
            expected = votes(near.rows[i], near.distances[i], codes, weight, k, by_distance)
            np.testing.assert_allclose(out[s, i], expected, rtol=1e-12, atol=1e-15)


def test_lists_that_are_too_short_are_told_unless_there_are_no_more_rows() -> None:
    near, distances = np.array([[0, 1]], np.int32), np.array([[1.0, 2.0]])
    codes, sizes = np.array([0, 1], np.int32), np.array([2.0, 3.0])
    out, short = np.zeros((2, 1, 2)), np.zeros(1, np.uint8)
    assert (
        _core.neighbors.vote(near, distances, codes, None, sizes, False, False, 1, short, out) == 1
        and short[0] == 1
    )
    assert _core.neighbors.vote(near, distances, codes, None, sizes, False, True, 1, short, out) == 0
    assert out[:, 0].tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("by_distance", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_votes_for_models_that_see_some_rows_and_some_several_times(
    by_distance: bool, weighted: bool
) -> None:
    rng = np.random.default_rng(4)
    X, codes = points("whole", 90, 2, 12), rng.integers(0, 3, 90).astype(np.int32)
    weight = rng.uniform(0.4, 2.0, 90) if weighted else None
    near = nearest(EUCLID, X, X[:20], 90)
    cell, copies = rng.integers(-1, 3, (2, 90)).astype(np.int32), np.array([[0, 1, 3], [2, 0, 1]], np.uint16)
    model, place = rng.integers(0, 2, 50).astype(np.int32), rng.integers(0, 20, 50).astype(np.int32)
    layer, unit, sizes = np.array([1, 0], np.int32), np.array([0.5, 2.0]), np.array([2.0, 7.0])
    out, short = np.zeros((2, 50, 3)), np.zeros(50, np.uint8)
    _core.neighbors.vote(
        near.rows, near.distances, codes, weight, sizes, by_distance, False, 2, short, out,
        place=place, model=model, unit=unit if weighted else None, cell=cell, layer=layer, copies=copies,
    )  # fmt: skip
    assert not short.any()
    for i in range(50):
        own = cell[layer[model[i]]][near.rows[place[i]]]
        often = np.where(own >= 0, copies[model[i]][own], 0)
        rows, distances = (np.repeat(each[place[i]], often) for each in (near.rows, near.distances))
        scaled = None if weight is None else weight * unit[model[i]]
        for s, k in enumerate(sizes):
            expected = votes(rows, distances, codes, scaled, k, by_distance)
            np.testing.assert_allclose(out[s, i], expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"model": None}, "need models"),
        ({"place": np.array([1], np.int32)}, "no such list"),
        ({"model": np.array([1], np.int32)}, "no such model"),
        ({"layer": None}, "belong together"),
        ({"layer": np.array([1], np.int32)}, "no such layer"),
        ({"cell": np.array([[0, 2]], np.int32)}, "no such cell"),
        ({"unit": np.ones(2)}, "unit for every model"),
    ],
)
def test_models_that_do_not_fit_are_refused(change: dict[str, Any], sentence: str) -> None:
    one = np.zeros(1, np.int32)
    given: dict[str, Any] = {
        "place": one, "model": one, "unit": np.ones(1), "cell": np.zeros((1, 2), np.int32), "layer": one,
        "copies": np.ones((1, 2), np.uint16),
    }  # fmt: skip
    lists = np.zeros((1, 1), np.int32), np.zeros((1, 1)), np.array([0, 1], np.int32), None, np.ones(1)
    with pytest.raises(ValueError, match=sentence):
        _core.neighbors.vote(
            *lists, False, False, 1, np.zeros(1, np.uint8), np.zeros((1, 1, 2)), **{**given, **change}
        )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"queries": np.ones((2, 2))}, "same columns"),
        ({"queries": np.ones((2, 3), np.float32)}, "precision"),
        ({"rows": np.ones((3, 5)).T}, "one after the other"),
        ({"part": 1}, "parts need groups"),
        ({"row_group": np.array([0, 0, 0, 0, 3], np.int32)}, "no such group"),
        ({"metric": 4}, "no such metric"),
        ({"metric": 1, "by_products": True}, "sums of squares only"),
        ({"distances": np.empty((2, 1))}, "do not fit"),
        ({"itself": np.zeros(5, np.int64)}, "do not fit"),
    ],
)
def test_arrays_that_do_not_fit(change: dict[str, Any], sentence: str) -> None:
    given = {
        "rows": np.ones((5, 3)), "queries": np.ones((2, 3)), "row_group": None, "query_group": None, "groups": 1,
        "part": 0, "itself": None, "metric": 0, "numeric": 0, "by_products": False, "threads": 1,
        "near": np.empty((2, 2), np.int32), "distances": np.empty((2, 2)),
    }  # fmt: skip
    with pytest.raises(ValueError, match=sentence):
        _core.neighbors.nearest(**{**given, **change})
