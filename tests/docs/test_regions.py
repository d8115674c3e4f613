"""The bands that regions are drawn with: they fill the box and keep to the grid they came from."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from docs.pictures.regions import Box, Edge, bands, decided

BOX = Box(-2.0, 6.0, 1.0, 3.0)


def by_band(edges: list[Edge]) -> dict[int, list[Edge]]:
    found: dict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        found[edge.band].append(edge)
    return found


def area(edges: list[Edge]) -> float:
    """Area between the two edges of one band."""
    pairs = zip(edges[:-1], edges[1:], strict=True)
    return sum((b.y - a.y) * ((a.x2 - a.x) + (b.x2 - b.x)) / 2 for a, b in pairs)


@given(arrays(np.intp, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 2)))
def test_bands_fill_the_box(labels: np.ndarray) -> None:
    found = by_band(list(bands(labels, BOX)))
    assert all(len({edge.label for edge in edges}) == 1 for edges in found.values())
    # Each left-out knot may move an edge by 1/1800 of the width.
    total = (BOX.right - BOX.left) * (BOX.top - BOX.bottom)
    assert sum(area(edges) for edges in found.values()) == pytest.approx(total, rel=2 * len(found) / 1800)


def test_runs_in_the_same_order_are_one_band() -> None:
    labels = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1]])
    found = by_band(list(bands(labels, BOX)))
    assert [edges[0].label for edges in found.values()] == [0, 1, 1]
    lowest = found[0][0]
    assert (lowest.y, lowest.x, lowest.x2) == (1.0, -2.0, 2.0)
    assert found[0][-1].y == found[2][0].y == pytest.approx(1 + 2 * 2 / 3)


def test_a_straight_border_needs_few_knots_and_is_where_it_should_be() -> None:
    box = Box(0.0, 1.0, 0.0, 1.0)
    rows = decided(lambda points: (points[:, 0] > 0.25 + 0.5 * points[:, 1]).astype(np.intp), box)
    assert {row["label"] for row in rows} == {0, 1}
    assert len(rows) < 20
    for row in rows:
        if row["label"] == 0:
            assert row["x2"] == pytest.approx(0.25 + 0.5 * row["y"], abs=0.004)
