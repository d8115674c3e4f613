r"""k-means: groups of rows about their means.

    E = 1/W Σ_n w_n |x_n - c(n)|²,        c(n) the centre of the group of row n,  W = Σ w

Lloyd's steps: every row goes to the nearest centre (the first of several), every centre to the mean of its rows;
neither raises E. A step moves the centres and assigns the rows again, so labels always belong to the centres returned.
A group left without rows takes the row farthest from the mean of its own group.

The steps are compiled (core/cluster/kmeans.cpp) and exact: bounds on distances only spare work, what they leave open is
decided in double precision, and sums are kept so that their order does not matter. The same bits for any number of
threads.

References: S. P. Lloyd, "Least squares quantization in PCM", 1982; G. Hamerly, "Making k-means even faster", 2010;
D. Arthur and S. Vassilvitskii, "k-means++", 2007.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay import _core
from assay.notes import Note
from assay.types import Array, Floats

Labels = NDArray[np.int32]
STARTS = ("k-means++", "random")
LARGE, SMALL = 1e100, 1e-100  # rows beyond are brought nearer to 1: their squares have no room


@dataclass(frozen=True)
class KMeansResult:
    """Groups found.

    Attributes
    ----------
    centers : (K, D)
    labels : (N,) number of the nearest centre
    error : E of these
    history : (n_iter + 1,) E at the start and after every step; never rises
    n_iter : steps taken
    converged : whether the last step moved no row (or gained no more than the tolerance)
    moved : empty groups that were given a row on the way
    empty : groups left without rows, because rows on fewer different places than groups
    """

    centers: Array
    labels: Labels
    error: float
    history: Array
    n_iter: int
    converged: bool
    moved: int
    empty: int


def kmeans(
    X: Floats,
    start: ArrayLike,
    *,
    weights: Array | None = None,
    max_iter: int = 300,
    tolerance: float = 0.0,
    threads: int = 1,
) -> KMeansResult:
    """Lloyd's steps from given centres; X (N, D) is finite, float64 or float32.

    Parameters
    ----------
    start : (K, D)
        Centres, as `starts` draws them.
    weights : (N,), optional
        Finite, none negative, one at least positive. A weight of 2 is the row twice.
    max_iter : most steps
    tolerance : the fraction of E that a step must gain for another to follow; with 0 steps end when no row moves

    Examples
    --------
    >>> import numpy as np
    >>> found = kmeans(np.array([[0.0], [1.0], [9.0], [10.0]]), [[0.0], [1.0]])
    >>> found.centers.ravel().tolist(), found.error, found.history.tolist()
    ([0.5, 9.5], 0.25, [36.25, 4.388888888888888, 0.25])
    """
    rows, centers = _rows(X), np.array(start, dtype=np.float64, order="C")
    unit = _unit(rows, centers)
    centers *= unit
    labels = np.empty(len(rows), np.int32)
    errors, converged, moved, empty = _core.cluster.lloyd(
        _times(rows, unit), _light(weights), max_iter, tolerance, threads, centers, labels
    )
    with np.errstate(over="ignore"):
        history = np.array(errors) / unit / unit
    return KMeansResult(
        centers / unit, labels, float(history[-1]), history, len(history) - 1, converged, moved, empty
    )


def nearest_centers(X: Floats, centers: Array, threads: int = 1) -> Labels:
    """Number of the nearest centre of every row (N,), the first of several."""
    rows = _rows(X)
    unit = _unit(rows, centers)
    labels = np.empty(len(rows), np.int32)
    _core.cluster.nearest_centers(_times(rows, unit), np.ascontiguousarray(centers * unit), threads, labels)
    return labels


def starts(
    X: Floats,
    n_clusters: int,
    method: str,
    generator: np.random.Generator,
    weights: Array | None = None,
    threads: int = 1,
) -> Array:
    """Centres to begin with: rows drawn from X (K, D).

    "random" draws different rows, each as likely as its weight says. "k-means++" draws one after the other, each as
    likely as its weight times its squared distance to the nearest of those drawn, so that they lie apart; of a few
    rows drawn every time the one that leaves the least E is kept.

    >>> import numpy as np
    >>> starts(np.array([[0.0], [0.0], [5.0]]), 2, "k-means++", np.random.default_rng(0)).ravel().tolist()
    [0.0, 5.0]
    """
    if method not in STARTS:
        raise ValueError(Note("N041", method=method, methods=" or ".join(map(repr, STARTS))))
    rows = _rows(X)
    w = np.ones(len(rows)) if weights is None else np.asarray(_light(weights))
    if method == "random":
        chosen = generator.choice(len(rows), n_clusters, replace=False, p=w / w.sum()).tolist()
    else:
        chosen = _far_apart(_times(rows, _unit(rows)), n_clusters, generator, w, threads)
    return np.asarray(rows[chosen], dtype=np.float64)


def _far_apart(
    rows: Floats, n_clusters: int, generator: np.random.Generator, weights: Array, threads: int
) -> list[int]:
    chosen: list[int] = []
    chances, trials = weights, 2 + int(np.log(n_clusters))
    closest = np.full(len(rows), np.inf)
    for _ in range(n_clusters):
        drawn = _draw(chances, generator, trials if chosen else 1)
        left, sums = np.empty((len(drawn), len(rows))), np.empty(len(drawn))
        _core.cluster.closer(rows, weights, drawn, closest, threads, left, sums)
        best = int(sums.argmin())
        chosen.append(int(drawn[best]))
        closest = left[best]
        chances = weights * closest
        if not chances.any():  # every row lies on one that was drawn
            chances = weights.copy()
            chances[chosen] = 0.0
    return chosen


def _draw(chances: Array, generator: np.random.Generator, count: int) -> Labels:
    """Places in proportion to their chances, which are not all 0."""
    reached = np.cumsum(chances)
    places = np.searchsorted(reached, generator.random(count) * reached[-1], side="right")
    last = int(np.flatnonzero(chances)[-1])  # rounding may reach beyond it
    return np.asarray(np.minimum(places, last), dtype=np.int32)


def _rows(X: Floats) -> Floats:
    """Rows in C order, float64 but for float32."""
    return np.ascontiguousarray(X, dtype=np.float32 if X.dtype == np.float32 else np.float64)


def _unit(*tables: Floats) -> float:
    """Power of two that leaves room for squares; 1 for ordinary numbers."""
    largest = max(float(np.abs(table).max(initial=0.0)) for table in tables)
    if largest == 0.0 or SMALL <= largest <= LARGE:
        return 1.0
    return float(np.ldexp(1.0, -max(-1000, min(1000, int(np.frexp(largest)[1])))))


def _times(rows: Floats, unit: float) -> Floats:
    return rows if unit == 1.0 else rows.astype(np.float64) * unit


def _light(weights: Array | None) -> Array | None:
    """Weights in a unit that makes the largest at most 1: their sums have room."""
    if weights is None:
        return None
    w = np.ascontiguousarray(weights, dtype=np.float64)
    return w * float(np.ldexp(1.0, -max(-1000, min(1000, int(np.frexp(w.max())[1])))))
