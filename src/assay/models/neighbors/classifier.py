r"""k nearest neighbours: a row is given the class that most of the k training rows nearest to it have.

    P(C | x) = Σ_{n ∈ N_k(x), y_n = C} v_n / Σ_{n ∈ N_k(x)} v_n,    v_n = 1 or 1 / d(x, x_n)

N_k(x) holds the k nearest training rows; of rows equally far away the earlier ones. Of classes with equal votes the
first in sorted order wins. Nothing is learned, so predicting costs what other models spend on fitting; and columns
count by their size, so they should be brought to a common scale first.
"""

from __future__ import annotations

from math import ceil
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import thread_count
from assay.models.base import Classifier, check_is_fitted
from assay.models.neighbors.mixed_columns import has_categories, learn_columns, look_up_columns
from assay.models.neighbors.parameters import K_NEIGHBORS
from assay.models.neighbors.votes import Voters
from assay.models.params import Param
from assay.models.scales import unequal_scales
from assay.models.validation import (
    LARGEST,
    TrainingData,
    check_given,
    check_targets,
    check_training,
    check_two_classes,
    explain_rows,
    feature_names,
)
from assay.numerics.distances import LEARNED, Space
from assay.numerics.neighbors import Near, Tree, nearest, tree_is_faster
from assay.sharing.value_key import value_key

Array = NDArray[np.float64]


