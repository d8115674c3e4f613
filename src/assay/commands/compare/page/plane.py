"""A projection of the table: two directions, the rows along them, and the decision regions of a classifier.

With three classes and more the directions are Fisher's first two. Two classes have one such direction; the second is
then the direction of largest variance among those at a right angle to it, in standardised columns. Where columns do not
vary within the classes Fisher's directions would put each class on one point infinitely far from the others: the spread
within classes is then held at a least share of the whole. A table with as many columns as rows has directions that
separate any labels, and they would mean nothing: it is seen along the two directions of largest variance.

A place (a, b) of the plane stands for one row: each column is at the value that its regression on the two directions
gives there, so that what does not vary with them stays at its mean. Three classes have their means on the plane.
Where a plane of two columns, all others at their means, tells clearly more of what the classifier decides (a tree that
splits by two of them, say), it is taken instead.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.charts.regions import box_of, region_bands
from assay.charts.scatter import Kind, Plane, sample
from assay.models.projection.fisher import FisherDiscriminant
from assay.notes.phrases import shorten
from assay.types import Array

Decide = Callable[[Array], NDArray[np.intp]]
MOST_POINTS = 1500
MOST_FITTED = 20_000
MOST_WIDTH = 500  # columns of the design; for more, Fisher's directions take longer than the picture is worth
MOST_CELLS = 4_000_000  # of the design; wide tables are seen by fewer rows
JUDGED, FEW_VALUES, MOST_TRIED = (
    300,
    8,
    4,
)  # rows, values of a column too few for an axis, columns tried in pairs
CLEARLY = 0.1  # share of decisions by which a plane must be better
LEAST_SPREAD, HELD_SPREAD = 1e-6, 0.05  # within classes, as shares of the columns' variance


class Standardised(NamedTuple):
    """Columns that vary, centred and in units of their deviation, gaps filled with the mean.

    values : (n, d); columns : (d,) which they are; mean : (D,) of all columns; deviation : (d,)
    """

    values: Array
    columns: NDArray[np.intp]
    mean: Array
    deviation: Array

    def rows(self, values: Array) -> Array:
        """Standardised values back in the units of all columns, (m, D)."""
        out = np.tile(self.mean, (len(values), 1))
        out[:, self.columns] += values * self.deviation
        return out


def standardised(X: Array) -> Standardised:
    """The columns of a design that vary, on one scale."""
    known = np.isfinite(X)
    n = known.sum(axis=0)
    mean = np.divide(np.where(known, X, 0.0).sum(axis=0), n, out=np.zeros(X.shape[1]), where=n > 0)
    away = np.where(known, X - mean, 0.0)
    deviation = np.sqrt((away**2).mean(axis=0))
    columns = np.flatnonzero(deviation > 1e-12 * np.maximum(np.abs(mean), 1e-300))
    scale = deviation[columns]
    return Standardised(np.asarray(away[:, columns] / scale), columns, mean, scale)


def directions(Z: Array, codes: NDArray[np.int32]) -> tuple[Array, tuple[str, str], Kind] | None:
    """Two directions (D, 2) of standardised columns, their titles and kind; None where there is no plane."""
    n_classes = len(np.unique(codes))
    if Z.shape[1] < 2 or n_classes < 2:
        return None
    if Z.shape[1] > MOST_WIDTH or len(Z) <= Z.shape[1] + n_classes:
        axes = largest_variance(Z, 2)
        return None if axes.shape[1] < 2 else (axes, ("component 1", "component 2"), "variance")
    kind: Kind = "fisher"
    axes = _fisher(Z, codes, LEAST_SPREAD)
    if axes.shape[1] and _within(Z @ axes, codes).min() < 0.5:  # 1 by construction, unless held up
        kind, axes = "held", _fisher(Z, codes, HELD_SPREAD)
    if axes.shape[1] >= 2:
        return axes[:, :2], ("Fisher direction 1", "Fisher direction 2"), kind
    if axes.shape[1] == 0:
        return None
    normal = axes[:, 0] / np.linalg.norm(axes[:, 0])
    second = largest_variance(Z - np.outer(Z @ normal, normal), 1)
    if not second.shape[1]:
        return None
    return (
        np.column_stack([axes[:, 0], second]),
        ("Fisher direction", "orthogonal direction of largest variance"),
        kind,
    )


def _fisher(Z: Array, codes: NDArray[np.int32], least: float) -> Array:
    """Fisher's directions that are any, best first, at most two."""
    scalings = FisherDiscriminant(variance_floor=least).fit(Z, codes).scalings_
    return np.asarray(scalings[:, np.abs(scalings).sum(axis=0) > 0][:, :2])


def _within(scores: Array, codes: NDArray[np.int32]) -> Array:
    """Pooled variance within the classes along each direction."""
    kinds = np.unique(codes)
    away = np.concatenate([scores[codes == k] - scores[codes == k].mean(axis=0) for k in kinds])
    return np.asarray((away**2).sum(axis=0) / max(len(scores) - len(kinds), 1))


def largest_variance(Z: Array, most: int) -> Array:
    """Directions of largest variance (D, at most `most`) of centred columns; the largest loading is positive."""
    _, deviation, rows = np.linalg.svd(Z, full_matrices=False)
    axes = rows[:most][deviation[:most] > 1e-6 * np.sqrt(len(Z))].T
    largest = np.abs(axes).argmax(axis=0)
    return np.asarray(axes * np.sign(axes[largest, np.arange(axes.shape[1])]))


