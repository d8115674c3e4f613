r"""Categorical naive Bayes: columns of levels, independent given the class.

    ln P(C_k | x) = ln P(C_k) + Σ_j ln p_kj(x_j) + const,    p_kj(l) = (c_kjl + a) / (n_kj + a L_j)

c_kjl counts level l of column j in class k, n_kj its values there, L_j is the number of levels. A missing value is left
out of the product: that is what its probabilities sum to. Fast, readable, and the natural first model for tables of
answers.
"""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlogy

from assay.decision.priors import log_priors
from assay.engines.local import thread_count
from assay.models.base.card import COUNTED, ModelCard, Range
from assay.models.base.category_codes import MISSING, UNSEEN, Levels, find_levels, look_up
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import Tags
from assay.models.base.params import PRIORS, Param
from assay.models.base.stored import FROM_COUNTS, Field
from assay.models.base.validation import check_cells, check_targets, feature_name, feature_names
from assay.models.naive_bayes.base import SMOOTHING, CountedClassifier, Learned
from assay.models.naive_bayes.category_codes import LevelForm, LevelReader, level_scores, level_table
from assay.notes import Note
from assay.statistics import Counts, count_levels
from assay.statistics.counting import offsets
from assay.types import Array, Codes, ColumnNames, MatrixLike, PriorsLike, RowWeights

WHEN_UNSEEN = Param(
    "unseen",
    "choice",
    "other",
    (
        'Unseen categories: one more category with a count of 0, left out, or an error. "ignore" leaves '
        "them out like missing values."
    ),
    choices=("other", "ignore", "refuse"),
)
FLAGS = Param(
    "flags",
    "levels",
    None,
    "Indicator columns of missing values; one that is constant in the training rows is left out.",
    optional=True,
)
CATEGORICAL_NB = (
    SMOOTHING.described(
        "Added to every count. 0 is allowed: a category without a training row in a class then gives "
        "this class probability 0, and the posterior is the prior if this holds for every class."
    ),
    PRIORS,
    WHEN_UNSEEN,
    FLAGS,
)


