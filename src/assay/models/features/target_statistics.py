r"""Categories as numbers: the proportions of the classes among the training rows of each category.

    x_k = (n_lk + m p_k) / (n_l + m)

n_lk are the training rows of class k in category l, n_l all of them, p_k the proportion of the class, and m the
smoothing. Categories of few rows count together, with missing values and categories that training did not have. A
training row gets the proportions of the rows in other folds: those of its own category would hold its own class.

Micci-Barreca: A preprocessing scheme for high-cardinality categorical attributes, SIGKDD Explorations 3 (2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.models.base.estimators import Tags, Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, SHARES, Field
from assay.models.base.validation import TrainingData, check_rows, check_training, feature_name, feature_names
from assay.notes import Note
from assay.numerics.random_state import RandomState, as_seed
from assay.types import Array, Floats, Index, MatrixLike, Names, RowWeights

MOST_CODES = 1 << 31


class TargetStatistics(Transformer):
    """Replace columns of category codes by the proportions of the classes in each category, behind the other columns.

    With two classes one column replaces each, the proportion of the second class.

    Attributes
    ----------
    classes_, class_prior_
    proportions_ : (L, K)
        Of each category, column after column, the one of rare categories the last of its column.
    begin_ : (C + 1,)
        First category of each column.

    Examples
    --------
    >>> import numpy as np
    >>> step = TargetStatistics([0], smoothing=0.0, min_rows=1)
    >>> step.fit(np.array([[0.0], [0.0], [1.0], [1.0]]), ["no", "yes", "yes", "yes"]).transform([[0.0], [1.0]]).tolist()
    [[0.5], [1.0]]
    """

    params: ClassVar[tuple[Param, ...]] = (
        Param(
            "level_columns",
            "columns",
            None,
            "Positions of the columns of codes; in a classifier of tables, those of its encoder.",
            optional=True,
        ),
        Param(
            "smoothing",
            "float",
            10.0,
            "Rows of average proportions that are added to each category.",
            low=0.0,
        ),
        Param("min_rows", "int", 2, "Fewest rows of a category of its own.", low=1),
        Param(
            "n_folds", "int", 5, "Folds by which training rows are left out of their own proportions.", low=2
        ),
        Param("random_state", "seed", 0, "Seed of the folds."),
    )
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("classes_", "labels", ("K",)),
        SHARES,
        Field("proportions_", "amounts", ("L", "K")),
        Field("begin_", "places", ("B",)),
    )

    def __init__(
        self,
        level_columns: Sequence[int] | None = None,
        *,
        smoothing: float = 10.0,
        min_rows: int = 2,
        n_folds: int = 5,
        random_state: RandomState = 0,
    ) -> None:
        self.level_columns = level_columns
        self.smoothing = smoothing
        self.min_rows = min_rows
        self.n_folds = n_folds
        self.random_state = random_state

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    def fit(self, X: MatrixLike, y: ArrayLike | None = None, sample_weight: RowWeights = None) -> Self:
        """Count the classes of each category."""
        data = self._training(X, y, sample_weight)
        counts = self._counts(data, np.ones(len(data.codes), dtype=bool))
        self.proportions_ = self._proportions(counts)
        return self

    def fit_transform(
        self,
        X: MatrixLike,
        y: ArrayLike | None = None,
        sample_weight: RowWeights = None,
        **fit_params: object,
    ) -> Floats:
        """Fit, and give each training row the proportions of the rows in other folds."""
        data = self._training(X, y, sample_weight)
        whole = self._counts(data, np.ones(len(data.codes), dtype=bool))
        self.proportions_ = self._proportions(whole)
        draw = np.random.default_rng(as_seed(self.random_state))
        fold = draw.permutation(len(data.codes)) % self.n_folds
        statistics = np.empty((len(data.codes), self._width))
        for f in range(self.n_folds):
            here = fold == f
            statistics[here] = self._looked_up(
                data.X[here], self._proportions(whole - self._counts(data, here))
            )
        return self._joined(data.X, statistics)

    def transform(self, X: MatrixLike) -> Floats:
        """The other columns, and the proportions."""
        check_is_fitted(self)
        rows = check_rows(self, X, reset=False)
        return self._joined(rows, self._looked_up(rows, self.proportions_))

    def get_feature_names_out(self, input_features: object = None) -> Names:
        """Names of the other columns, and of the proportions, such as town=P(yes)."""
        check_is_fitted(self)
        given = feature_names(self) if input_features is None else np.asarray(input_features, dtype=object)
        names = [f"x{j}" for j in range(self.n_features_in_)] if given is None else list(given)
        labels = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        added = [f"{names[j]}=P({label})" for j in self._columns for label in labels.tolist()]
        return np.asarray([*np.delete(np.asarray(names, dtype=object), self._columns), *added], dtype=object)

    # -- counting -----------------------------------------------------------------------------------------

    def _training(self, X: MatrixLike, y: ArrayLike | None, sample_weight: RowWeights) -> TrainingData:
        """Checked rows; the classes, and how many categories each column has."""
        self._check_params()
        data = check_training(self, X, y, sample_weight)
        counts = np.bincount(data.codes, data.weight, data.n_classes)
        self.classes_, self.class_prior_ = data.classes, counts / counts.sum()
        ends = [0]
        for j in self._columns:
            values = data.X[:, j]
            known = values[~np.isnan(values)]
            if ((known < 0) | (known != np.floor(known))).any() or known.max(initial=0) >= MOST_CODES:
                raise ValueError(Note("M425", column=feature_name(data.names, int(j))))
            ends.append(ends[-1] + int(known.max(initial=-1)) + 2)  # the last is for all rare ones
        self.begin_ = np.array(ends, dtype=np.int64)
        return data

    @property
    def _columns(self) -> Index:
        return np.asarray([] if self.level_columns is None else self.level_columns, dtype=np.int64)

    @property
    def _width(self) -> int:
        n_classes = len(self.classes_)
        return len(self._columns) * (1 if n_classes == 2 else n_classes)

    def _levels(self, rows: Floats, place: int) -> NDArray[np.intp]:
        """The category of each row in a column, numbered over all columns; unknown ones are the rare one."""
        first, rare = int(self.begin_[place]), int(self.begin_[place + 1]) - 1
        values = rows[:, self._columns[place]]
        known = (values >= 0) & (values < rare - first)
        return np.where(known, first + np.where(known, values, 0), rare).astype(np.intp)

    def _counts(self, data: TrainingData, some: NDArray[np.bool_]) -> Array:
        """Weight of each class in every category (L, K), of some rows."""
        n_classes, codes = data.n_classes, data.codes[some]
        weight = None if data.weight is None else data.weight[some]
        total = np.zeros(int(self.begin_[-1]) * n_classes)
        for place in range(len(self._columns)):
            cell = self._levels(data.X[some], place) * n_classes + codes
            total += np.bincount(cell, weight, len(total))
        return total.reshape(-1, n_classes)

    def _proportions(self, counts: Array) -> Array:
        """Smoothed proportions; rare categories have those of all rare ones of their column together."""
        pooled = counts.copy()
        for first, end in zip(self.begin_, self.begin_[1:], strict=False):
            rare = counts[first:end].sum(axis=1) < self.min_rows
            rare[-1] = True
            pooled[first:end][rare] = counts[first:end][rare].sum(axis=0)
        raised = pooled + self.smoothing * self.class_prior_
        total = raised.sum(axis=1, keepdims=True)
        return np.asarray(np.where(total > 0, raised / np.where(total > 0, total, 1.0), self.class_prior_))

    def _looked_up(self, rows: Floats, proportions: Array) -> Array:
        shown = proportions[:, 1:] if len(self.classes_) == 2 else proportions
        found = [shown[self._levels(rows, place)] for place in range(len(self._columns))]
        return np.hstack([np.empty((len(rows), 0)), *found])

    def _joined(self, rows: Floats, statistics: Array) -> Floats:
        return np.hstack([np.delete(rows, self._columns, axis=1), statistics])
