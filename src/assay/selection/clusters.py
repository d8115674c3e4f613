r"""How many groups there are.

The error E of k-means falls with every further group, to 0 with as many as rows; it alone cannot tell. Groups are
therefore taken for a density, normal blobs of one shape about the centres,

    p(x) = Σ_k (n_k/N) N(x; c_k, S),        S the covariance within the groups

with (K - 1) + K D + D(D+1)/2 free parameters, and judged by

    BIC = -2 Σ ln p(x_n) + parameters · ln N          smaller is better
    held-out log likelihood                           mean ln p of rows that had no part in it, larger is better

Round blobs, S = σ² 1, would take every long group for several: they stand in only where they are asked for, as for
columns of a few values, which vary within no group of one value; where there are too many columns for the rows to tell
the shape; and for more than 200. Along no direction S has less than a ten-thousandth of the variance of all rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.special import logsumexp

from assay.models.cluster.kmeans import KMeans
from assay.models.validation import check_weight
from assay.numerics.blas import single_threaded
from assay.numerics.distances import pairwise_blocks
from assay.selection.drawn import Drawn

Array = NDArray[np.float64]
CRITERIA = ("bic", "held-out")
SHAPES = ("common", "round")
NARROWEST = 1e-4  # least variance of a blob along a direction, as a share of that of all rows
VANISHING = 1e-10  # variance along a direction, as a share of the largest, that is rounding
MOST_COLUMNS = 200
Progress = Callable[[str, float], None]


@dataclass(frozen=True)
class Blobs:
    """A mixture of normal densities of one shape.

    Attributes
    ----------
    shares, centers : (K,), (K, D)
    whitener : (D, R)
        From differences to numbers of variance 1 within the groups; R directions, those in which rows vary.
    round : whether the shape is a ball
    """

    shares: Array
    centers: Array
    whitener: Array
    log_volume: float  # ln of the root of the determinant of S
    round: bool

    @classmethod
    def of(
        cls,
        rows: NDArray[np.floating],
        labels: NDArray[Any],
        weight: Array | None = None,
        shape: str = "common",
    ) -> Blobs:
        """The blobs of groups: their shares, their means, and the covariance about these."""
        w = np.ones(len(rows)) if weight is None else weight
        used = np.flatnonzero(w > 0)
        w = w[used] / w[used].sum()
        codes = np.unique(np.asarray(labels)[used], return_inverse=True)[1]
        origin = w @ rows[used].astype(np.float64)
        away = rows[used] - origin
        shares = np.asarray(np.bincount(codes, w), dtype=np.float64)
        means = np.stack([np.bincount(codes, w * column) for column in away.T], axis=1) / shares[:, None]
        inside = away - means[codes]
        isotropic = shape == "round" or len(used) <= 2 * rows.shape[1] or rows.shape[1] > MOST_COLUMNS
        find = _round_shape if isotropic else _shape
        with single_threaded():
            whitener, log_volume = find(away, inside, w)
        return cls(shares, means + origin, whitener, log_volume, isotropic)

    @property
    def n_parameters(self) -> int:
        width = int(self.whitener.shape[1])
        shape = 1 if self.round else width * (width + 1) // 2
        return len(self.shares) - 1 + len(self.shares) * width + shape

    def log_density(self, rows: NDArray[np.floating]) -> Array:
        """ln p of every row, (N,)."""
        constant = (
            np.log(self.shares) - 0.5 * self.whitener.shape[1] * math.log(2.0 * math.pi) - self.log_volume
        )
        origin = self.centers[0]
        with single_threaded():
            seen = (rows - origin) @ self.whitener
            centers = (self.centers - origin) @ self.whitener
        if not self.whitener.shape[1]:
            return np.zeros(len(rows))
        pairs = pairwise_blocks(seen, centers)
        return np.concatenate([logsumexp(constant - 0.5 * block**2, axis=1) for _, block in pairs])

    def bic(self, rows: NDArray[np.floating], weight: Array | None = None) -> float:
        """Schwarz's criterion on these rows."""
        density = self.log_density(rows)
        w = np.ones(len(density)) if weight is None else weight
        return self.n_parameters * math.log(w.sum()) - 2.0 * float(w @ density)


def _shape(away: Array, inside: Array, w: Array) -> tuple[Array, float]:
    """Whitener of the covariance within groups, held up in units of that of all rows, and its log volume."""
    values, vectors = eigh((away * w[:, None]).T @ away)
    kept = values > VANISHING * max(values[-1], 0.0)
    whole = vectors[:, kept] / np.sqrt(values[kept])
    units = inside @ whole
    within, turn = eigh((units * w[:, None]).T @ units) if kept.any() else (np.empty(0), np.empty((0, 0)))
    within = np.maximum(within, NARROWEST)
    return whole @ turn / np.sqrt(within), 0.5 * float(np.log(within).sum() + np.log(values[kept]).sum())


