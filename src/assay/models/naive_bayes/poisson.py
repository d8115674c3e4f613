r"""Poisson naive Bayes: columns of counts, independent given the class.

    ln P(C_k | x) = ln P(C_k) + Σ_j [ x_j ln λ_kj - λ_kj ] + const,    λ_kj = (c_kj + a m_j) / (n_kj + a)

c_kj is the sum of column j over the n_kj rows of class k that have a value there, m_j its mean over all rows: the
smoothing a is as many further rows of the average count, so that no rate is 0 and the unit of the counts plays no
part. A missing value is left out of the product. The terms -ln x_j! are the same for all classes and left out.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from assay.data import Table
from assay.decision.priors import log_priors
from assay.models.base.card import COUNTED, ModelCard, Range
from assay.models.base.column_notes import column_keys
from assay.models.base.estimators import Tags
from assay.models.base.params import PRIORS, Param
from assay.models.base.validation import check_rows, explain_rows, feature_name, feature_names
from assay.models.naive_bayes.base import SMOOTHING
from assay.models.naive_bayes.text_base import WordClassifier, WordForm
from assay.notes import Note, note_of
from assay.statistics import Counts
from assay.types import Array, ColumnNames, MatrixLike, PriorsLike

PARAMETERS = (
    SMOOTHING.described(
        "Rows of the average count that are added to every class. 0 is allowed: a count where a class "
        "had none rules the class out, and where every class is ruled out the priors decide."
    ),
    PRIORS,
)


class PoissonNB(WordClassifier):
    """Poisson naive Bayes for counts, dense, NaN for missing; fractions are taken as they are.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, statistics_
    rate_ : (K, D)
        λ.
    coef_, intercept_
        The linear form of rows without gaps: the posterior is the softmax of coef_ x + intercept_ (the sigmoid with two
        classes, which have one row). There is none where smoothing is 0 and rules a class out.

    Examples
    --------
    >>> model = PoissonNB(smoothing=0.0).fit([[2], [4], [9], [7]], ["few", "few", "many", "many"])
    >>> model.rate_.tolist(), model.predict([[3], [6]]).tolist()
    ([[3.0], [8.0]], ['few', 'many'])
    """

    params: ClassVar[tuple[Param, ...]] = PARAMETERS
    sparse_ok = False

    def __init__(self, *, smoothing: float = 1.0, priors: PriorsLike = "ml") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _counted_as(self) -> Hashable:
        return "amounts"

    def _read(self, X: MatrixLike, *, reset: bool = False) -> Array:
        """Values, gaps as 0, and beside them 1 for every value that is there, (N, 2D)."""
        rows = check_rows(self, X, reset=reset)
        return amounts(rows, feature_names(self), whole=False)

    def _nearest_rows(self, rows: Array) -> Array:
        return np.maximum(np.rint(rows), 0.0)

    def _n_counted(self) -> int:
        return 2 * self.n_features_in_

    def _what(self, position: int) -> str:
        return super()._what(position % self.n_features_in_)

    def _rates(self, counts: Counts) -> Array:
        """λ, (K, D)."""
        total, values = np.split(counts.counts.astype(np.float64), 2, axis=-1)
        all_values = values.sum(axis=0)
        mean = np.divide(total.sum(axis=0), all_values, out=np.zeros_like(all_values), where=all_values > 0)
        a = self.smoothing
        return np.asarray(np.where(values + a > 0, (total + a * mean) / np.maximum(values + a, 1e-300), mean))

    def _form(self, counts: Counts) -> WordForm:
        log_prior = log_priors(self.priors, counts.weight)
        rate = self._rates(counts)
        never = rate == 0.0
        log_rate = np.log(np.where(never, 1.0, rate))
        weights = np.concatenate([log_rate, -rate], axis=1)
        if not never.any():
            return WordForm(weights, log_prior, log_prior)
        never &= rate.any(axis=0)  # what no class ever showed is ignored
        ruling = np.concatenate([never, np.zeros_like(never)], axis=1).astype(np.float64)
        return WordForm(weights, log_prior, log_prior, ruling, np.zeros(len(rate)))

    @property
    def _log_prior(self) -> Array:
        return self._score_form.log_prior

    def _linear_form(self) -> tuple[Array, Array]:
        """Of rows without gaps."""
        log_rate, minus_rate = np.split(self._score_form.weights, 2, axis=-1)
        return log_rate, self._score_form.bias + minus_rate.sum(axis=-1)

    def _column_evidence(self, rows: Array) -> Array:
        """x_j ln λ_kj - λ_kj of rows as they are read, 0 where x_j is missing, (N, K, D)."""
        values, present = np.split(rows[:, None, :], 2, axis=-1)
        log_rate, minus_rate = np.split(self._score_form.weights, 2, axis=-1)
        evidence = values * log_rate + present * minus_rate
        if self._score_form.ruling is not None:
            out = np.split(self._score_form.ruling, 2, axis=-1)[0]
            evidence = np.where((values > 0) & (out > 0), -np.inf, evidence)
        return np.asarray(evidence)

    @property
    def rate_(self) -> Array:
        """λ, (K, D)."""
        return self._rates(self.statistics_.in_rows())

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> Array:
        values = generator.poisson(self.rate_[k], (count, self.n_features_in_)).astype(np.float64)
        return np.concatenate([values, np.ones_like(values)], axis=1)

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        keys = column_keys(self)
        total = self.statistics_.counts.sum(axis=0)[: self.n_features_in_]
        return tuple(Note("M414", column=keys[j]) for j in np.flatnonzero(total == 0))

    def _possible(self, counts: Counts) -> bool:
        total, values = np.split(counts.counts, 2, axis=-1)
        within = values <= counts.weight[:, None] * (1.0 + 1e-9)
        return bool(within.all() and (values[total > 0] > 0).all())

    @property
    def n_parameters_(self) -> int:
        """K D + K - 1: rates, priors."""
        return len(self.classes_) * self.n_features_in_ + self._prior_parameters()

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows at the maximum-likelihood fit, less Σ ln x!."""
        total, values = np.split(self.statistics_.in_rows().counts.astype(np.float64), 2, axis=-1)
        rates = xlogy(total, np.divide(total, values, out=np.ones_like(total), where=values > 0))
        return float((rates - total).sum()) + self._label_log_likelihood()


