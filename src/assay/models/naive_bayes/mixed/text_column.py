r"""Multinomial naive Bayes of a column of texts, which learns its words and can unlearn them.

    ln P(C_k | text) = ln P(C_k) + Σ_w x_w ln p_kw + const

All words of all texts are counted, with the texts that hold each; the model is solved from the words that pass the
filters now. So rows may come and go: the words are those that one fit of the rows that are left would choose.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, hstack

from assay.engines.local import thread_count
from assay.models.base.estimators import Tags
from assay.models.base.params import PRIORS, Param
from assay.models.base.stored import FROM_COUNTS, Field
from assay.models.base.validation import check_targets
from assay.models.features.word_counts import TokenRule, WordFilter, choose_words, count_texts
from assay.models.features.word_counts import WordTally as TextTally
from assay.models.naive_bayes.base import SMOOTHING, CountedClassifier, Learned
from assay.models.naive_bayes.multinomial import MultinomialNB
from assay.models.naive_bayes.text_base import WordForm
from assay.notes import Note
from assay.sharing.counts.word_keys import WordKeys, WordReading
from assay.statistics import Counts, count_words
from assay.statistics.word_part import WordPart
from assay.types import Array, MatrixLike, PriorsLike, RowWeights

Words = NDArray[np.object_]
THE_TEXT = "The text"  # the subject of notes until a table names the column
MIN_DOCUMENTS = Param(
    "min_documents",
    "amount",
    1,
    (
        "Least number of texts with a word: a number, or a proportion of all texts (float). Rows "
        "count by their weights."
    ),
)
MAX_WORDS = Param(
    "max_words",
    "int",
    None,
    "Largest number of words per text column; the most frequent are kept.",
    low=1,
    optional=True,
)
DOCUMENT_NB = (SMOOTHING, PRIORS, MIN_DOCUMENTS, MAX_WORDS)


class DocumentNB(CountedClassifier):
    """Multinomial naive Bayes for texts.

    Attributes
    ----------
    classes_, class_count_, class_prior_, diagnostics_, statistics_
    words_ : the words of all texts, in order
    vocabulary_ : those that are used
    feature_log_prob_ : (K, V)
        ln p_kw of the words that are used.

    Examples
    --------
    >>> model = DocumentNB().fit(["win cash now", "cash prize", "see you soon", "call me soon"], [1, 1, 0, 0])
    >>> model.predict(["a prize", "soon"]).tolist()
    [1, 0]
    """

    params: ClassVar[tuple[Param, ...]] = DOCUMENT_NB
    solved_from: ClassVar[tuple[Field, ...]] = (*FROM_COUNTS, Field("words_", "words", ("W",)))

    def __init__(
        self,
        *,
        smoothing: float = 1.0,
        priors: PriorsLike = "ml",
        min_documents: float = 1,
        max_words: int | None = None,
    ) -> None:
        self.smoothing = smoothing
        self.priors = priors
        self.min_documents = min_documents
        self.max_words = max_words

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags

    def _count(self, X: MatrixLike, y: ArrayLike, sample_weight: RowWeights, *, reset: bool) -> Learned:
        rows, keys = self._reader().read(X)
        self.n_features_in_ = 1  # a column of texts
        codes, classes, weight = check_targets(y, sample_weight, rows.shape[0])
        counts = count_words(rows, codes, len(classes), weight=weight)
        words = np.asarray(keys.words)
        seen = Learned(classes, counts, (words, words))
        return seen if weight is None or weight.all() else seen._shed_levels()

    # -- training sets from one count pass ----------------------------------------------------------------

    def _reader(self) -> DocumentReader:
        return DocumentReader()

    def solve_counts(self, counts: Counts, keys: WordKeys | None) -> DocumentForms:
        """Models of M training sets from their counts (M, K, 2V); each chooses its words."""
        return DocumentForms([self._chosen(counts[m]) for m in range(len(counts.weight))])

    def word_weights(self, part: WordPart) -> None:
        """All words are needed, to choose among them."""
        return None

    def _learned(self) -> Learned:
        return Learned(self.classes_, self.statistics_, (self.words_, self.words_))

    def _n_counted(self) -> int:
        return 2 * len(self.words_)

    def _possible(self, counts: Counts) -> bool:
        total, documents = np.split(counts.counts, 2, axis=-1)
        fits = (documents <= counts.weight[:, None] * (1.0 + 1e-9)) & (documents <= total * (1.0 + 1e-9))
        return bool(fits.all() and (documents.sum(axis=0) > 0).all())

    def _what(self, position: int) -> str:
        return f"The word {self.words_[position % len(self.words_)]!r}"

    def _check_levels_known(self, rows: Learned) -> None:
        strange = np.setdiff1d((rows.levels or ((),))[0], self.words_)
        if len(strange):
            raise ValueError(Note("M154", strange=strange[0]))

    def _chosen(self, counts: Counts) -> tuple[NDArray[np.intp], WordForm]:
        """Words that pass the filters in these counts (K, 2V), and how the model of them scores."""
        half = counts.n_levels // 2
        total, documents = counts.counts[:, :half], counts.counts[:, half:]
        filters = WordFilter(self.min_documents, np.inf, self.max_words)
        columns = choose_words(documents.sum(axis=0), total.sum(axis=0), counts.weight.sum(), filters).columns
        model = MultinomialNB(smoothing=self.smoothing, priors=self.priors)
        return columns, model._form(replace(counts, counts=total[:, columns]))

    def _solve(self, seen: Learned) -> None:
        assert seen.levels is not None
        self.words_: Words = np.asarray(seen.levels[0], dtype=object)
        self._columns, self._score_form = self._chosen(seen.counts)
        self.vocabulary_: Words = self.words_[self._columns]

    def _read(self, X: Any) -> csr_array:
        """Counts of the words that are used, (N, V)."""
        if not len(self.vocabulary_):
            return csr_array((len(X), 0), dtype=np.float64)
        return csr_array(TextTally(X, TokenRule(), self.vocabulary_.tolist()).matrix(), dtype=np.float64)

    def _class_scores(self, X: csr_array) -> Array:
        return scored(self._score_form, X, threads=thread_count())

    def _draw(self, k: int, count: int, generator: np.random.Generator) -> csr_array:
        return self._inner()._draw(k, count, generator)

    @property
    def feature_log_prob_(self) -> Array:
        """ln p_kw, (K, V)."""
        return self._inner().feature_log_prob_

    @property
    def n_parameters_(self) -> int:
        """K (V - 1) + K - 1: shares of the words, priors."""
        free = len(self.classes_) * max(len(self.vocabulary_) - 1, 0)
        return free + self._prior_parameters()

    @property
    def log_likelihood_(self) -> float:
        """Joint log likelihood of the training texts at the maximum-likelihood fit, words in the order they came."""
        return self._inner().log_likelihood_

    def _inner(self) -> MultinomialNB:
        """The model of the words that are used."""
        model = MultinomialNB(smoothing=self.smoothing, priors=self.priors)
        model.n_features_in_ = len(self.vocabulary_)
        return model._learn(Learned(self.classes_, self.statistics_.select(self._columns)))

    def _difficulties(self, labels: list[str]) -> tuple[Note, ...]:
        if not len(self.words_):
            return (Note("M418", THE_TEXT),)
        if not len(self.vocabulary_):
            return (Note("M419", THE_TEXT, min_documents=self.min_documents, n_words=len(self.words_)),)
        empty = (self.statistics_.counts[:, self._columns].sum(axis=-1) == 0) & (self.statistics_.weight > 0)
        return tuple(Note("M420", THE_TEXT, label=labels[k]) for k in np.flatnonzero(empty))


@dataclass(frozen=True, eq=False)
class DocumentReader(WordReading):
    """Cuts texts into words; the columns are words, and once more words that are there or not."""

    key: str = "documents"
    words: bool = False  # no step chooses among them

    def read(self, X: MatrixLike) -> tuple[csr_array, WordKeys]:
        """Counts of all words with the texts that hold them beside, (N, 2V)."""
        counted = count_texts(X, TokenRule())
        rows = _with_presence(counted.X)
        return rows, WordKeys.of(rows, counted.vocabulary)

    def look_up(self, X: MatrixLike, keys: WordKeys) -> csr_array:
        """The same of known words."""
        assert keys.words is not None
        return _with_presence(TextTally(X, TokenRule(), keys.words.tolist()).matrix())


def _with_presence(counted: csr_array) -> csr_array:
    counts = csr_array(counted, dtype=np.float64)
    present = csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), shape=counts.shape)
    return csr_array(hstack([counts, present], format="csr"))


@dataclass(frozen=True, eq=False)
class DocumentForms:
    """Of every training set the columns that it uses, and how it scores them."""

    forms: list[tuple[NDArray[np.intp], WordForm]]

    def scores(self, rows: csr_array, model: NDArray[np.int32] | None, threads: int) -> Array:
        """Score of each row under its model, (N, K)."""
        row_model = np.zeros(rows.shape[0], dtype=np.int32) if model is None else model
        out = np.empty((rows.shape[0], len(self.forms[0][1].bias)))
        for m in np.unique(row_model):
            place, (columns, form) = np.flatnonzero(row_model == m), self.forms[m]
            out[place] = scored(form, csr_array(rows[place][:, columns]), threads)
        return out


def scored(form: WordForm, X: csr_array, threads: int) -> Array:
    """Scores of compressed rows; without any word those of the priors."""
    if X.shape[1] == 0:
        return np.tile(form.log_prior, (X.shape[0], 1))
    return form.scores(X, threads)
