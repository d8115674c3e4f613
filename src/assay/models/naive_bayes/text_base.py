r"""Models of documents: rows are counts of words, and the score of a class is linear in them.

    b_k + w_k · x

With smoothing 0 some weights would be -inf: they are kept apart, as words that rule a class out.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.engines.local import thread_count
from assay.models.base.card import Range
from assay.models.base.estimators import Tags, check_is_fitted
from assay.models.base.linear_boundary import one_row_of_two
from assay.models.base.sparse import core_matrix, is_sparse
from assay.models.base.validation import (
    check_not_negative,
    check_rows,
    check_sparse,
    check_targets,
    explain_rows,
    feature_names,
)
from assay.models.naive_bayes.base import CountedClassifier, Learned, or_priors
from assay.notes import Note
from assay.numerics.ties import settle_ties
from assay.sharing.counts.word_keys import WordKeys, WordReading
from assay.sharing.forms import Linear
from assay.statistics import Counts, count_words
from assay.statistics.word_part import LEAST, WordPart
from assay.types import Array, Floats, MatrixLike, RowWeights


@dataclass(frozen=True)
class WordForm:
    """Linear scores of one model. Shapes: weights (K, V), bias, log_prior (K,)."""

    weights: Array
    bias: Array
    log_prior: Array
    # Words that rule a class out: +1 where they may not occur, -1 where they must; `due` counts those per class.
    ruling: Array | None = None
    due: Array | None = None

    def scores(self, X: Floats, threads: int) -> Array:
        """Score of each row and class, (N, K)."""
        scores = products(X, self.weights, self.bias, threads)
        if self.ruling is None or self.due is None:
            return settle_ties(scores)
        broken = products(X, self.ruling, self.due, threads)
        return settle_ties(or_priors(scores, self.log_prior, broken > 0))


@dataclass(frozen=True)
class ByWord:
    """What each word adds to the score of a document, with smoothing; all (K, V).

    The score of a class is Σ_j [x_j weight_j + constant_j], less `sign` · Σ_j x_j · ln Σ_j share_j where words share
    what the document holds.
    """

    weight: Array
    constant: Array | None = None
    share: Array | None = None
    sign: float = 1.0


def products(X: Floats, weights: Array, bias: Array, threads: int) -> Array:
    """b_k + w_k · x for compressed or full rows, the same bits for any number of threads, (N, K)."""
    if not is_sparse(X):
        form = Linear(np.zeros((1, weights.shape[1])), weights[None], bias[None])
        return form.scores(X, threads=threads)
    out = np.empty((len(weights), X.shape[0]))
    core_matrix(X).products(np.ascontiguousarray(weights), False, threads, out)
    return np.ascontiguousarray(out.T + bias)


@dataclass(frozen=True)
class WordForms:
    """Models of several training sets."""

    forms: list[WordForm]

    def scores(self, rows: Floats, model: NDArray[np.int32] | None, threads: int) -> Array:
        """Score of each row under its model, (N, K)."""
        if model is None:
            return self.forms[0].scores(rows, threads)
        out = np.empty((rows.shape[0], len(self.forms[0].bias)))
        for m in np.unique(model):
            place = np.flatnonzero(model == m)
            out[place] = self.forms[m].scores(rows[place], threads)
        return out


@dataclass(frozen=True, eq=False)
class WordReader(WordReading):
    """Reads rows for a model of words, which is its own."""

    model: WordClassifier
    words: bool = True

    @property
    def key(self) -> Hashable:
        return self.model._counted_as()

    def read(self, X: MatrixLike) -> tuple[Floats, WordKeys]:
        """Rows as they are counted and scored."""
        rows = self.model._read(X, reset=True)
        return rows, WordKeys.of(rows)

    def prepared(self, rows: Floats) -> Floats:
        """Words behind a step, as they are counted and scored."""
        return self.model._prepared(rows)


def fraction_notes(counts: Counts) -> tuple[Note, ...]:
    """What becomes of values that are not counts; weights of rows make fractions of their own."""
    if counts.counts.dtype.kind == "f" and counts.weight.dtype.kind == "i":
        return (Note("M417"),)
    return ()


class WordClassifier(CountedClassifier):
    """A classifier of rows of counts, dense or in compressed rows."""

    sparse_ok = True
    non_negative = True

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self.non_negative
        return tags

    def _form(self, counts: Counts) -> WordForm:
        """How a model of these counts (K, V) scores rows."""
        raise NotImplementedError

    def _prepared(self, X: Floats) -> Floats:
        """Checked rows as they are counted and scored."""
        return X

    def _checked(self, X: MatrixLike, *, reset: bool = True) -> Floats:
        """Rows whose counts a model can use."""
        rows = check_rows(self, X, reset=reset)
        names = feature_names(self)
        if is_sparse(rows):
            check_sparse(rows, names)
        else:
            error = None if np.isfinite(rows.sum()) else explain_rows(names, rows, missing_allowed=False)
            if error is not None:
                raise error
        if self.non_negative:
            check_not_negative(type(self).__name__, rows, names)
        return rows

    def _nearest_rows(self, rows: Array) -> Array:
        return np.maximum(rows, 0.0) if self.non_negative else rows

    def _read(self, X: MatrixLike, *, reset: bool = False) -> Floats:
        return self._prepared(self._checked(X, reset=reset))

    def _count(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights, *, reset: bool) -> Learned:
        rows = self._read(X, reset=reset)
        codes, classes, weight = check_targets(y, sample_weight, rows.shape[0])
        return Learned(classes, count_words(rows, codes, len(classes), weight=weight))

    def _counted_as(self) -> Hashable:
        """What is counted: models of equal answers read and count rows together."""
        return "words"

    # -- training sets from one count pass ----------------------------------------------------------------

    def _reader(self) -> WordReader:
        return WordReader(self, self.sparse_ok)

    def solve_counts(self, counts: Counts, keys: WordKeys | None) -> WordForms:
        """Models of M training sets from their counts (M, K, V)."""
        return WordForms([self._form(counts[m]) for m in range(len(counts.weight))])

    def word_weights(self, part: WordPart) -> tuple[Array, Array] | None:
        """Weights of the words asked for (U, padded K) and constants (K,); None: it needs all words."""
        return self._narrow(part) if self.smoothing >= LEAST else None

    def _narrow(self, part: WordPart) -> tuple[Array, Array] | None:
        """The same with smoothing."""
        return None

    def _by_word(self, counts: Counts) -> ByWord | None:
        """Scores word by word, from dense counts (K, V); None: words do not simply add up."""
        return None

    def _solve(self, seen: Learned) -> None:
        self._score_form = self._form(seen.counts)

    def _class_scores(self, X: Floats) -> Array:
        return self._score_form.scores(X, threads=thread_count())

    def _linear_form(self) -> tuple[Array, Array]:
        """Weights w (K, D) and constants w_0 (K,) of the scores w_k · x + w_k0; a model without rows ruled out."""
        return self._score_form.weights, self._score_form.bias

    def _linear(self) -> tuple[Array, Array]:
        """The linear form, of two classes that of the second against the first."""
        check_is_fitted(self)
        if self._score_form.ruling is not None:
            raise AttributeError(Note("M521", type(self).__name__, smoothing=float(self.smoothing)))
        return one_row_of_two(*self._linear_form())

    @property
    def coef_(self) -> Array:
        """Weights of the columns in the linear scores, (K, D); with two classes one row, for the second class."""
        return self._linear()[0]

    @property
    def intercept_(self) -> Array:
        """Constants of the linear scores, (K,); with two classes one, for the second class."""
        return self._linear()[1]


WORD_TUNING = (Range("max_words", (100, 1000, 10_000, None)), Range("smoothing", (1.0, 0.1, 0.01)))
