r"""Bernoulli naive Bayes: every word of the vocabulary is in a document or not, and both speak.

    ln P(C_k | x) = ln P(C_k) + Σ_j [ x_j ln p_kj + (1 - x_j) ln (1 - p_kj) ] + const,    p_kj = (c_kj + a) / (n_k + 2a)

c_kj is the number of documents of class k that hold word j. Unlike in the multinomial model a common word that a
document lacks is evidence; how often a word occurs is not. At home with short texts and with yes-or-no columns.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

import numpy as np
from scipy.sparse import csr_array
from scipy.special import xlogy

from assay.decision.priors import log_priors
from assay.models.base.card import COUNTED, ModelCard
from assay.models.base.params import PRIORS, Param
from assay.models.base.sparse import is_sparse
from assay.models.features.select_words import WORD_CHOICE
from assay.models.naive_bayes.base import SMOOTHING
from assay.models.naive_bayes.text_base import WORD_TUNING, ByWord, WordClassifier, WordForm
from assay.notes import Note
from assay.statistics import Counts
from assay.statistics.counts import ROUNDING
from assay.statistics.word_part import MOST, WordPart
from assay.types import Array, Floats, PriorsLike

THRESHOLD = Param("threshold", "float", 0.0, "A word is present if its value is larger.")
BERNOULLI_NB = (
    SMOOTHING.described(
        "Added to the number of documents with and without a word. 0 is allowed, as in "
        "`MultinomialNB`; a word that every document of a class contains is then required, too."
    ),
    PRIORS,
    THRESHOLD,
)


class BernoulliNB(WordClassifier):
    """Bernoulli naive Bayes for the presence or absence of words, dense or sparse.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, statistics_
    feature_log_prob_ : (K, V)
        ln p_kj.
    coef_, intercept_
        The linear form: the posterior is the softmax of coef_ x + intercept_ (the sigmoid with two classes, which have
        one row), x 1 for a present word and 0 for an absent one. There is none if smoothing is 0 and a class has
        probability 0.

    Examples
    --------
    >>> X = [[1, 1], [1, 0], [0, 1], [0, 0]]
    >>> model = BernoulliNB().fit(X, ["a", "a", "b", "b"])
    >>> model.predict_proba([[0, 0]]).round(3).tolist()    # the first word is absent, as in class b
    [[0.25, 0.75]]
    """

    params: ClassVar[tuple[Param, ...]] = BERNOULLI_NB
    non_negative = False

    def __init__(self, *, smoothing: float = 1.0, priors: PriorsLike = "ml", threshold: float = 0.0) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.threshold = threshold

    def _counted_as(self) -> Hashable:
        return "presence", self.threshold

    def _prepared(self, X: Floats) -> Any:
        """1 where a word is there."""
        if not is_sparse(X):
            return (X > self.threshold).astype(np.float64)
        if self.threshold < 0:
            raise ValueError(Note("M138", threshold=self.threshold))
        present = X.data > self.threshold
        if present.all():
            return csr_array((np.ones(len(X.data)), X.indices, X.indptr), shape=X.shape)
        words = csr_array((present.astype(np.float64), X.indices, X.indptr), shape=X.shape, copy=True)
        words.eliminate_zeros()
        return words

    def _logs(self, counts: Counts) -> tuple[Array, Array]:
        """ln p and ln (1 - p), each (K, V)."""
        n = counts.weight[:, None].astype(np.float64)
        absent = n - counts.counts
        absent = np.where(absent > ROUNDING * n, absent, 0.0)  # sums of weights differ by rounding
        a = self.smoothing
        with np.errstate(divide="ignore", invalid="ignore"):
            total = np.log(n + 2.0 * a)
            known = np.isfinite(total)
            with_word, without = np.log(counts.counts + a) - total, np.log(absent + a) - total
        half = -np.log(2.0)  # a class without documents
        return np.where(known, with_word, half), np.where(known, without, half)

    def _form(self, counts: Counts) -> WordForm:
        log_prior = log_priors(self.priors, counts.weight)
        present, absent = self._logs(counts)
        never, always = np.isneginf(present), np.isneginf(absent)
        if not never.any() and not always.any():
            return WordForm(present - absent, log_prior + absent.sum(axis=-1), log_prior)
        present, absent = np.where(never, 0.0, present), np.where(always, 0.0, absent)
        # What no class ever showed is ignored, and so is the absence of what every document has.
        seen = counts.weight > 0
        never &= ~never[seen].all(axis=0)
        always &= ~always[seen].all(axis=0)
        return WordForm(
            present - absent,
            log_prior + absent.sum(axis=-1),
            log_prior,
            never.astype(np.float64) - always,
            always.sum(axis=-1).astype(np.float64),
        )

    def _narrow(self, part: WordPart) -> tuple[Array, Array] | None:
        log_prior, n, a = log_priors(self.priors, part.weight), part.weight.astype(np.float64), self.smoothing
        if n.max() + a > MOST:
            return None
        absent = part.log_differences(n + a) - part.n_words * np.log(n + 2.0 * a)
        return part.logs(a) - part.logs(n + a, -1.0), log_prior + absent

    def _by_word(self, counts: Counts) -> ByWord:
        present, absent = self._logs(counts)
        return ByWord(present - absent, absent)

    @property
    def feature_log_prob_(self) -> Array:
        """ln p_kj, (K, V)."""
        return self._logs(self.statistics_.in_rows())[0]

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> Array:
        share = np.exp(self.feature_log_prob_[k])
        return np.asarray(generator.random((count, len(share))) < share, dtype=np.float64)

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        empty = (self.statistics_.counts.sum(axis=-1) == 0) & (self.statistics_.weight > 0)
        return tuple(Note("M416", label=labels[k]) for k in np.flatnonzero(empty))

    def _possible(self, counts: Counts) -> bool:
        return bool((counts.counts <= counts.weight[:, None] * (1.0 + ROUNDING)).all())

    @property
    def n_parameters_(self) -> int:
        """K V + K - 1: a share for each word, priors."""
        return len(self.classes_) * self.n_features_in_ + self._prior_parameters()

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training rows at the maximum-likelihood fit."""
        counts, n = self.statistics_.in_rows().counts, self.class_count_[:, None]
        absent = np.maximum(n - counts, 0)
        parts = xlogy(counts, counts) + xlogy(absent, absent) - xlogy(n, n)
        return float(parts.sum()) + self._label_log_likelihood()


CARDS = (
    ModelCard(
        name="bernoulli_nb",
        title="Bernoulli naive Bayes",
        estimator=BernoulliNB,
        family="naive Bayes",
        parameters=BERNOULLI_NB,
        encoding="words",
        capabilities=COUNTED,
        reading="sum over words",
        interpretability="The proportion of texts with each word in each class; absent words count as well.",
        word_parameters=WORD_CHOICE,
        tuning=WORD_TUNING,
        column_types=("text",),
    ),
)