class CategoricalNB(CountedClassifier):
    """Categorical naive Bayes for categories of any type: text, whole numbers, categorical columns of pandas.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, statistics_
    levels_ : tuple of arrays
        Categories of each column, sorted.
    feature_log_prob_ : list of (K, L_j)
        ln p_kj(l).

    Examples
    --------
    >>> X = [["sunny", "hot"], ["sunny", "mild"], ["rain", "mild"], ["rain", "cool"]]
    >>> model = CategoricalNB().fit(X, ["no", "no", "yes", "yes"])
    >>> model.predict([["rain", "hot"], ["fog", "cool"]]).tolist()
    ['yes', 'yes']
    """

    params: ClassVar[tuple[Param, ...]] = CATEGORICAL_NB
    solved_from: ClassVar[tuple[Field, ...]] = (*FROM_COUNTS, Field("levels_", "levels"))
    closed: ClassVar[bool] = False  # whether a level is one even if no row of the training part shows it

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        priors: PriorsLike = "ml",
        unseen: str = "other",
        flags: ArrayLike | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.unseen = unseen
        self.flags = flags

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags

    def _count(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights, *, reset: bool) -> Learned:
        cells = check_cells(self, X, reset=reset)
        codes, levels = find_levels(cells, feature_names(self))
        classes, names, weight = check_targets(y, sample_weight, codes.shape[1])
        sizes = [len(column_levels) for column_levels in levels]
        counts = count_levels(codes.T, classes, len(names), sizes, weight=weight, threads=thread_count())
        seen = Learned(names, counts, levels)
        return seen if weight is None or weight.all() else seen._shed_levels()

    def _find(self, X: MatrixLike) -> tuple[Codes, Levels]:
        """Codes (D, N) and the levels of every column, checked."""
        cells = check_cells(self, X, reset=True)
        return find_levels(cells, feature_names(self))

    def _known(self, X: MatrixLike, levels: Levels) -> Codes:
        """Codes (D, N) of values among these levels."""
        return look_up(check_cells(self, X, reset=True), levels, feature_names(self))

    # -- training sets from one count pass ----------------------------------------------------------------

    def _reader(self) -> LevelReader:
        return LevelReader(self, "levels")

    def solve_counts(self, counts: Counts, levels: Levels) -> LevelForm:
        """Models of M training sets from their counts (M, K, L)."""
        first, unseen = offsets([len(column_levels) for column_levels in levels]), self._unseen(len(levels))
        absent = None
        if "refuse" in unseen:
            refused = np.repeat([new_level == "refuse" for new_level in unseen], np.diff(first))
            absent = (counts.counts.sum(axis=-2) == 0) & refused
        table = level_table(counts, first, self.smoothing, unseen, self.closed)
        return LevelForm(first, table, log_priors(self.priors, counts.weight), levels, absent)

    def _unseen(self, n_columns: int) -> list[str]:
        """What a level that training never showed is, column by column; of a flag it tells nothing."""
        flags = flag_places(self.flags, n_columns)
        return ["ignore" if j in flags else self.unseen for j in range(n_columns)]

    def _learned(self) -> Learned:
        return Learned(self.classes_, self.statistics_, self.levels_)

    def _n_counted(self) -> int:
        return sum(len(column_levels) for column_levels in self.levels_)

    def _possible(self, counts: Counts) -> bool:
        """Every level occurred, and no column has more values than there are rows."""
        first = offsets([len(column_levels) for column_levels in self.levels_])
        most = counts.weight * (1.0 + 1e-9)
        columns = (counts.counts[:, a:b].sum(axis=1) for a, b in pairwise(first))
        return bool((counts.counts.sum(axis=0) > 0).all()) and all((n <= most).all() for n in columns)

    def _solve(self, seen: Learned) -> None:
        assert seen.levels is not None
        self.levels_: Levels = seen.levels
        self._first = offsets([len(column_levels) for column_levels in seen.levels])
        self._table = level_table(
            seen.counts, self._first, self.smoothing, self._unseen(len(seen.levels)), self.closed
        )
        self._log_prior = log_priors(self.priors, seen.counts.weight)

    def _read(self, X: MatrixLike) -> Codes:
        names = feature_names(self)
        codes = look_up(check_cells(self, X, reset=False), self.levels_, names)
        refused = [new_level == "refuse" for new_level in self._unseen(len(codes))]
        if (codes[refused] == UNSEEN).any():
            raise self._refusal(X, codes, names)
        return codes

    def _nearest_rows(self, rows: Array) -> Array:
        """With the nearest level in every column of numbers."""
        out = rows.copy()
        for j, levels in enumerate(self.levels_):
            if levels.dtype.kind in "if" and len(levels):
                known = levels.astype(np.float64)
                out[:, j] = known[np.searchsorted(0.5 * (known[1:] + known[:-1]), rows[:, j])]
        return out

    def _refusal(self, X: MatrixLike, codes: Codes, names: ColumnNames) -> ValueError:
        row, column = (int(i) for i in np.argwhere(codes.T == UNSEEN)[0])
        value = np.asarray(X, dtype=object)[row, column]
        return ValueError(Note("M139", value=value, row=row, feature_name=feature_name(names, column)))

    def _class_scores(self, X: Codes) -> Array:
        return level_scores(
            X, self._first, self._table[None], self._log_prior[None], model=None, threads=thread_count()
        )

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> Codes:
        """Codes of levels; what their probabilities leave of 1 is that of a level training never showed."""
        out = np.full((self.n_features_in_, count), MISSING, dtype=np.int32)
        for j, logs in enumerate(self.feature_log_prob_):
            if logs.shape[1]:
                shares = np.exp(logs[k])
                ends = np.cumsum(shares / max(1.0, shares.sum()))
                drawn = np.searchsorted(ends, generator.random(count), side="right")
                out[j] = np.where(
                    drawn < len(ends), drawn, UNSEEN if self.unseen == "other" else len(ends) - 1
                )
        return out

    def _column_evidence(self, codes: Codes) -> Array:
        """ln p_kj(x_j) of rows of codes (D, N), 0 where x_j is missing, (N, K, D)."""
        out = np.zeros((codes.shape[1], len(self.classes_), len(codes)))
        for j, (a, b) in enumerate(pairwise(self._first)):
            present = codes[j] != MISSING
            place = np.where(codes[j] == UNSEEN, b - a, codes[j])
            out[present, :, j] = self._table[a + j + place[present]]
        return out

    @property
    def feature_log_prob_(self) -> list[Array]:
        """ln of the proportion of each level in each class, one matrix (K, L_j) per column."""
        ends = self._first + np.arange(len(self._first))
        return [
            self._table[ends[j] : ends[j + 1] - 1].T
            if len(column_levels)
            else np.empty((len(self.classes_), 0))
            for j, column_levels in enumerate(self.levels_)
        ]

    def _what(self, position: int) -> str:
        column = int(np.searchsorted(self._first, position, side="right")) - 1
        level = self.levels_[column].tolist()[position - int(self._first[column])]
        return f"Category {level!r} of {feature_name(feature_names(self), column)}"

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        keys = column_keys(self)
        alone = tuple(keys[j] for j, levels in enumerate(self.levels_) if len(levels) < 2)
        return (Note("M413", columns=alone),) if alone else ()

    @property
    def n_parameters_(self) -> int:
        """K Σ (L_j - 1) + K - 1: shares of the levels, priors."""
        free = sum(max(len(column_levels) - 1, 0) for column_levels in self.levels_)
        return len(self.classes_) * free + self._prior_parameters()

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows at the maximum-likelihood fit."""
        counts, first, total = self.statistics_.in_rows().counts, self._first, 0.0
        for a, b in pairwise(first):
            n = counts[:, a:b].sum(axis=-1)
            total += float(xlogy(counts[:, a:b], counts[:, a:b]).sum() - xlogy(n, n).sum())
        return total + self._label_log_likelihood()


def flag_places(flags: ArrayLike | None, n_columns: int) -> list[int]:
    """Positions of columns that tell where others have no value, from positions, a mask or None."""
    if flags is None:
        return []
    given = np.asarray(flags)
    mask = given.dtype.kind == "b"
    places = np.flatnonzero(given) if mask else given.astype(np.intp)
    if (mask and len(given) != n_columns) or not np.isin(places, np.arange(n_columns)).all():
        raise ValueError(Note("M140", flags=flags, n_columns=n_columns))
    return [int(place) for place in places]


CARDS = (
    ModelCard(
        name="categorical_nb",
        title="Categorical naive Bayes",
        estimator=CategoricalNB,
        family="naive Bayes",
        parameters=CATEGORICAL_NB,
        encoding="levels-flags",
        capabilities=COUNTED | {"missing"},
        reading="sum over columns",
        interpretability="The proportion of each category in each class; the contributions of the columns add up.",
        tuning=(Range("smoothing", (10.0, 1.0, 0.1)),),
        column_types=("binary", "categorical"),
        alone=True,
    ),
)
