"""Hierarchies against SciPy's, and from the top down."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

from assay import Hierarchy
from assay.models.cluster.hierarchy import LINKAGES
from tests.noted import noted
from tests.raised import Expected, raises

Array = np.ndarray[Any, Any]
THEIRS = {"manhattan": "cityblock"}


def partition(labels: Array) -> list[list[int]]:
    return sorted(np.flatnonzero(labels == each).tolist() for each in np.unique(labels))


def rows(count: int = 60, width: int = 4, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=(count, width))


PAIRS = [
    (link, metric)
    for link in LINKAGES
    for metric in ("euclidean", "manhattan", "cosine", "correlation")
    if link != "ward" or metric == "euclidean"
]


@pytest.mark.parametrize(("link", "metric"), PAIRS)
def test_trees_and_cuts_are_those_of_scipy(link: str, metric: str) -> None:
    X = rows()
    model = Hierarchy(5, linkage=link, metric=metric).fit(X)
    expected = linkage(pdist(X, THEIRS.get(metric, metric)), link)
    np.testing.assert_allclose(model.tree_, expected, rtol=1e-9, atol=1e-12)
    for k in (1, 2, 5, 17, 60):
        assert partition(model.cut(k)) == partition(fcluster(expected, k, "maxclust"))
    assert np.array_equal(model.labels_, model.cut(5))


def test_mahalanobis_is_euclidean_in_whitened_columns() -> None:
    X = rows() @ np.array([[3.0, 1, 0, 0], [0, 1, 0, 0], [0, 0.5, 1, 0], [0, 0, 0, 9]])
    expected = linkage(pdist(X, "mahalanobis"), "average")
    np.testing.assert_allclose(
        Hierarchy(linkage="average", metric="mahalanobis").fit(X).tree_, expected, rtol=1e-7
    )


def test_labels_are_numbered_as_they_occur() -> None:
    model = Hierarchy(3).fit([[9.0], [0.0], [5.0], [9.1], [0.1]])
    assert model.labels_.tolist() == [0, 1, 2, 0, 1]


@pytest.mark.parametrize("direction", ["bottom-up", "top-down"])
def test_planted_groups_are_found(direction: str) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 4, 200)
    X = np.array([[0.0, 0], [20, 0], [0, 20], [20, 20]])[truth] + rng.normal(size=(200, 2))
    model = Hierarchy(4, direction=direction).fit(X)
    assert partition(model.labels_) == partition(truth)


def test_top_down_splits_the_widest_group_each_time() -> None:
    X = rows(200, 2, 3)
    model = Hierarchy(8, direction="top-down").fit(X)
    heights = model.tree_[:, 2]
    assert (np.diff(heights) >= 0).all() and model.tree_[-1, 3] == 8
    assert heights[-1] == pytest.approx(np.sqrt(2 * ((X - X.mean(axis=0)) ** 2).sum()))
    for k in range(2, 9):  # every cut splits one group of the one before
        before, after = model.cut(k - 1), model.cut(k)
        assert len(np.unique(after)) == k
        assert all(len(np.unique(before[after == each])) == 1 for each in range(k))
    with raises("M100", n_clusters=9, leaves=8):
        model.cut(9)


def test_top_down_ends_where_rows_are_equal() -> None:
    model = Hierarchy(5, direction="top-down").fit(np.repeat([[0.0], [1.0], [5.0]], 3, axis=0))
    assert partition(model.labels_) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert noted(model.diagnostics_, "M328", distinct=3)


def test_the_picture_of_a_tree() -> None:
    model = Hierarchy(2, linkage="single").fit([[0.0], [1.0], [10.0], [12.0], [13.0]])
    drawn = model.dendrogram()
    assert drawn.across.shape == drawn.up.shape == (4, 4) and drawn.sizes.tolist() == [1] * 5
    assert drawn.cut == (2.0 + 9.0) / 2 and sorted(drawn.up[:, 1]) == [1.0, 1.0, 2.0, 9.0]
    large = Hierarchy(3).fit(rows(300)).dendrogram(12)
    assert len(large.sizes) == 12 and large.sizes.sum() == 300 and len(large.up) == 11
    top = Hierarchy(6, direction="top-down").fit(rows(300))
    assert sorted(top.dendrogram().sizes) == sorted(np.bincount(top.labels_))
    assert Hierarchy(1).fit(rows(9)).dendrogram().cut is None
    assert Hierarchy(1, direction="top-down").fit(rows(9)).dendrogram().sizes.tolist() == [9]


def test_distances_beyond_memory_are_refused_with_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_MEMORY", "20K")
    with raises("M097", count=60):
        Hierarchy().fit(rows())
    Hierarchy(direction="top-down").fit(rows())


@pytest.mark.parametrize(
    ("settings", "X", "expected"),
    [
        ({"n_clusters": 7}, rows(6), Expected("M103", n_clusters=7, n_rows=6)),
        ({"n_clusters": 0}, rows(6), Expected("M023", name="n_clusters", value=0)),
        ({}, rows(1), Expected("M098")),
        ({}, rows(6) * np.nan, Expected("N028", where="row 0, column 0")),
        ({"metric": "cosine"}, rows(6), Expected("M099", what="linkage='ward'", metric="cosine")),
        (
            {"metric": "cosine", "direction": "top-down"},
            rows(6),
            Expected("M099", what="direction='top-down'"),
        ),
        ({"metric": "cosine", "linkage": "single"}, np.diag([1.0, 0.0]), Expected("N002", row=1, name="X")),
        (
            {"metric": "correlation", "linkage": "single"},
            np.array([[1.0, 2], [3, 3]]),
            Expected("N001", row=1, name="X"),
        ),
        ({"linkage": "middle"}, rows(6), Expected("M023", name="linkage", value="middle")),
    ],
)
def test_bad_input_is_refused_in_one_sentence(settings: dict[str, Any], X: Array, expected: Expected) -> None:
    with raises(expected):
        Hierarchy(**settings).fit(X)


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 25), st.integers(1, 3), st.integers(0, 10**6), st.sampled_from([*LINKAGES, "top-down"]))
def test_any_table_of_small_whole_numbers_gives_nested_groups(
    count: int, width: int, seed: int, link: str
) -> None:
    X = np.random.default_rng(seed).integers(0, 4, (count, width)).astype(float)
    down = link == "top-down"
    model = Hierarchy(
        count if down else 1, linkage="ward" if down else link, direction=link if down else "bottom-up"
    ).fit(X)
    groups = len(model.tree_) + 1
    assert groups == (len(np.unique(X, axis=0)) if down else count)
    last = model.cut(1)
    for k in range(2, groups + 1):
        now = model.cut(k)
        assert len(np.unique(now)) == k
        assert all(len(np.unique(last[now == each])) == 1 for each in range(k))
        last = now
