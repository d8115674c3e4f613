"""Texts as counts of their words: X[i, j] is how often word j stands in document i.

A word is a run of at least two characters that are letters or digits anywhere in Unicode, or underscores. The
vocabulary is learned in `fit` and sorted by code points; the same documents give the same bits in any number of
threads.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from assay.models.base.estimators import Tags, Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.stored import INPUT, Field
from assay.models.features.select_words import CHOOSE_WORDS
from assay.models.features.word_counts import (
    Chosen,
    TokenRule,
    WordFilter,
    WordTally,
    all_dropped,
    choose_words,
    count_table,
    tally_words,
    word_mask,
)
from assay.models.features.word_stems import STEMMERS
from assay.notes import Note
from assay.sharing.counts.word_keys import WordKeys, WordReading
from assay.statistics.counts import ColumnMask, WordTotals
from assay.types import MatrixLike

TEXT_COUNTS = (
    Param(
        "lowercase",
        "case",
        True,
        'Lower case as `str.lower`, none, or `str.casefold` ("fold"). The latter also makes "ß" and "ss" '
        "one.",
    ),
    Param(
        "tokens",
        "choice",
        "words",
        'What is counted. "characters" replaces every run of white space by one blank.',
        choices=("words", "characters"),
    ),
    Param(
        "ngram_range",
        "range",
        (1, 1),
        "Least and largest length of the n-grams to count. Their words are joined by blanks.",
    ),
    Param("stop_words", "words", None, "Words to leave out, compared after `lowercase`.", optional=True),
    Param(
        "stemmer",
        "choice",
        None,
        "Count stems instead of words, by the Snowball algorithm of a language (`porter` is the original one of "
        "English); needs the optional part `text`.",
        choices=STEMMERS,
        optional=True,
    ),
    *CHOOSE_WORDS,
)


class TextCounts(Transformer):
    """Count the words of texts in a sparse matrix.

    Attributes
    ----------
    vocabulary_ : the words, in the order of the columns
    document_counts_ : number of documents with each of them
    dropped_ : dict of the number of different words that the stop list and each filter removed

    Examples
    --------
    >>> texts = ["Green eggs and ham", "No ham, no eggs"]
    >>> counts = TextCounts(stop_words=["and"]).fit(texts)
    >>> counts.get_feature_names_out().tolist()
    ['eggs', 'green', 'ham', 'no']
    >>> counts.transform(texts).toarray().tolist()
    [[1, 1, 1, 0], [1, 0, 1, 2]]
    """

    params: ClassVar[tuple[Param, ...]] = TEXT_COUNTS
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("vocabulary_", "vocabulary", ("V",)),
        Field("document_counts_", "places", ("V",)),
        Field("dropped_", "tallies"),
    )
    vocabulary_: NDArray[np.object_]
    document_counts_: NDArray[np.int64]
    dropped_: dict[str, int]

    def __init__(
        self,
        lowercase: bool | str = True,
        *,
        tokens: str = "words",
        ngram_range: tuple[int, int] = (1, 1),
        stop_words: Iterable[str] | None = None,
        stemmer: str | None = None,
        min_documents: float = 1,
        max_documents: float = 1.0,
        max_words: int | None = None,
        binary: bool = False,
    ) -> None:
        self.lowercase = lowercase
        self.tokens = tokens
        self.ngram_range = ngram_range
        self.stop_words = stop_words
        self.stemmer = stemmer
        self.min_documents = min_documents
        self.max_documents = max_documents
        self.max_words = max_words
        self.binary = binary

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags

    def _check_declared(self) -> None:
        super()._check_declared()
        least, most = self.ngram_range
        if least > most:
            raise ValueError(Note("M081", ngram_range=self.ngram_range, most=most, least=least))
        if self.stop_words is not None and self.tokens == "characters":
            raise ValueError(Note("M082"))
        if self.stemmer is not None and (self.tokens == "characters" or self.lowercase is False):
            raise ValueError(Note("M721", stemmer=self.stemmer))

    def token_rule(self) -> TokenRule:
        """What is counted, under these parameters."""
        self._check_params()
        least, most = self.ngram_range
        stop_words = tuple(self.stop_words or ())
        return TokenRule(self.lowercase, self.tokens, (int(least), int(most)), stop_words, self.stemmer)

    def word_filter(self) -> WordFilter:
        """Which of the words stay, under these parameters."""
        self._check_params()
        return WordFilter(self.min_documents, self.max_documents, self.max_words)

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Learn the vocabulary of a list, array, series or Arrow column of texts; a missing text is empty."""
        self._learn(X)
        return self

    def fit_transform(self, X: MatrixLike, y: ArrayLike | None = None, **fit_params: object) -> csr_array:
        """Learn the vocabulary and count, reading the texts once."""
        tally, chosen = self._learn(X)
        return tally.matrix(chosen.columns, binary=self.binary)

    def transform(self, X: MatrixLike) -> csr_array:
        """Counts of the known words, int32 (N, V) in rows; words not in the vocabulary are passed over."""
        check_is_fitted(self)
        tally = tally_words(X, self.token_rule(), self.vocabulary_.tolist())
        return tally.matrix(binary=self.binary)

    def read_counts(self) -> TextReader:
        """How texts are cut into words, for whoever counts many training sets at once."""
        return TextReader(copy.copy(self), ("texts", self.token_rule()))

    def word_map(self, totals: WordTotals) -> ColumnMask:
        """The words that a training set keeps, of those that all texts hold."""
        return word_mask(totals, self.word_filter(), self.binary)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """The words, in the order of the columns."""
        check_is_fitted(self)
        return self.vocabulary_

    def _learn(self, X: MatrixLike) -> tuple[WordTally, Chosen]:
        rule, filters = self.token_rule(), self.word_filter()
        tally = tally_words(X, rule)
        documents, totals = tally.totals()
        if tally.n_words == 0:
            raise _no_words(X, rule, tally)
        chosen = choose_words(documents, documents if self.binary else totals, tally.n_documents, filters)
        if len(chosen.columns) == 0:
            raise all_dropped(chosen, filters, tally.n_words, tally.n_documents)
        self.n_features_in_ = 1  # a column of texts
        self.vocabulary_ = tally.vocabulary(chosen.columns)
        self.document_counts_ = documents[chosen.columns]
        self.dropped_ = {"stop_words": tally.n_stopped, **chosen.dropped}
        tally.forget_words()
        return tally, chosen


