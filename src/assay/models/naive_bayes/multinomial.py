r"""Multinomial naive Bayes: a document is so many draws from its class's distribution over words.

    ln P(C_k | x) = ln P(C_k) + Σ_j x_j ln p_kj + const,    p_kj = (c_kj + a) / Σ_j (c_kj + a)

The first model for texts: how often a word occurs counts, that a word is absent does not (McCallum and Nigam, 1998).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.special import xlogy

from assay.decision.priors import log_priors
from assay.models.base.card import COUNTED, ModelCard
from assay.models.base.params import PRIORS, Param
from assay.models.base.sparse import is_sparse
from assay.models.features.select_words import WORD_CHOICE
from assay.models.naive_bayes.base import SMOOTHING, log_shares
from assay.models.naive_bayes.text_base import (
    WORD_TUNING,
    ByWord,
    WordClassifier,
    WordForm,
    fraction_notes,
)
from assay.notes import Note
from assay.numerics.distributions import log_factorial, log_multinomial_coefficient
from assay.statistics import Counts
from assay.statistics.word_part import WordPart
from assay.types import Array, MatrixLike, PriorsLike

BLOCK = 1 << 22  # numbers of dense rows whose coefficients are computed at a time
MULTINOMIAL_NB = (
    SMOOTHING.described(
        "Added to every count. 0 is allowed: a word that does not occur in a class then gives this "
        "class probability 0, a word that occurs in no class is ignored, and the posterior is the "
        "prior if every class has probability 0."
    ),
    PRIORS,
)


class MultinomialNB(WordClassifier):
    """Multinomial naive Bayes for counts of words, dense or sparse.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, statistics_
    feature_log_prob_ : (K, V)
        ln p_kj.
    coef_, intercept_
        The linear form: the posterior is the softmax of coef_ x + intercept_ (the sigmoid with two classes, which have
        one row). There is none if smoothing is 0 and a class has probability 0.

    Examples
    --------
    >>> words = ["ball", "goal", "vote"]
    >>> X = [[2, 1, 0], [1, 2, 0], [0, 0, 3], [1, 0, 2]]
    >>> model = MultinomialNB().fit(X, ["sport", "sport", "politics", "politics"])
    >>> model.predict_proba([[1, 0, 0], [0, 0, 0]]).round(3).tolist()
    [[0.333, 0.667], [0.5, 0.5]]
    """

    params: ClassVar[tuple[Param, ...]] = MULTINOMIAL_NB

    def __init__(self, *, smoothing: float = 1.0, priors: PriorsLike = "ml") -> None:
        self.smoothing = smoothing
        self.priors = priors

    def _form(self, counts: Counts) -> WordForm:
        log_prior = log_priors(self.priors, counts.weight)
        log_p = log_shares(counts.counts, self.smoothing)
        out = np.isneginf(log_p)
        if not out.any():
            return WordForm(log_p, log_prior, log_prior)
        nowhere = counts.counts.sum(axis=0) == 0  # what no class ever showed is ignored
        weights = np.where(out | nowhere, 0.0, log_p)
        ruling = (out & ~nowhere).astype(np.float64)
        return WordForm(weights, log_prior, log_prior, ruling, np.zeros(len(log_p)))

    def _narrow(self, part: WordPart) -> tuple[Array, Array]:
        weights = part.logs(self.smoothing)
        weights[:, : part.n_classes] -= np.log(part.totals + self.smoothing * part.n_words)
        return weights, log_priors(self.priors, part.weight)

    def _by_word(self, counts: Counts) -> ByWord:
        raised = counts.counts + self.smoothing
        return ByWord(np.log(raised), share=raised)

    @property
    def feature_log_prob_(self) -> Array:
        """ln p_kj, (K, V)."""
        return log_shares(self.statistics_.in_rows().counts, self.smoothing)

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> csr_array:
        """Documents as long as the training documents are on average: the model says nothing about their length."""
        shares = np.exp(self.feature_log_prob_[k])
        total = float(self.statistics_.counts.sum()) / float(self.statistics_.weight.sum())
        if not len(shares):
            return csr_array((count, 0))
        length = max(1, round(total))
        words = generator.choice(len(shares), count * length, p=shares / shares.sum())
        place = np.arange(count + 1) * length
        rows = csr_array((np.ones(count * length), words, place), shape=(count, len(shares)))
        rows.sum_duplicates()
        return rows

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        counts = self.statistics_
        empty = (counts.counts.sum(axis=-1) == 0) & (counts.weight > 0)
        notes = (Note("M415", label=labels[k]) for k in np.flatnonzero(empty))
        return (*notes, *fraction_notes(counts))

    def predict_joint_log_proba(self, X: MatrixLike, coefficient: bool = False) -> Array:
        """ln P(x, C_k) of each row and class, (N, K).

        With `coefficient` it is the probability of the counts, in whatever order the words came: it includes
        ln n! / Π x_j!, which is the same for all classes. That needs whole numbers.
        """
        scores = super().predict_joint_log_proba(X)
        return scores + log_coefficients(self._read(X))[:, None] if coefficient else scores

    @property
    def n_parameters_(self) -> int:
        """K (V - 1) + K - 1: shares of the words, priors."""
        return len(self.classes_) * (self.n_features_in_ - 1) + self._prior_parameters()

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows at the maximum-likelihood fit, words in the order they came."""
        counts = self.statistics_.in_rows().counts
        total = counts.sum(axis=-1)
        return float(xlogy(counts, counts).sum() - xlogy(total, total).sum()) + self._label_log_likelihood()


def log_coefficients(X: Any) -> Array:
    """ln of the number of orders of the words of each row, (N,)."""
    if not is_sparse(X):
        step = max(1, BLOCK // max(1, X.shape[1]))
        return np.concatenate(
            [log_multinomial_coefficient(X[at : at + step]) for at in range(0, len(X), step)]
        )
    row = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr))
    inside = np.bincount(row, log_factorial(X.data), X.shape[0])
    return log_factorial(np.bincount(row, X.data, X.shape[0])) - inside


CARDS = (
    ModelCard(
        name="multinomial_nb",
        title="Multinomial naive Bayes",
        estimator=MultinomialNB,
        family="naive Bayes",
        parameters=MULTINOMIAL_NB,
        encoding="words",
        capabilities=COUNTED,
        reading="sum over words",
        interpretability="The proportion of each word in each class; every occurrence of a word counts.",
        word_parameters=WORD_CHOICE,
        tuning=WORD_TUNING,
        column_types=("text",),
    ),
)