def plane(
    X: Array,
    codes: NDArray[np.int32],
    names: list[str],
    decide: Decide,
    *,
    seed: int = 0,
    places: int = 28_800,
) -> Plane | None:
    """The view of a design matrix and what `decide` says of its rows; None where fewer than two columns vary.

    Parameters
    ----------
    decide : callable
        From rows of the design to class codes.
    places : int
        Places of the plane it is asked about, roughly.
    """
    fitted = sample(codes, min(MOST_FITTED, max(MOST_CELLS // max(X.shape[1], 1), 100)), seed)
    table = standardised(X[fitted])
    used = codes[fitted]
    frame = _along_directions(table, used, names)
    if frame is None:
        return None
    judged = sample(used, JUDGED, seed + 2)
    frame = _truer(frame, two_columns(table, names, decide, judged, places), table, decide, judged)
    decide_there = _in_blocks(decide, frame.rows, len(table.mean))
    shown = sample(used, MOST_POINTS, seed + 1)
    points, drawn = frame.scores[shown], used[shown]
    box = box_of(points)
    inside = ((points >= [box.left, box.bottom]) & (points <= [box.right, box.top])).all(axis=1)
    wrong = float((decide_there(points) != drawn).mean())
    lines = max(2, int(np.sqrt(places / 2)))
    edges = region_bands(decide_there, box, rows=lines, steps=2 * lines)
    return Plane(
        points[inside],
        drawn[inside],
        frame.titles,
        frame.kind,
        frame.leading,
        box,
        edges,
        wrong,
        int((~inside).sum()),
    )


class PlaneMap(NamedTuple):
    """A plane before it is drawn: where the rows lie (n, 2), and from places (m, 2) to rows of the design (m, D)."""

    scores: Array
    rows: Callable[[Array], Array]
    titles: tuple[str, str]
    kind: Kind
    leading: tuple[list[str], list[str]]


def _along_directions(table: Standardised, codes: NDArray[np.int32], names: list[str]) -> PlaneMap | None:
    axes = directions(table.values, codes)
    if axes is None:
        return None
    matrix, titles, kind = axes
    scores = table.values @ matrix
    lift = np.linalg.lstsq(scores, table.values, rcond=None)[0]  # regression on the directions, (2, d)
    first, second = (_leading(matrix[:, j], [names[k] for k in table.columns]) for j in (0, 1))
    return PlaneMap(scores, lambda places: table.rows(places @ lift), titles, kind, (first, second))


def two_columns(
    table: Standardised, names: list[str], decide: Decide, judged: NDArray[np.intp], places: int
) -> PlaneMap | None:
    """The plane of the two columns by which `decide` can be followed best, all others at their means.

    Tried are pairs of the columns that decisions change most without; None where there are too many to try.
    """
    rows = table.rows(table.values[judged])
    fine = [int(j) for j in table.columns if len(np.unique(rows[:, j])) > FEW_VALUES]
    if len(fine) < 2 or len(fine) * len(judged) > places:
        return None
    decisions = decide(rows)
    changes = []
    for j in fine:
        without = rows.copy()
        without[:, j] = table.mean[j]
        changes.append(float((decide(without) != decisions).mean()))
    most = [fine[i] for i in np.argsort(-np.array(changes), kind="stable")[:MOST_TRIED]]
    frames = [_of_columns(table, names, pair) for pair in combinations(sorted(most), 2)]
    return max(
        frames, key=lambda frame: float((decide(frame.rows(frame.scores[judged])) == decisions).mean())
    )


def _of_columns(table: Standardised, names: list[str], pair: tuple[int, int]) -> PlaneMap:
    def rows(places: Array) -> Array:
        out = np.tile(table.mean, (len(places), 1))
        out[:, pair] = places
        return out

    first, second = (shorten(names[j], 32) for j in pair)
    scores = table.rows(table.values)[:, pair]
    return PlaneMap(scores, rows, (first, second), "columns", ([first], [second]))


def _truer(
    one: PlaneMap, other: PlaneMap | None, table: Standardised, decide: Decide, judged: NDArray[np.intp]
) -> PlaneMap:
    """The second plane if decisions on it agree with those on whole rows clearly more often than on the first."""
    if other is None:
        return one
    decisions = decide(table.rows(table.values[judged]))
    agreement = [
        float((decide(frame.rows(frame.scores[judged])) == decisions).mean()) for frame in (one, other)
    ]
    return other if agreement[1] > agreement[0] + CLEARLY else one


def _in_blocks(decide: Decide, rows: Callable[[Array], Array], width: int) -> Decide:
    """The decisions at places of the plane (m, 2), a block of rows at a time."""
    block = max(1, MOST_CELLS // width)

    def decide_there(places: Array) -> NDArray[np.intp]:
        starts = range(0, len(places), block)
        return np.concatenate([decide(rows(places[start : start + block])) for start in starts])

    return decide_there


def _leading(direction: Array, names: list[str], most: int = 4) -> list[str]:
    """The columns that weigh most, with their signs."""
    order = np.argsort(-np.abs(direction), kind="stable")[:most]
    return [f"{names[j]} ({'+' if direction[j] > 0 else '−'})" for j in order]