def amounts(
    X: NDArray[np.floating], names: ColumnNames = None, owner: str = "PoissonNB", whole: bool = True
) -> Array:
    """Counts with gaps as 0, and beside them 1 for every value that is there, (N, 2D); refused if they are negative, or
    if they have to be whole and are not."""
    present = ~np.isnan(X)
    values = np.where(present, X, 0.0).astype(np.float64)
    error = explain_rows(names, values)
    if error is not None:
        raise error
    bad = np.argwhere((values < 0) | (whole & (values != np.floor(values))))
    if len(bad):
        row, column = (int(i) for i in bad[0])
        code = "M156" if values[row, column] < 0 else "M714"
        where = feature_name(names, column)
        raise ValueError(Note(code, owner=owner, value=values[row, column], row=row, where=where))
    return np.concatenate([values, present.astype(np.float64)], axis=1)


def no_counts(table: Table) -> Note | None:
    """Why the numbers of a table are no counts; None where all of them are.

    >>> from assay import read
    >>> no_counts(read({"calls": [0, 2, 1, 7] * 9}, types={"calls": "numeric"}))
    >>> no_counts(read({"size": [2.5, 0.1, 3.7]})).code
    'M714'
    """
    names = [column.name for column in table.schema if column.type == "numeric"]
    try:
        for name in names:
            amounts(np.asarray(table[name], dtype=np.float64)[:, None], [name])
    except ValueError as error:
        return note_of(error)
    return None


CARDS = (
    ModelCard(
        name="poisson_nb",
        title="Poisson naive Bayes",
        estimator=PoissonNB,
        family="naive Bayes",
        parameters=PARAMETERS,
        encoding="levels",
        capabilities=COUNTED | {"missing"},
        reading="sum over columns",
        interpretability="The mean count of each column in each class; the contributions of the columns add up.",
        tuning=(Range("smoothing", (10.0, 1.0, 0.1)),),
        unsuited=no_counts,
        repeats=lambda table: no_counts(table) is not None,  # tables of counts are few: no word on the others
        column_types=("numeric",),
        alone=True,
    ),
)