@dataclass(frozen=True, eq=False)
class TextReader(WordReading):
    """Cuts texts into words, each of which is a column."""

    step: TextCounts
    key: tuple[Hashable, TokenRule]

    def read(self, X: MatrixLike) -> tuple[csr_array, WordKeys]:
        """Counts of every word of all texts; where there is none, the sentence of a fit."""
        rows = count_table(X, self.key[1])
        if rows.shape[1] == 0:
            self.step.fit(X)
        return rows.astype(np.float64), WordKeys.of(rows)

    def keys(self, X: MatrixLike) -> WordKeys:
        """The words of some texts."""
        tally = tally_words(X, self.key[1])
        return WordKeys(tally.n_words, 0, True, tally.vocabulary())

    def look_up(self, X: MatrixLike, keys: WordKeys) -> csr_array:
        """Counts of known words."""
        assert keys.words is not None
        return csr_array(tally_words(X, self.key[1], keys.words.tolist()).matrix(), dtype=np.float64)


def _no_words(X: MatrixLike, rule: TokenRule, tally: WordTally) -> ValueError:
    """Why there was nothing to filter: no documents, no tokens in them, or none beside the stop words."""
    n_documents = tally.n_documents
    if n_documents == 0:
        return ValueError(Note("M078"))
    if rule.stop_words and WordTally(X, TokenRule(rule.lowercase)).n_words == tally.n_stopped > 0:
        return ValueError(Note("M079", n_stop_words=len(rule.stop_words), n_documents=n_documents))
    least = rule.ngram_range[0]
    if least > 1:
        values = {"ngram_range": rule.ngram_range, "least": least, "tokens": rule.tokens}
        return ValueError(Note("M080", values=values, n_documents=n_documents))
    return ValueError(Note("M713" if rule.tokens == "characters" else "M077", n_documents=n_documents))