def _round_shape(away: Array, inside: Array, w: Array) -> tuple[Array, float]:
    width = away.shape[1]
    whole, within = (float(w @ (each * each).sum(axis=1)) / width for each in (away, inside))
    if whole == 0.0:
        return np.empty((width, 0)), 0.0
    deviation = math.sqrt(max(within, NARROWEST * whole))
    return np.eye(width) / deviation, width * math.log(deviation)


@dataclass(frozen=True)
class ClusterChoice(Drawn):
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
    """

    n_clusters: tuple[int, ...]
    error: Array
    bic: Array
    held_out: Array | None
    criterion: str
    models: tuple[KMeans, ...]
    chosen: int

    @property
    def best(self) -> KMeans:
        """The model of the number chosen."""
        return self.models[self.n_clusters.index(self.chosen)]


def choose_clusters(
    X: Any,
    n_clusters: Sequence[int] = range(1, 11),
    *,
    criterion: str = "bic",
    shape: str = "common",
    folds: int | None = None,
    n_starts: int = 10,
    random_state: int = 0,
    sample_weight: Any = None,
    progress: Progress | None = None,
) -> ClusterChoice:
    """Fit k-means for several numbers of groups and choose one.

    Parameters
    ----------
    X : array (N, D)
        Finite numbers, in columns of a common scale.
    n_clusters : numbers to try
    criterion : "bic" or "held-out"
    shape : "common" or "round"
        Of the blobs that stand for the groups; "round" for columns of a few values, such as levels.
    folds : int, optional
        Parts that are held out in turn for the held-out likelihood; None: 5 if it is the criterion, else it is not
        computed.
    n_starts, random_state
        As for `KMeans`.
    sample_weight : array (N,), optional
        How many rows each one counts for.
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
    steps = _Steps(progress, float(sum(tried)) * (1 + (parts or 0)))
    models = []
    for k in tried:
        model = KMeans(k, n_starts=n_starts, random_state=random_state)
        models.append(steps.after(f"{k} groups", k, model.fit, X, sample_weight=sample_weight))
    rows = X if getattr(X, "dtype", None) == np.float32 else np.asarray(X, dtype=np.float64)
    weight = check_weight(sample_weight, len(rows))
    bic = np.array([Blobs.of(rows, model.labels_, weight, shape).bic(rows, weight) for model in models])
    held = None
    if parts is not None:
        told = [(f"{model.n_clusters} groups, rows held out", model.n_clusters * parts) for model in models]
        found = [
            steps.after(*telling, _held_out, model, rows, weight, shape, parts, random_state)
            for telling, model in zip(told, models, strict=True)
        ]
        held = np.array(found)
    error = np.array([model.error_ for model in models])
    best = int(bic.argmin()) if criterion == "bic" else _likeliest(held, len(rows))
    return ClusterChoice(tried, error, bic, held, criterion, tuple(models), tried[best])


class _Steps:
    """Tells what is being done, and how much of it is behind us."""

    def __init__(self, progress: Progress | None, work: float) -> None:
        self.tell, self.work, self.done = progress or (lambda doing, share: None), work, 0.0

    def after(self, doing: str, cost: float, work: Callable[..., Any], *given: Any, **named: Any) -> Any:
        self.tell(doing, self.done / self.work)
        self.done += cost
        return work(*given, **named)


def _likeliest(held: Array | None, n_rows: int) -> int:
    assert held is not None
    if np.isnan(held).all():
        raise ValueError(f"{n_rows} rows are too few to hold parts of them out; use criterion='bic'.")
    return int(np.nanargmax(held))


def _checked(n_clusters: Sequence[int], criterion: str, shape: str, folds: int | None) -> tuple[int, ...]:
    tried = tuple(sorted({int(k) for k in n_clusters}))
    if not tried or tried[0] < 1:
        raise ValueError(f"n_clusters={list(n_clusters)!r} is not allowed; give whole numbers of at least 1.")
    if criterion not in CRITERIA:
        raise ValueError(f"criterion={criterion!r} is unknown; give {' or '.join(map(repr, CRITERIA))}.")
    if shape not in SHAPES:
        raise ValueError(f"shape={shape!r} is unknown; give {' or '.join(map(repr, SHAPES))}.")
    if folds is not None and folds < 2:
        raise ValueError(f"folds={folds!r} is not allowed; give a whole number of at least 2.")
    return tried


def _held_out(
    model: KMeans, rows: NDArray[np.floating], weight: Array | None, shape: str, folds: int, seed: int
) -> float:
    """Mean log likelihood of the rows under the groups of the other parts; NaN where these are too few."""
    part = np.random.default_rng([seed, folds]).permutation(len(rows)) % folds
    w = np.ones(len(rows)) if weight is None else weight
    total = 0.0
    for each in range(folds):
        out, rest = part == each, (part != each) & (w > 0)
        if model.n_clusters > rest.sum() or not out.any():
            return float("nan")
        again = KMeans(**model.get_params()).fit(rows[rest], sample_weight=w[rest])
        blobs = Blobs.of(rows[rest], again.labels_, w[rest], shape)
        total += float(w[out] @ blobs.log_density(rows[out]))
    return total / float(w.sum())
