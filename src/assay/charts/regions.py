"""Where a classifier decides what, as a few smooth bands instead of thousands of small squares.

The plane is cut into thin rows. Along a row the labels form runs. As long as the next row has the same runs in the
same order, its runs continue those below, and each becomes one band with a left and a right edge. Knots that a
straight line replaces without a visible difference are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.types import Array

ROWS, STEPS = 140, 700


class Box(NamedTuple):
    """The part of the plane that is drawn."""

    left: float
    right: float
    bottom: float
    top: float


class Edge(NamedTuple):
    """Both ends of a band at one height."""

    band: int
    label: int
    y: float
    x: float
    x2: float


def region_bands(
    decide: Callable[[Array], NDArray[np.intp]], box: Box, *, rows: int = ROWS, steps: int = STEPS
) -> list[Edge]:
    """Bands of what `decide` says of a grid of points of the plane."""
    x = box.left + (box.right - box.left) * (np.arange(steps) + 0.5) / steps
    y = box.bottom + (box.top - box.bottom) * (np.arange(rows) + 0.5) / rows
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    return list(bands(decide(points).reshape(rows, steps), box, 1 / steps))


def bands(labels: NDArray[np.intp], box: Box, visible: float = 1 / STEPS) -> Iterator[Edge]:
    """Edges of all bands of a grid of labels, whose first row is the lowest and whose cells fill the box.

    `visible` is the largest error of an edge, as a share of the width of the box.
    """
    height = (box.top - box.bottom) / len(labels)
    runs = [_runs(row, box) for row in labels]
    number = 0
    for kinds, block in groupby(enumerate(runs), key=lambda numbered: numbered[1][0]):
        rows = [(position, borders) for position, (_, borders) in block]
        (lowest, first), (highest, last) = rows[0], rows[-1]
        # Through the middle of each row, and out to the borders of the block, so that no gap is left.
        knots = [(float(lowest), first), *((p + 0.5, b) for p, b in rows), (highest + 1.0, last)]
        for place, kind in enumerate(kinds):
            edges = np.array([[position, *borders[place : place + 2]] for position, borders in knots])
            for position, x, x2 in _needed(edges, visible * (box.right - box.left)):
                yield Edge(number, kind, box.bottom + height * position, x, x2)
            number += 1


def _needed(edges: Array, error: float) -> list[list[float]]:
    """The knots (position, x, x2) that both edges need to stay within `error` (Douglas and Peucker's rule)."""
    if len(edges) <= 2:
        knots: list[list[float]] = edges.tolist()
        return knots
    first, last = edges[0], edges[-1]
    share = (edges[:, :1] - first[0]) / (last[0] - first[0])
    away = np.abs(edges - (first + share * (last - first))).max(axis=1)
    worst = int(away.argmax())
    if away[worst] <= error:
        return [first.tolist(), last.tolist()]
    return _needed(edges[: worst + 1], error)[:-1] + _needed(edges[worst:], error)


def _runs(row: NDArray[np.intp], box: Box) -> tuple[tuple[int, ...], list[float]]:
    """Labels of the runs of a row from left to right, and their borders, one more."""
    starts = np.concatenate([[0], np.flatnonzero(np.diff(row)) + 1])
    borders = np.append(starts, len(row)) / len(row)
    return tuple(row[starts].tolist()), (box.left + (box.right - box.left) * borders).tolist()


def box_of(points: Array) -> Box:
    """Nearly all points with some air around them; a stray one must not press the rest into a corner."""
    low, high = np.quantile(points, [0.005, 0.995], axis=0)
    air = 0.08 * np.maximum(high - low, 1e-9)
    low, high = np.maximum(low, points.min(axis=0)) - air, np.minimum(high, points.max(axis=0)) + air
    return Box(float(low[0]), float(high[0]), float(low[1]), float(high[1]))