class KNeighborsClassifier(Classifier):
    """Classify by the nearest training rows.

    Parameters
    ----------
    n_neighbors : int
        How many of the nearest rows vote.
    metric : "euclidean", "manhattan", "hamming", "cosine", "correlation", "mahalanobis" or "mixed"
        "mixed" reads numbers and categories side by side, missing values included: frames, Arrow and typed tables, or
        arrays whose categories are numbers; see `assay.numerics.distances`.
    weights : "uniform" or "distance"
        One vote each, or 1/distance; rows at distance 0 then silence all others.
    algorithm : "auto", "brute" or "tree"
        All pairs, or a k-d tree (Euclidean only). The answers are the same to the last bit.
    fewer_rows : "refuse" or "all"
        What to do with fewer training rows than neighbours: one sentence, or let all rows vote.
    categorical_features : mask or positions of columns
        Columns of "mixed" that hold categories; by default those whose type says so: texts and categories of a table.

    Attributes
    ----------
    classes_, class_prior_, diagnostics_
    algorithm_ : "brute" or "tree", what was chosen
    rows_, codes_, weight_ : training rows that count, their classes, their weights (None: all one)
    levels_ : tuple of arrays
        Of a table with columns of categories: those of each column, whose codes are in `rows_`; none of numbers.

    A row of weight w counts as w neighbours: the nearest rows vote whose weights add up to `n_neighbors`. Weights that
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
    probabilistic: ClassVar[bool] = True
    decides_by_shares: ClassVar[bool] = True  # `decision_function` is the difference of two shares

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        metric: str = "euclidean",
        weights: str = "uniform",
        algorithm: str = "auto",
        fewer_rows: str = "refuse",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.algorithm = algorithm
        self.fewer_rows = fewer_rows
        self.categorical_features = categorical_features

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.metric == "mixed"
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        self._check_size(data)
        self._check_values(data.X)
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.classes_, self.class_prior_ = data.classes, counts / counts.sum()
        kept = slice(None) if data.weight is None else np.flatnonzero(data.weight > 0)
        self.rows_, self.codes_ = data.X[kept].copy(), data.codes[kept].copy()
        self.weight_ = None if data.weight is None else data.weight[kept]
        self._restored()
        self.diagnostics_ = tuple(self._sentences())
        return self

    def _training(self, X: Any, y: Any, sample_weight: Any) -> TrainingData:
        """The rows, checked; categories of a table become codes, whose levels are kept."""
        self.__dict__.pop("levels_", None)
        if self.metric != "mixed" or not has_categories(X):
            return check_training(self, X, y, sample_weight)
        check_given(self, y)
        rows, self.levels_ = learn_columns(self, X)
        names = feature_names(self)
        return TrainingData(rows, *check_targets(y, sample_weight, len(rows)), names)

    def _read(self, X: Any) -> Any:
        levels = getattr(self, "levels_", None)
        return super()._read(X) if levels is None else look_up_columns(self, X, levels)

    def _check_values(self, X: NDArray[np.floating]) -> None:
        """Every value can be measured: the largest shows whether there is one to explain."""
        missing = self.metric == "mixed"
        largest = np.fmax.reduce(np.abs(X), axis=None, initial=0.0) if missing else np.abs(X).max()
        if not float(largest) <= LARGEST:
            raise explain_rows(feature_names(self), X, missing_allowed=missing) or ValueError(
                "Input X holds values that cannot be measured; replace them."
            )

    def _check_size(self, data: TrainingData) -> None:
        total = float(len(data.codes)) if data.weight is None else float(data.weight.sum())
        if self.fewer_rows == "refuse" and self.n_neighbors > total * (1.0 + 1e-12):
            what = (
                "training rows"
                if data.weight is None
                else "rows that the weights of the training rows add up to"
            )
            raise ValueError(
                f"n_neighbors={self.n_neighbors} is more than the {total:g} {what}; give at most {int(total)}, or more "
                "rows."
            )
        if self.algorithm == "tree" and self.metric != "euclidean":
            raise ValueError(
                f"algorithm='tree' finds Euclidean neighbours only; use 'brute' for metric={self.metric!r}."
            )

    def _restored(self) -> None:
        """What follows from the rows: the space they are compared in, and the tree."""
        native = self.rows_.dtype.newbyteorder("=")  # a file has its own order of bytes
        self.rows_ = np.ascontiguousarray(self.rows_, dtype=native)
        self.codes_ = np.ascontiguousarray(self.codes_, dtype=np.int32)
        self.weight_ = getattr(self, "weight_", None)
        self._check_values(self.rows_)
        self._space = Space.learn(self.metric, self.rows_, weight=self.weight_, categorical=self._levels())
        self._points = self._space.rows(self.rows_)
        tree = self.algorithm == "tree" or (
            self.algorithm == "auto" and tree_is_faster(self._space, self.rows_.shape)
        )
        self.algorithm_ = "tree" if tree else "brute"
        self._tree = Tree(self._points) if tree else None

    def _levels(self) -> NDArray[np.bool_] | None:
        """Columns of a mixed table that hold levels, as a mask."""
        given, width = self.categorical_features, self.rows_.shape[1]
        learned = getattr(self, "levels_", None)
        if learned is not None and isinstance(given, str | None):
            return np.array([len(own) > 0 for own in learned])
        if given is None or isinstance(given, str) or self.metric != "mixed":
            return None
        listed = np.asarray(given)
        if listed.dtype == bool and listed.shape == (width,):
            return listed
        mask = np.zeros(width, dtype=bool)
        if listed.dtype == bool or (len(listed) and not (0 <= listed.min() and listed.max() < width)):
            raise ValueError(f"categorical_features={given!r} does not fit the {width} columns of X.")
        mask[listed.astype(np.intp)] = True
        return mask

    # -- neighbours ---------------------------------------------------------------------------------------

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None) -> tuple[Array, NDArray[np.int32]]:
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
            raise ValueError(f"n_neighbors={k} is not between 1 and the {most} rows there are.")
        points = self._points if X is None else self._measured(self._read(X))
        near = self._nearest(points, k, np.arange(len(points)) if X is None else None)
        return near.distances, near.rows

    def _measured(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """Checked rows as points of the space."""
        self._check_values(rows)
        return self._space.rows(rows)

    def _nearest(
        self,
        points: NDArray[np.floating],
        k: int,
        itself: NDArray[np.int64] | None = None,
        threads: int | None = None,
    ) -> Near:
        count = thread_count(threads)
        if self._tree is not None:
            return self._tree.nearest(points, k, threads=count, itself=itself)
        return nearest(self._space, self._points, points, k, threads=count, itself=itself)

    def _shares(
        self,
        points: NDArray[np.floating],
        settings: list[tuple[float, str]],
        itself: NDArray[np.int64] | None = None,
        threads: int | None = None,
    ) -> list[Array]:
        """Class shares (M, K) for every (n_neighbors, weights), from one search; weights may add up to fractions."""
        voters = Voters(self.codes_, len(self.classes_), self.weight_)
        available = len(self.rows_) - (itself is not None and bool((itself >= 0).any()))
        longest = ceil(max(k for k, _ in settings))
        everyone = self._nearest(points, min(longest, available), itself, threads)

        def search(k: int, some: NDArray[np.intp] | None) -> Near:
            if some is None:
                return everyone
            return self._nearest(points[some], k, None if itself is None else itself[some], threads)

        answers: dict[tuple[float, str], Array] = {}
        for rule in dict.fromkeys(rule for _, rule in settings):
            sizes = [*dict.fromkeys(k for k, other in settings if other == rule), float(longest)]
            shares = voters.shares(search, sizes, rule == "distance", available, thread_count(threads))
            answers.update({(k, rule): each for k, each in zip(sizes[:-1], shares, strict=False)})
        return [answers[setting] for setting in settings]

    def _voted(self, near: Near, settings: list[tuple[int, str]], threads: int | None = None) -> list[Array]:
        """The same from lists that are long enough for every setting."""
        voters = Voters(self.codes_, len(self.classes_), self.weight_)
        count = thread_count(threads)
        return [voters.vote(near, [k], rule == "distance", True, count)[0][0] for k, rule in settings]

    # -- predictions --------------------------------------------------------------------------------------

    def _class_scores(self, X: NDArray[np.floating]) -> Array:
        return self._shares(self._measured(X), [self._near_setting()])[0]

    def predict_proba(self, X: Any) -> Array:
        """Share of the votes of each class, (N, K)."""
        return self._checked_scores(X)

    def predict_log_proba(self, X: Any) -> Array:
        """Logarithm of the shares; -inf for classes without a vote."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    # -- sharing ------------------------------------------------------------------------------------------

    def _near_key(self) -> tuple[Any, ...]:
        """What models must have in common to find the same neighbours."""
        return (
            type(self),
            self.metric,
            value_key(self.categorical_features),
            self.fewer_rows,
            self.algorithm,
        )

    def _near_setting(self) -> tuple[int, str]:
        return (int(self.n_neighbors), self.weights)  # NumPy's integers are none to compiled code

    def _leaves_rows_alone(self) -> bool:
        """Whether the space is the same whichever rows it is learned from."""
        return self.metric not in LEARNED

    # -- what is told -------------------------------------------------------------------------------------

    def _sentences(self) -> list[str]:
        told = []
        if self.metric in ("euclidean", "manhattan"):
            told += unequal_scales(self.rows_, feature_names(self))
        if self._space.floored:
            told.append(
                f"The covariance of the columns is singular: {self._space.floored} of its directions were given a "
                "little variance."
            )
        total = float(len(self.codes_)) if self.weight_ is None else float(self.weight_.sum())
        if self.n_neighbors > total * (1.0 + 1e-12):
            told.append(
                f"n_neighbors={self.n_neighbors} is more than the {total:g} training rows: all of them vote, whatever "
                "the row."
            )
        return told


def as_count(value: Any) -> int:
    """A number of neighbours as Python's integer; anything else is refused."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"n_neighbors={value!r} is not allowed; give a whole number of at least 1.")
    return int(value)
