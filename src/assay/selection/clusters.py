r"""The number of clusters.

The error E of k-means falls with every further cluster, to 0 with as many as rows; it alone cannot tell. Clusters are
therefore taken for a density p (`assay.selection.cluster_density`), normal components of one shape about the centres
and proportions of categories, and judged by

    BIC = -2 Σ ln p(x_n) + parameters · ln N          smaller is better
    held-out log likelihood                           mean ln p of rows that had no part in it, larger is better

Round components, S = σ² 1, would take every long group for several: they stand in only where they are asked for, where
there are too many columns for the rows to tell the shape, and for more than 200.

Both are worthless where groups have next to no rows to tell their shape by: with as many groups as rows it is a point,
and the density endless. A number of groups is therefore chosen only if it leaves five rows a group, on the average: of
twenty clouds of ten rows BIC took none for one group without this rule, and fifteen with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.validation import check_row_weight
from assay.models.cluster.kmeans import KMeans
from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.selection.cluster_density import ClusterDensity, ClusterRows
from assay.statistics.weights import subset_weight
from assay.types import Array, Floats, MatrixLike

if TYPE_CHECKING:
    from assay.charts.drawing import Drawing

CRITERIA = ("bic", "held-out")
SHAPES = ("common", "round")
ROWS_A_GROUP = 5  # on the average, that a number of groups must leave to be chosen
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class ClusterChoice:
    """How the number of groups was chosen.

    Attributes
    ----------
    n_clusters : (M,) numbers tried
    error : (M,) mean squared distance to the centres
    bic : (M,) smaller is better
    held_out : (M,) mean log likelihood of rows held out, larger is better; NaN where a fold has too few rows, None
        where it was not asked for
    criterion : which of the two chose
    models : (M,) the fitted KMeans
    chosen : the number of groups chosen
    notes : on numbers that were not considered
    """

    n_clusters: tuple[int, ...]
    error: Array
    bic: Array
    held_out: Array | None
    criterion: str
    models: tuple[KMeans, ...]
    chosen: int
    notes: tuple[str, ...] = ()

    def chart(self) -> Drawing:
        """The picture: shown by a notebook, and kept by ``save("curve.svg")`` (or .png, .html, .json)."""
        from assay.charts.clusters import cluster_number_drawing  # loads Altair, which only a picture needs

        name, values = "BIC", self.bic
        if self.criterion == "held-out" and self.held_out is not None:
            name, values = "held-out log likelihood", self.held_out
        return cluster_number_drawing(self.n_clusters, self.error, name, values, self.chosen)

    def __repr__(self) -> str:
        return (
            f"ClusterChoice({self.chosen} group{'s' if self.chosen > 1 else ''} by {self.criterion}, of "
            f"{self.n_clusters[0]} to {self.n_clusters[-1]} tried)"
        )

    @property
    def best(self) -> KMeans:
        """The model of the number chosen."""
        return self.models[self.n_clusters.index(self.chosen)]


def choose_clusters(
    X: MatrixLike,
    n_clusters: Sequence[int] = range(1, 11),
    *,
    criterion: str = "bic",
    shape: str = "common",
    levels: Sequence[Sequence[int]] = (),
    folds: int | None = None,
    n_starts: int = 10,
    random_state: RandomState = 0,
    sample_weight: ArrayLike | None = None,
    progress: Progress | None = None,
) -> ClusterChoice:
    """Fit k-means for several numbers of clusters and select one.

    Parameters
    ----------
    X : array (N, D)
        Finite numbers, in columns of a common scale.
    n_clusters : numbers to try
    criterion : "bic" or "held-out"
    shape : "common" or "round"
        Covariance of the normal components that model the clusters: one for all of them, or spherical.
    levels : list of lists of columns
        For each categorical column, its one-hot columns of 0 and 1 (or two other values).
    folds : int, optional
        Number of folds of the held-out likelihood; None: 5 if it is the criterion, otherwise it is not computed.
    n_starts, random_state
        As for `KMeans`.
    sample_weight : array (N,), optional
        Sample weights; a weight of 2 counts the row twice.
    progress : function of (text, share), optional

    Examples
    --------
    >>> from sklearn.datasets import make_blobs
    >>> X, _ = make_blobs(300, centers=[[0, 0], [6, 0], [0, 6]], random_state=0)
    >>> choice = choose_clusters(X, range(1, 7))
    >>> choice.chosen, choice.error.round(2).tolist()
    (3, [17.47, 7.44, 1.99, 1.72, 1.46, 1.28])
    """
    tried = _checked(n_clusters, criterion, shape, folds)
    parts = 5 if folds is None and criterion == "held-out" else folds
    steps, seed = _Steps(progress, float(sum(tried)) * (1 + (parts or 0))), as_seed(random_state)
    models = []
    for k in tried:
        steps.tell(f"{k} groups", k)
        model = KMeans(k, n_starts=n_starts, random_state=seed)
        models.append(model.fit(X, sample_weight=sample_weight))
    rows: Floats = np.asarray(X, np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64)
    weight = check_row_weight(sample_weight, len(rows))
    typed = ClusterRows.of(rows, _blocks(levels, rows.shape[1]))
    densities = [ClusterDensity.of(typed, model.labels_, weight, shape) for model in models]
    bic = np.array([density.bic(typed, weight) for density in densities])
    held = None
    if parts is not None:
        held = np.empty(len(tried))
        for place, (k, model) in enumerate(zip(tried, models, strict=True)):
            steps.tell(f"{k} groups, rows held out", k * parts)
            held[place] = _held_out(model, rows, typed, weight, shape, parts, seed)
    error = np.array([model.error_ for model in models])
    figures = bic if criterion == "bic" else -_known(held, len(rows))
    allowed, notes = eligible(len(rows) if weight is None else int((weight > 0).sum()), tried)
    best = allowed[int(np.nanargmin(np.append(figures[allowed], np.inf)))]
    return ClusterChoice(tried, error, bic, held, criterion, tuple(models), tried[best], notes)


def eligible(n_rows: int, tried: Sequence[int]) -> tuple[list[int], tuple[Note, ...]]:
    """Places of the numbers that leave enough rows per cluster, one at least, and a note on the others."""
    allowed = [at for at, k in enumerate(tried) if k == 1 or ROWS_A_GROUP * k <= n_rows] or [0]
    left = tried[len(allowed) :]
    if not left:
        return allowed, ()
    code = "C700" if len(left) == 1 else "C701"
    return allowed, (Note(code, clusters=left[0], rows=n_rows, least=ROWS_A_GROUP),)


class _Steps:
    """Tells what is being done, and how much of it is behind us."""

    def __init__(self, progress: Progress | None, work: float) -> None:
        self.progress, self.work, self.done = progress, work, 0.0

    def tell(self, doing: str, cost: float) -> None:
        if self.progress is not None:
            self.progress(doing, self.done / self.work)
        self.done += cost


def _known(held: Array | None, n_rows: int) -> Array:
    assert held is not None
    if np.isnan(held).all():
        raise ValueError(Note("S069", n_rows=n_rows))
    return held


def _blocks(levels: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """The columns of each category, every one in the table and in one category at most."""
    blocks = [[int(column) for column in block] for block in levels]
    columns = [column for block in blocks for column in block]
    if len(set(columns)) < len(columns) or not all(0 <= column < width for column in columns):
        raise ValueError(Note("S070", levels=levels, last=width - 1))
    return blocks


def _checked(n_clusters: Sequence[int], criterion: str, shape: str, folds: int | None) -> tuple[int, ...]:
    tried = tuple(sorted({int(k) for k in n_clusters}))
    if not tried or tried[0] < 1:
        raise ValueError(Note("S071", n_clusters=list(n_clusters)))
    if criterion not in CRITERIA:
        raise ValueError(Note("S072", criterion=criterion, choices=list(CRITERIA)))
    if shape not in SHAPES:
        raise ValueError(Note("S073", shape=shape, choices=list(SHAPES)))
    if folds is not None and folds < 2:
        raise ValueError(Note("S074", folds=folds))
    return tried


def _held_out(
    model: KMeans,
    rows: NDArray[np.floating],
    typed: ClusterRows,
    weight: Array | None,
    shape: str,
    folds: int,
    seed: int,
) -> float:
    """Mean log likelihood of the rows under the groups of the other parts; NaN where these are too few."""
    part = np.random.default_rng([seed, folds]).permutation(len(rows)) % folds
    w = np.ones(len(rows)) if weight is None else weight
    total = 0.0
    for fold in range(folds):
        out, rest = part == fold, np.flatnonzero((part != fold) & (w > 0))
        if model.n_clusters > len(rest) or not out.any():
            return float("nan")
        trained = subset_weight(w, rest)
        again = KMeans(**model.get_params()).fit(rows[rest], sample_weight=trained)
        density = ClusterDensity.of(typed.take(rest), again.labels_, trained, shape)
        total += float(w[out] @ density.log_density(typed.take(out)))
    return total / float(w.sum())
