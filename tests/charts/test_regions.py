"""Bands of decisions cover the box, each label where it was decided."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from assay.charts.regions import Box, Edge, bands, region_bands

BOX = Box(-1.0, 3.0, 0.0, 2.0)


def test_two_halves_are_two_bands_of_two_knots() -> None:
    edges = region_bands(lambda points: (points[:, 0] > 1).astype(np.intp), BOX)
    assert [(e.band, e.label) for e in edges] == [(0, 0), (0, 0), (1, 1), (1, 1)]
    assert {(e.x, e.x2) for e in edges} == {(-1.0, 1.0), (1.0, 3.0)}
    assert {e.y for e in edges} == {0.0, 2.0}


def by_band(edges: list[Edge]) -> dict[int, list[Edge]]:
    found: dict[int, list[Edge]] = defaultdict(list)
    for edge in edges:
        found[edge.band].append(edge)
    return found


@given(arrays(np.intp, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 2)))
def test_bands_fill_the_box(labels: np.ndarray[Any, Any]) -> None:
    found = by_band(list(bands(labels, BOX, 1e-9)))
    assert all(len({edge.label for edge in edges}) == 1 for edges in found.values())
    area = sum(np.trapezoid([e.x2 - e.x for e in edges], [e.y for e in edges]) for edges in found.values())
    assert np.isclose(area, 8.0)


def test_runs_in_the_same_order_are_one_band() -> None:
    labels = np.array([[0, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1]])
    found = by_band(list(bands(labels, BOX)))
    assert [edges[0].label for edges in found.values()] == [0, 1, 1]
    assert (found[0][0].y, found[0][0].x, found[0][0].x2) == (0.0, -1.0, 1.0)
    assert np.isclose(found[0][-1].y, 2 * 2 / 3) and found[0][-1].y == found[2][0].y


def test_a_slanted_border_stays_straight() -> None:
    edges = region_bands(lambda points: (points[:, 0] > points[:, 1]).astype(np.intp), BOX)
    assert len(edges) < 60
    first = [e for e in edges if e.label == 0]
    assert all(abs(e.x2 - np.clip(e.y, -1, 3)) < 0.02 for e in first)
