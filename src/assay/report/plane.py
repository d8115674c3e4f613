"""A view of the table from its most telling side: two directions, the rows along them, and regions of classes.

With three classes and more the directions are Fisher's first two. Two classes have one such direction; the second is
then the direction of largest variance among those at a right angle to it, in standardised columns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.models.gaussian.classifier import GaussianClassifier
from assay.models.projection.fisher import FisherDiscriminant
from assay.report.regions import Box, Edge, decided

Array = NDArray[np.float64]
MOST_POINTS = 1500
MOST_FITTED = 20_000
MOST_WIDTH = 500  # columns of the design; more would take longer than the picture is worth


@dataclass(frozen=True, eq=False)
class Plane:
    """Two directions of a table and what is seen along them.

    Attributes
    ----------
    points : (n, 2)
        Sampled rows; `codes` (n,) their classes.
    titles : pair of str
    leading : pair of lists
        For each direction the columns that weigh most in it, with their signs.
    edges : list of Edge
        Regions of a model of these two directions alone; labels are class codes.
    error : float
        Share of the sampled rows that lie in the region of another class.
    outside : int
        Sampled rows beyond the box that is drawn.
    """

    points: Array
    codes: NDArray[np.int32]
    titles: tuple[str, str]
    leading: tuple[list[str], list[str]]
    box: Box
    edges: list[Edge]
    error: float
    outside: int


def sample(codes: NDArray[np.int32], most: int, seed: int) -> NDArray[np.intp]:
    """At most `most` rows, drawn at random, in order."""
    if len(codes) <= most:
        return np.arange(len(codes))
    return np.sort(np.random.default_rng(seed).choice(len(codes), most, replace=False))


def standardised(X: Array) -> tuple[Array, NDArray[np.intp]]:
    """Columns that vary, centred and in units of their deviation, gaps filled with the mean; and which they are."""
    known = np.isfinite(X)
    n = known.sum(axis=0)
    mean = np.divide(np.where(known, X, 0.0).sum(axis=0), n, out=np.zeros(X.shape[1]), where=n > 0)
    away = np.where(known, X - mean, 0.0)
    deviation = np.sqrt((away**2).mean(axis=0))
    kept = np.flatnonzero(deviation > 1e-12 * np.maximum(np.abs(mean), 1e-300))
    return np.asarray(away[:, kept] / deviation[kept]), kept


def directions(Z: Array, codes: NDArray[np.int32], n_classes: int) -> tuple[Array, tuple[str, str]] | None:
    """Two directions (D, 2) of standardised columns and their titles; None where there is no plane."""
    if Z.shape[1] < 2 or len(np.unique(codes)) < 2:
        return None
    model = FisherDiscriminant(variance_floor=1e-6).fit(Z, codes)
    found = model.scalings_[:, np.abs(model.scalings_).sum(axis=0) > 0]
    if found.shape[1] >= 2:
        return found[:, :2], ("Fisher direction 1", "Fisher direction 2")
    if found.shape[1] == 0:
        return None
    normal = found[:, 0] / np.linalg.norm(found[:, 0])
    rest = Z - np.outer(Z @ normal, normal)
    values, vectors = np.linalg.eigh(rest.T @ rest / len(rest))
    second = vectors[:, -1]
    second = second * np.sign(second[np.abs(second).argmax()])
    if values[-1] <= 1e-12:
        return None
    return np.column_stack([found[:, 0], second]), (
        "Fisher direction",
        "largest spread at a right angle to it",
    )


def plane(
    X: Array, codes: NDArray[np.int32], names: list[str], n_classes: int, seed: int = 0
) -> Plane | None:
    """The view of a design matrix; None where it has fewer than two columns that vary."""
    if X.shape[1] > MOST_WIDTH:
        return None
    fitted = sample(codes, MOST_FITTED, seed)
    Z, kept = standardised(X[fitted])
    used = codes[fitted]
    found = directions(Z, used, n_classes)
    if found is None:
        return None
    matrix, titles = found
    scores = Z @ matrix
    model = GaussianClassifier("full", blend=0.9, variance_floor=1e-6).fit(scores, used)
    shown = sample(used, MOST_POINTS, seed + 1)
    points, drawn = scores[shown], used[shown]
    box = _box(points)
    inside = ((points >= [box.left, box.bottom]) & (points <= [box.right, box.top])).all(axis=1)
    wrong = float((model.predict(points) != drawn).mean())
    edges = decided(lambda grid: np.asarray(model.predict(grid), dtype=np.intp), box)
    leading = tuple(_leading(matrix[:, j], [names[k] for k in kept]) for j in (0, 1))
    return Plane(
        points[inside],
        drawn[inside],
        titles,
        (leading[0], leading[1]),
        box,
        edges,
        wrong,
        int((~inside).sum()),
    )


def _box(points: Array) -> Box:
    """Nearly all points with some air around them; a stray one must not press the rest into a corner."""
    low, high = np.quantile(points, [0.005, 0.995], axis=0)
    air = 0.08 * np.maximum(high - low, 1e-9)
    low, high = np.maximum(low, points.min(axis=0)) - air, np.minimum(high, points.max(axis=0)) + air
    return Box(float(low[0]), float(high[0]), float(low[1]), float(high[1]))


def _leading(direction: Array, names: list[str], most: int = 4) -> list[str]:
    """The columns that weigh most, with their signs."""
    order = np.argsort(-np.abs(direction), kind="stable")[:most]
    return [f"{'+' if direction[j] > 0 else '−'} {names[j]}" for j in order]
