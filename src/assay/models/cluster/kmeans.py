r"""k-means: K groups of rows, each about its mean.

    E = 1/W Σ_n w_n |x_n - c_k(n)|²

Every row belongs to the nearest centre, every centre is the mean of its rows. Steps between the two lower E to a local
minimum, which depends on where they start: several starts are made and the best is kept. Columns count by their size,
so they should be brought to a common scale first (`Standardize`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import thread_count
from assay.models.base.estimators import (
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    Transformer,
    check_is_fitted,
)
from assay.models.base.params import CENTER_STARTS, Param
from assay.models.base.stored import INPUT, NOTES, Field
from assay.models.base.validation import check_row_weight, feature_names, unequal_scales
from assay.models.cluster.row_checks import check_enough, finite_rows
from assay.notes import Note
from assay.numerics.distances import alike
from assay.numerics.distances import pairwise as distances_between
from assay.numerics.random_state import RandomState, as_seed
from assay.solvers.kmeans import KMeansResult, kmeans, nearest_centers, starts
from assay.types import Array, Floats, MatrixLike, RowWeights

K_MEANS = (
    Param("n_clusters", "int", 8, "Number of clusters.", low=1),
    Param(
        "start",
        "centers",
        "k-means++",
        (
            "How the initial centres are drawn from the rows: far apart, or at random; or the centres. Given "
            "centres are the only start."
        ),
    ),
    Param(
        "n_starts",
        "int",
        10,
        "Number of starts; the clusters of least error are kept.",
        low=1,
        only_if=(("start", CENTER_STARTS),),
    ),
    Param("max_iter", "int", 300, "Most steps from each start.", low=0),
    Param(
        "tol",
        "float",
        0.0,
        (
            "Least relative decrease of the error per step; with 0, steps continue until no row changes "
            "its cluster."
        ),
        low=0.0,
        was="tolerance",
    ),
    Param("random_state", "seed", 0, "Seed of all that is drawn at random."),
)


class KMeans(ClassNamePrefixFeaturesOutMixin, ClusterMixin, Transformer):
    """k-means clustering.

    Attributes
    ----------
    cluster_centers_ : (K, D)
    labels_ : (N,)
        Cluster of each training row: the nearest centre, the first of equally near ones.
    error_ : float
        E, the mean squared distance of the rows to their centres.
    history_ : (n_iter_ + 1,)
        E of the start that was kept, initially and after each step; it never rises.
    start_errors_ : (n_starts,)
        Final E of each start.
    n_iter_, n_features_in_, diagnostics_

    A cluster that loses all its rows gets the row farthest from its cluster mean.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, _ = load_iris(return_X_y=True)
    >>> model = KMeans(n_clusters=3).fit(X)
    >>> sorted(np.bincount(model.labels_).tolist()), round(model.error_, 4)
    ([38, 50, 62], 0.5257)
    >>> model.transform(X[:1]).round(2).tolist(), model.predict(X[:1]).tolist() == model.labels_[:1].tolist()
    ([[3.42, 0.14, 5.06]], True)
    """

    params: ClassVar[tuple[Param, ...]] = K_MEANS
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("cluster_centers_", "numbers", ("C", "D")),
        Field("labels_", "codes", ("N",)),
        Field("error_", "number"),
        Field("history_", "amounts", ("H",)),
        Field("start_errors_", "amounts", ("S",)),
        Field("n_iter_", "tally"),
        NOTES,
    )

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        start: Any = "k-means++",
        n_starts: int = 10,
        max_iter: int = 300,
        tol: float = 0.0,
        random_state: RandomState = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.start = start
        self.n_starts = n_starts
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> Self:
        """Find the groups; y is ignored.

        Parameters
        ----------
        X : array (N, D)
            float64 or float32, finite.
        sample_weight : array (N,), optional
            How many rows each one counts for.
        """
        self._check_params()
        rows = finite_rows(self, X, reset=True)
        weight = check_row_weight(sample_weight, len(rows))
        check_enough(self.n_clusters, len(rows), weight)
        best, errors = None, []
        for start in self._starts(rows, weight):
            clustering = self._from(rows, start, weight)
            errors.append(clustering.error)
            best = clustering if best is None or clustering.error < best.error else best
        assert best is not None
        self.start_errors_ = np.array(errors)
        self._keep(best)
        self.diagnostics_ += unequal_scales(rows, feature_names(self))
        return self

    def _starts(self, rows: Floats, weight: Array | None) -> Iterator[Array]:
        if not isinstance(self.start, str):
            yield self._given(rows.shape[1])
            return
        for seed in np.random.default_rng(as_seed(self.random_state)).spawn(self.n_starts):
            yield starts(rows, self.n_clusters, self.start, seed, weight, thread_count())

    def _given(self, width: int) -> Array:
        centers = np.asarray(self.start, dtype=np.float64)
        if centers.shape != (self.n_clusters, width):
            raise ValueError(Note("M101", shape=centers.shape, n_clusters=self.n_clusters, width=width))
        if not np.isfinite(centers).all():
            raise ValueError(Note("M102"))
        return centers

    def _from(self, rows: Floats, start: Array, weight: Array | None) -> KMeansResult:
        return kmeans(
            rows,
            start,
            weights=weight,
            max_iter=self.max_iter,
            tolerance=self.tol,
            threads=thread_count(),
        )

    def _keep(self, best: KMeansResult) -> None:
        self.cluster_centers_, self.labels_ = best.centers, best.labels
        self.error_, self.history_, self.n_iter_ = best.error, best.history, best.n_iter
        notes = []
        if not best.converged:
            notes.append(Note("M326", steps=best.n_iter))
        if best.empty:
            notes.append(Note("M327", empty=int(best.empty), n_clusters=self.n_clusters))
        self.diagnostics_ = tuple(notes)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def predict(self, X: MatrixLike) -> NDArray[np.int32]:
        """Group of each row: the nearest centre."""
        check_is_fitted(self)
        rows = finite_rows(self, X, reset=False)
        return nearest_centers(rows, self.cluster_centers_, thread_count())

    def transform(self, X: MatrixLike) -> Array:
        """Distances of the rows to the centres, (N, K)."""
        check_is_fitted(self)
        rows, centers = alike(finite_rows(self, X, reset=False), self.cluster_centers_)
        return distances_between(rows, centers, threads=thread_count())

    def score(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> float:
        """Minus the mean squared distance of the rows to their nearest centres: larger is better."""
        check_is_fitted(self)
        rows = finite_rows(self, X, reset=False)
        weight = check_row_weight(sample_weight, len(rows))
        return -kmeans(rows, self.cluster_centers_, weights=weight, max_iter=0, threads=thread_count()).error
