r"""k nearest neighbours: a row is given the class that most of the k training rows nearest to it have.

    p(C | x) = Σ_{n ∈ N_k(x), y_n = C} v_n / Σ_{n ∈ N_k(x)} v_n,    v_n = 1 or 1 / d(x, x_n)
    P(C | x) = (k p(C | x) + a) / (k + K a)

N_k(x) holds the k nearest training rows; of rows equally far away the earlier ones. Of classes with equal votes the
first in sorted order wins. Nothing is learned, so predicting costs what other models spend on fitting; and columns
count by their size, so they should be brought to a common scale first.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import thread_count
from assay.models.base.card import POSTERIOR, ModelCard, Range
from assay.models.base.class_weight import absent_classes
from assay.models.base.estimators import Classifier, Tags, check_is_fitted
from assay.models.base.params import SMOOTHING, Param
from assay.models.base.stored import INPUT, NOTES, SHARES, Field
from assay.models.base.validation import (
    LARGEST,
    TrainingData,
    check_given,
    check_targets,
    check_training,
    check_two_classes,
    explain_rows,
    feature_names,
    unequal_scales,
)
from assay.models.features.scale import unscaled
from assay.models.neighbors.mixed_columns import has_categories, learn_columns, look_up_columns
from assay.notes import Note
from assay.numerics.distances import LEARNED, Space
from assay.numerics.neighbors import Near, Searcher, tree_is_faster
from assay.numerics.scalars import is_whole
from assay.numerics.smoothing import smoothed
from assay.numerics.votes import LONGER, Setting, Some, Voters, settled
from assay.types import Array, ColumnNames, Floats, MatrixLike, RowWeights

EUCLID = Space("euclidean")
METRICS = ("euclidean", "manhattan", "hamming", "cosine", "correlation", "mahalanobis", "mixed")
K_NEIGHBORS = (
    Param("n_neighbors", "int", 5, "Number of nearest rows that vote.", low=1),
    Param(
        "metric",
        "choice",
        "euclidean",
        'Distance between rows. "mixed" accepts numbers, categories and missing values: frames, Arrow and typed '
        "tables, or arrays whose categories are numbers; see `assay.numerics.distances`.",
        choices=METRICS,
    ),
    Param(
        "weights",
        "choice",
        "uniform",
        (
            "One vote per neighbour, or votes in inverse proportion to the distance. Exact matches then "
            "get all the weight."
        ),
        choices=("uniform", "distance"),
    ),
    Param(
        "algorithm",
        "choice",
        "auto",
        "All pairs, or a k-d tree (Euclidean only). The results are the same to the last bit.",
        choices=("auto", "brute", "tree"),
    ),
    Param(
        "fewer_rows",
        "choice",
        "refuse",
        "With fewer training rows than neighbours: an error, or all rows vote.",
        choices=("refuse", "all"),
    ),
    SMOOTHING.described(
        "Votes that are added for every class. 0 leaves a class without a neighbour a posterior of 0."
    ),
    Param(
        "categorical_features",
        "levels",
        "from_dtype",
        'Columns of "mixed" that hold categories; by default the texts and categorical columns of a table.',
        optional=True,
        only_if=(("metric", ("mixed",)),),
    ),
)


class KNeighborsClassifier(Classifier):
    """Classify by the votes of the k nearest training rows.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    algorithm_ : "brute" or "tree", the one in use
    rows_, codes_, weight_ : training rows of positive weight, their classes, their weights (None: all one)
    levels_ : tuple of arrays
        Categories of each column of a table, whose codes are in `rows_`; empty for numeric columns.

    A row of weight w counts as w neighbours: the nearest rows with a total weight of `n_neighbors` vote. Weights that
    are not all whole numbers are scaled to a mean of 1 first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KNeighborsClassifier(n_neighbors=5).fit(X, y)
    >>> int((model.predict(X) != y).sum()), model.predict_proba(X[70:71]).tolist()
    (5, [[0.0, 0.4, 0.6]])
    """

    params: ClassVar[tuple[Param, ...]] = K_NEIGHBORS
    fills_sparse: ClassVar[bool] = True
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("classes_", "labels", ("K",)),
        SHARES,
        Field("rows_", "measured", ("N", "D")),
        Field("codes_", "codes", ("N",)),
        Field("weight_", "positive", ("N",), optional=True),
        Field("levels_", "levels", optional=True),
        NOTES,
    )
    probabilistic: ClassVar[bool] = True
    decides_by_shares: ClassVar[bool] = True  # `decision_function` is the difference of two shares
    near_apart: ClassVar[tuple[str, ...]] = ("n_neighbors", "weights", "smoothing")

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        metric: str = "euclidean",
        weights: str = "uniform",
        algorithm: str = "auto",
        fewer_rows: str = "refuse",
        smoothing: float = 0.0,
        categorical_features: ArrayLike | None = "from_dtype",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.algorithm = algorithm
        self.fewer_rows = fewer_rows
        self.smoothing = smoothing
        self.categorical_features = categorical_features

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.metric == "mixed"
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights = None) -> Self:
        """Keep the rows.

        Parameters
        ----------
        X : array (N, D)
            float64 or float32.
        y : array (N,)
            Labels of any type.
        sample_weight : array (N,), optional
            How many rows each one counts for.
        """
        self._check_params()
        data = self._training(X, y, sample_weight)
        check_two_classes(data)
        if data.weight is None:
            self.check_size(len(data.codes), "M159")
        else:
            self.check_size(float(data.weight.sum()), "M717")
        self._check_values(data.X, data.names)
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.classes_, self.class_prior_ = data.classes, counts / counts.sum()
        counted = slice(None) if data.weight is None else np.flatnonzero(data.weight > 0)
        self.rows_, self.codes_ = data.X[counted].copy(), data.codes[counted].copy()
        self.weight_ = None if data.weight is None else data.weight[counted]
        self._restored()
        self.diagnostics_ = tuple(self._notes())
        return self

    def _training(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights) -> TrainingData:
        """The rows, checked; categories of a table become codes, whose levels are kept."""
        self.__dict__.pop("levels_", None)
        if self.metric != "mixed" or not has_categories(X):
            return check_training(self, X, y, sample_weight)
        check_given(self, y)
        rows, self.levels_ = learn_columns(self, X)
        names = feature_names(self)
        return TrainingData(rows, *check_targets(y, sample_weight, len(rows)), names)

    def _read(self, X: MatrixLike) -> Floats:
        levels = getattr(self, "levels_", None)
        return super()._read(X) if levels is None else look_up_columns(self, X, levels)

    def _check_values(self, X: NDArray[np.floating], names: ColumnNames) -> None:
        """Every value can be measured: the largest shows whether there is one to explain."""
        missing = self.metric == "mixed"
        largest = np.fmax.reduce(np.abs(X), axis=None, initial=0.0) if missing else np.abs(X).max()
        if not float(largest) <= LARGEST:
            raise explain_rows(names, X, missing_allowed=missing) or ValueError(Note("M104"))
        if self.algorithm == "tree" and self.metric != "euclidean":
            raise ValueError(Note("M158", metric=self.metric))

    def check_size(self, total: float, code: str) -> None:
        """So many rows are enough to train on; `code` says what they are."""
        if self.fewer_rows == "refuse" and self.n_neighbors > total * (1.0 + 1e-12):
            raise ValueError(Note(code, n_neighbors=self.n_neighbors, total=total, most=int(total)))

    def _restored(self) -> None:
        """What follows from the rows: the space they are compared in, and the tree."""
        native = self.rows_.dtype.newbyteorder("=")  # a file has its own order of bytes
        self.rows_ = np.ascontiguousarray(self.rows_, dtype=native)
        self.codes_ = np.ascontiguousarray(self.codes_, dtype=np.int32)
        self.weight_ = getattr(self, "weight_", None)
        self._check_values(self.rows_, feature_names(self))
        space = Space.learn(self.metric, self.rows_, weight=self.weight_, categorical=self._levels())
        self._searcher = Searcher.of(space, self.rows_, self.algorithm)
        self.algorithm_ = "brute" if self._searcher.tree is None else "tree"

    @property
    def _total(self) -> float:
        """Training rows, by weight."""
        return float(len(self.codes_)) if self.weight_ is None else float(self.weight_.sum())

    def _levels(self) -> NDArray[np.bool_] | None:
        """Columns of a mixed table that hold levels, as a mask."""
        given, width = self.categorical_features, self.rows_.shape[1]
        learned = getattr(self, "levels_", None)
        if learned is not None and isinstance(given, str | None):
            return np.array([len(column_levels) > 0 for column_levels in learned])
        if given is None or isinstance(given, str) or self.metric != "mixed":
            return None
        listed = np.asarray(given)
        if listed.dtype == bool and listed.shape == (width,):
            return listed
        mask = np.zeros(width, dtype=bool)
        if listed.dtype == bool or (len(listed) and not (0 <= listed.min() and listed.max() < width)):
            raise ValueError(Note("M160", given=given, width=width))
        mask[listed.astype(np.intp)] = True
        return mask

    # -- neighbours ---------------------------------------------------------------------------------------

    def kneighbors(
        self, X: MatrixLike | None = None, n_neighbors: int | None = None
    ) -> tuple[Array, NDArray[np.int32]]:
        """Distances and positions of the nearest training rows, nearest first, each (M, k).

        Parameters
        ----------
        X : array (M, D), optional
            Without it, every training row, which is then no neighbour of itself.
        n_neighbors : int, optional

        Positions are those among the training rows of positive weight.
        """
        check_is_fitted(self)
        k = int(self.n_neighbors) if n_neighbors is None else as_count(n_neighbors)
        most = len(self.rows_) - (X is None)
        if not 1 <= k <= most:
            raise ValueError(Note("M161", k=k, most=most))
        points = self._searcher.points if X is None else self._measured(self._read(X))
        near = self._searcher.nearest(
            points, k, thread_count(), np.arange(len(points)) if X is None else None
        )
        return near.distances, near.rows

    def _measured(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """Checked rows as points of the space."""
        self._check_values(rows, feature_names(self))
        return self._searcher.space.rows(rows)

    def shares(self, X: Floats, settings: Sequence[Setting], threads: int) -> list[Array]:
        """Class shares (M, K) of rows for every (n_neighbors, weights), from one search.

        Parameters
        ----------
        X : array (M, D)
        settings : list of (n_neighbors, weights)
        """
        check_is_fitted(self)
        return self._shares(self._read(X), settings, threads)

    def _shares(self, rows: NDArray[np.floating], settings: Sequence[Setting], threads: int) -> list[Array]:
        voters = Voters(self.codes_, len(self.classes_), self.weight_)
        points, longest = self._measured(rows), ceil(max(k for k, _ in settings))

        def vote(near: Near, short: Some | None) -> tuple[list[Array], Some]:
            return self.votes(voters, near, settings, threads)

        def search(length: int, short: Some) -> Near:
            return self._searcher.nearest(points[short], length, threads)

        near = self._searcher.nearest(points, longest, threads)
        return settled(vote, near, search, LONGER * longest)

    # -- predictions --------------------------------------------------------------------------------------

    def _class_scores(self, X: NDArray[np.floating]) -> Array:
        shares = self._shares(X, [self.near_setting()], thread_count())[0]
        if not self.smoothing:
            return shares
        votes = min(float(self.n_neighbors), self._total)
        return smoothed(votes * shares, self.class_prior_ > 0, self.smoothing)

    def predict_proba(self, X: MatrixLike) -> Array:
        """Proportion of the votes for each class, those that smoothing adds among them, (N, K)."""
        return self._checked_scores(X)

    def predict_log_proba(self, X: MatrixLike) -> Array:
        """Logarithm of the shares; -inf for classes without a vote."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    # -- sharing ------------------------------------------------------------------------------------------

    def near_setting(self) -> Setting:
        """How many vote, and how."""
        return int(self.n_neighbors), self.weights  # NumPy's integers are none to compiled code

    @property
    def near_free(self) -> bool:
        """Whether distances are the same whichever rows are trained on."""
        return self.metric not in LEARNED

    def near_rows(self, X: NDArray[np.floating], names: ColumnNames) -> Searcher:
        """Rows to search among, whichever of them are trained on."""
        self._check_values(X, names)
        return Searcher.of(Space(self.metric), X, self.algorithm)

    def near_by_products(self, shape: tuple[int, int]) -> bool:
        """Whether distances are Euclidean and, among so many rows and columns, found without a tree."""
        by_tree = self.algorithm == "tree" or (self.algorithm == "auto" and tree_is_faster(EUCLID, shape))
        return self.metric == "euclidean" and not by_tree

    def votes(
        self, voters: Voters, near: Near, settings: Sequence[Setting], threads: int
    ) -> tuple[list[Array], Some]:
        """Class shares (M, K) in every setting from lists, and the queries whose lists are too short."""
        return voters.vote(near, settings, threads)

    # -- notes --------------------------------------------------------------------------------------------

    def _notes(self) -> list[Note]:
        notes = [*absent_classes(self.classes_, self.class_prior_, "M301")]
        if self.metric in ("euclidean", "manhattan"):
            notes += unequal_scales(self.rows_, feature_names(self))
        if floored := self._searcher.space.floored:
            notes.append(Note("M324", singular=int(floored)))
        if self.n_neighbors > self._total * (1.0 + 1e-12):
            notes.append(Note("M325", n_neighbors=self.n_neighbors, rows=self._total))
        return notes


def as_count(value: float) -> int:
    """A number of neighbours as Python's integer; anything else is refused."""
    if not is_whole(value):
        raise ValueError(Note("M157", value=value))
    return int(value)


CARDS = (
    ModelCard(
        name="knn",
        title="Nearest neighbours",
        estimator=KNeighborsClassifier,
        family="neighbors",
        parameters=K_NEIGHBORS,
        encoding="onehot-reference",
        capabilities=POSTERIOR | {"neighbors"},
        reading="nearest rows",
        interpretability="The nearest rows vote, on standardised columns; interpretable by examples, not by a formula.",
        complexity=3,
        fixed={"fewer_rows": "all"},
        defaults={"smoothing": 1.0},
        tuning=(Range("n_neighbors", (51, 25, 15, 9, 5, 3, 1)), Range("weights", ("uniform", "distance"))),
        scaled=True,
        table_tuning=unscaled,
    ),
)
