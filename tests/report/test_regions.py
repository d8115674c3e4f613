"""Bands of decisions cover the box, each label where it was decided."""

from __future__ import annotations

import numpy as np

from assay.report.regions import Box, bands, decided

BOX = Box(-1.0, 3.0, 0.0, 2.0)


def test_two_halves_are_two_bands_of_two_knots() -> None:
    edges = decided(lambda points: (points[:, 0] > 1).astype(np.intp), BOX)
    assert [(e.band, e.label) for e in edges] == [(0, 0), (0, 0), (1, 1), (1, 1)]
    assert {(e.x, e.x2) for e in edges} == {(-1.0, 1.0), (1.0, 3.0)}
    assert {e.y for e in edges} == {0.0, 2.0}


def test_bands_fill_the_box() -> None:
    labels = np.random.default_rng(0).integers(3, size=(12, 20))
    area = 0.0
    by_band: dict[int, list[tuple[float, float]]] = {}
    for edge in bands(labels, BOX):
        by_band.setdefault(edge.band, []).append((edge.y, edge.x2 - edge.x))
    for knots in by_band.values():
        y, width = np.array(knots).T
        area += float(np.trapezoid(width, y))
    assert np.isclose(area, 8.0)


def test_a_slanted_border_stays_straight() -> None:
    edges = decided(lambda points: (points[:, 0] > points[:, 1]).astype(np.intp), BOX)
    assert len(edges) < 60
    first = [e for e in edges if e.label == 0]
    assert all(abs(e.x2 - np.clip(e.y, -1, 3)) < 0.02 for e in first)
