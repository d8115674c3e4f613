r"""Complement naive Bayes: a document belongs where the words of the other classes fit it worst.

    score_k = ln P(C_k) - Σ_j x_j ln q_kj,    q_kj = (c̄_kj + a) / Σ_j (c̄_kj + a)

c̄_kj counts word j in all classes but k, which is more even than c_kj where some classes have few documents (Rennie and
others, 2003). It is a rule and not a model of documents: its posteriors are normalised scores, to be calibrated before
they meet a loss matrix, and it has no likelihood.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np

from assay.decision.priors import log_priors
from assay.models.base.card import COUNTED, ModelCard
from assay.models.base.params import PRIORS, Param
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
from assay.statistics import Counts
from assay.statistics.word_part import WordPart
from assay.types import Array, PriorsLike

NORM = Param("norm", "bool", False, "Divide the weights of each class by their sum.")
# The weights stand for what the other classes are not: the shares of the classes are no part of the rule.
COMPLEMENT_NB = (
    SMOOTHING.described(
        "Added to every count. 0 is allowed: a word that occurs in a single class then decides for "
        "this class."
    ),
    replace(PRIORS, default="uniform").described(
        'Class probabilities: proportions of the data, equal, or given. "uniform" leaves the class proportions '
        "out of the score, as is usual."
    ),
    NORM,
)


class ComplementNB(WordClassifier):
    """Complement naive Bayes for counts of words, dense or sparse.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, statistics_
    feature_log_prob_ : (K, V)
        Weight of each word: -ln q_kj, with `norm` divided by their sum.
    coef_, intercept_
        The linear form of the scores; with two classes one row, the second against the first.

    Examples
    --------
    >>> X = [[2, 1, 0], [1, 2, 0], [0, 0, 3]]
    >>> ComplementNB().fit(X, ["sport", "sport", "politics"]).predict([[1, 0, 0], [0, 0, 1]]).tolist()
    ['sport', 'politics']
    """

    params: ClassVar[tuple[Param, ...]] = COMPLEMENT_NB
    has_density = False  # a rule

    def __init__(self, *, smoothing: float = 1.0, priors: PriorsLike = "uniform", norm: bool = False) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.norm = norm

    def _logs(self, counts: Counts) -> Array:
        """ln q, (K, V); classes without a row are in nobody's way."""
        return log_shares(_others(counts), self.smoothing)

    def _weights(self, logs: Array) -> Array:
        finite = np.where(np.isneginf(logs), 0.0, logs)
        if not self.norm:
            return -finite
        total = finite.sum(axis=-1, keepdims=True)
        return np.asarray(np.divide(finite, total, out=np.zeros_like(finite), where=total != 0))

    def _form(self, counts: Counts) -> WordForm:
        log_prior = log_priors(self.priors, counts.weight)
        logs = self._logs(counts)
        weights, alone = self._weights(logs), np.isneginf(logs)
        if not alone.any():
            return WordForm(weights, log_prior, log_prior)
        alone &= counts.counts.sum(axis=0) > 0  # what no class ever showed is ignored
        ruling = (alone.any(axis=0) & ~alone).astype(np.float64)  # a word of one class rules the others out
        return WordForm(weights, log_prior, log_prior, ruling, np.zeros(len(logs)))

    def _narrow(self, part: WordPart) -> tuple[Array, Array] | None:
        if self.norm:
            return None
        total = part.totals.sum() - part.totals + self.smoothing * part.n_words
        weights = -part.logs(self.smoothing, others=True)
        weights[:, : part.n_classes] += np.log(total)
        return weights, log_priors(self.priors, part.weight)

    def _by_word(self, counts: Counts) -> ByWord | None:
        if self.norm:
            return None
        raised = _others(counts) + self.smoothing
        return ByWord(-np.log(raised), share=raised, sign=-1.0)

    @property
    def feature_log_prob_(self) -> Array:
        """Weight of each word in each class, (K, V)."""
        return self._score_form.weights

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        empty = (self.statistics_.counts.sum(axis=-1) == 0) & (self.statistics_.weight > 0)
        notes = (Note("M416", label=labels[k]) for k in np.flatnonzero(empty))
        return (*notes, *fraction_notes(self.statistics_))


def _others(counts: Counts) -> Array:
    """Counts of all other classes, (K, V)."""
    class_counts = counts.counts
    others = class_counts.sum(axis=0) - class_counts
    if class_counts.dtype.kind == "f":  # what rounding leaves is no count
        others = np.where(others > 1e-12 * class_counts.sum(axis=0), others, 0.0)
    return np.asarray(others)


CARDS = (
    ModelCard(
        name="complement_nb",
        title="Complement naive Bayes",
        estimator=ComplementNB,
        family="naive Bayes",
        parameters=COMPLEMENT_NB,
        encoding="words",
        capabilities=COUNTED,
        reading="sum over words",
        interpretability="Evidence of the words against the other classes; posteriors are rough.",
        word_parameters=WORD_CHOICE,
        tuning=WORD_TUNING,
        column_types=("text",),
    ),
)
