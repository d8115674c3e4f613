"""Counting words once, and choosing among them afterwards.

`count_texts` cuts documents into tokens and counts all of them. `choose_words` then says which columns stay, from
how many documents hold each word and how often it stands there in all: numbers that a fold has of its own rows, so
that each fold chooses its vocabulary without cutting a text again.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay import _core
from assay.engines.local import thread_count
from assay.models.features.text_input import as_texts
from assay.models.features.unicode_pages import CHANGES, characters_for
from assay.models.features.word_stems import columns_of, stems, sum_columns
from assay.notes import Note
from assay.statistics.counts import ColumnMask, WordTotals
from assay.types import MatrixLike, Numbers

Counts = NDArray[np.int64]
LARGEST = np.iinfo(np.int32).max


@dataclass(frozen=True)
class TokenRule:
    """What is counted: words or characters, in which case, how many in a row, without which, and by which stem."""

    lowercase: bool | str = True
    tokens: str = "words"
    ngram_range: tuple[int, int] = (1, 1)
    stop_words: Sequence[str] = ()
    stemmer: str | None = None


@dataclass(frozen=True)
class WordFilter:
    """Which words stay: those in enough documents, those not in too many, and then the most frequent."""

    min_documents: float = 1
    max_documents: float = 1.0
    max_words: int | None = None

    def bounds(self, n_documents: int) -> tuple[float, float]:
        """Least and largest number of documents; a share is of all documents."""
        low, high = (
            count if isinstance(count, numbers.Integral) else count * n_documents
            for count in (self.min_documents, self.max_documents)
        )
        return float(low), float(high)


@dataclass(frozen=True)
class Chosen:
    """Columns that stay, in order, and how many words each filter took."""

    columns: NDArray[np.intp]
    dropped: dict[str, int]


@dataclass(frozen=True)
class CountedTexts:
    """Documents by words, int32 (N, V), and the words in the order of their code points."""

    X: csr_array
    vocabulary: NDArray[np.object_]


class WordTally:
    """Counted documents before they are written down as a matrix."""

    def __init__(self, X: MatrixLike, rule: TokenRule, vocabulary: Sequence[str] | None = None) -> None:
        self.threads = thread_count()
        texts = as_texts(X, self.threads)
        change = CHANGES[rule.lowercase]
        stop = [change(word) for word in rule.stop_words]
        characters = characters_for(rule.lowercase, texts.pages())
        least, most = rule.ngram_range
        known = None if vocabulary is None else list(vocabulary)
        words = rule.tokens == "words"
        self._tally = _core.text.Tally(texts, characters, words, least, most, stop, known, self.threads)
        self.n_documents, self.n_words = len(texts), self._tally.word_count
        self.n_stopped = self._tally.stopped  # stop words that the documents hold

    def totals(self) -> tuple[Counts, Counts]:
        """For each word the documents that it is in, and how often it stands in all of them."""
        documents = np.empty(self.n_words, dtype=np.int64)
        total = np.empty(self.n_words, dtype=np.int64)
        self._tally.totals(documents, total)
        return documents, total

    def vocabulary(self, columns: NDArray[np.intp] | None = None) -> NDArray[np.object_]:
        """The words of these columns, of all when not given."""
        words = np.empty(self.n_words if columns is None else len(columns), dtype=object)
        self._tally.names(self._places(columns), words)
        return words

    def forget_words(self) -> None:
        """Free the words themselves before the matrix takes its space; their totals and names were asked for."""
        self._tally.forget_words()

    def matrix(self, columns: NDArray[np.intp] | None = None, *, binary: bool = False) -> csr_array:
        """Documents by the words of these columns; 1 for every count if binary."""
        places = self._places(columns)
        first = np.empty(self.n_documents + 1, dtype=np.int64)
        self._tally.bounds(places, self.threads, first)
        size = int(first[-1])
        indptr = first.astype(np.int32) if size <= LARGEST else first
        indices = np.empty(size, dtype=np.int32)
        counts = np.empty(size, dtype=np.int32)
        self._tally.fill(places, indptr, binary, self.threads, indices, counts)
        width = self.n_words if columns is None else len(columns)
        X = csr_array((counts, indices, indptr), shape=(self.n_documents, width))
        X.has_sorted_indices = X.has_canonical_format = True  # they are: spares a look at every entry
        return X

    def _places(self, columns: NDArray[np.intp] | None) -> NDArray[np.int32]:
        if columns is None:
            return np.arange(self.n_words, dtype=np.int32)
        places = np.full(self.n_words, -1, dtype=np.int32)
        places[columns] = np.arange(len(columns), dtype=np.int32)
        return places


class StemTally(WordTally):
    """Documents counted by the stems of their words."""

    def __init__(self, X: MatrixLike, rule: TokenRule, vocabulary: Sequence[str] | None = None) -> None:
        super().__init__(X, rule)
        assert rule.stemmer is not None
        names = stems(super().vocabulary().tolist(), rule.stemmer)
        self._names = np.array(sorted(set(names)) if vocabulary is None else list(vocabulary), dtype=object)
        super().forget_words()
        self._counts = sum_columns(super().matrix(), columns_of(names, self._names), len(self._names))
        self.n_words = len(self._names)

    def totals(self) -> tuple[Counts, Counts]:
        """For each stem the documents that it is in, and how often it stands in all of them."""
        documents = np.bincount(self._counts.indices, minlength=self.n_words)
        return documents, np.asarray(self._counts.sum(axis=0, dtype=np.int64))

    def vocabulary(self, columns: NDArray[np.intp] | None = None) -> NDArray[np.object_]:
        """The stems of these columns, of all when not given."""
        return self._names if columns is None else self._names[columns]

    def forget_words(self) -> None:
        """The stems are few, and stay."""

    def matrix(self, columns: NDArray[np.intp] | None = None, *, binary: bool = False) -> csr_array:
        """Documents by the stems of these columns; 1 for every count if binary."""
        X = self._counts if columns is None else csr_array(self._counts[:, columns])
        if binary:
            X = csr_array((np.ones_like(X.data), X.indices, X.indptr), shape=X.shape)
        return X


def tally_words(X: MatrixLike, rule: TokenRule, vocabulary: Sequence[str] | None = None) -> WordTally:
    """Documents counted by this rule; with a vocabulary by its words alone."""
    return (WordTally if rule.stemmer is None else StemTally)(X, rule, vocabulary)


def count_texts(X: MatrixLike, rule: TokenRule | None = None, *, binary: bool = False) -> CountedTexts:
    """Count all words of all documents.

    >>> counted = count_texts(["to be or not to be"])
    >>> dict(zip(counted.vocabulary.tolist(), counted.X.toarray()[0].tolist()))
    {'be': 2, 'not': 1, 'or': 1, 'to': 2}
    """
    tally = tally_words(X, rule or TokenRule())
    vocabulary = tally.vocabulary()
    tally.forget_words()
    return CountedTexts(tally.matrix(binary=binary), vocabulary)


def count_table(X: MatrixLike, rule: TokenRule) -> csr_array:
    """The counts of `count_texts` without the words, for whoever only chooses among columns.

    >>> count_table(["to be or not to be"], TokenRule()).toarray().tolist()
    [[2, 1, 1, 2]]
    """
    tally = tally_words(X, rule)
    tally.forget_words()
    return tally.matrix()


def choose_words(documents: Counts, totals: Numbers, n_documents: int, filters: WordFilter) -> Chosen:
    """Columns that pass all filters; among words equally frequent the first in order stay.

    >>> choose_words([1, 3, 2], [1, 9, 2], 3, WordFilter(min_documents=2)).columns.tolist()
    [1, 2]
    """
    documents, totals = np.asarray(documents), np.asarray(totals)
    low, high = filters.bounds(n_documents)
    if high < low:
        raise ValueError(
            Note(
                "M096",
                max_documents=filters.max_documents,
                high=high,
                n_documents=n_documents,
                min_documents=filters.min_documents,
                low=low,
            )
        )
    present = documents > 0  # a fold may lack words that others have
    rare, common = present & (documents < low), present & (documents > high)
    columns = np.flatnonzero(present & ~rare & ~common)
    dropped = {"min_documents": int(rare.sum()), "max_documents": int(common.sum()), "max_words": 0}
    if filters.max_words is not None and len(columns) > filters.max_words:
        dropped["max_words"] = len(columns) - filters.max_words
        most = np.argsort(-totals[columns], kind="stable")[: filters.max_words]
        columns = np.sort(columns[most])
    return Chosen(columns, dropped)


def word_mask(totals: WordTotals, filters: WordFilter, binary: bool) -> ColumnMask:
    """1 for the words that pass all filters in a training set; refused where none does."""
    documents = totals.documents
    chosen = choose_words(documents, documents if binary else totals.totals, totals.n_documents, filters)
    if len(chosen.columns) == 0:
        n_present = int((documents > 0).sum())
        if n_present == 0:
            raise nothing_counted(len(documents), totals.n_documents)
        raise all_dropped(chosen, filters, n_present, totals.n_documents)
    mask = np.zeros(len(documents), dtype=np.uint8)
    mask[chosen.columns] = 1
    return mask


def nothing_counted(n_words: int, n_rows: int) -> ValueError:
    """Rows without a word."""
    return ValueError(Note("M094", n_words=n_words, n_rows=n_rows))


def all_dropped(chosen: Chosen, filters: WordFilter, n_words: int, n_documents: int) -> ValueError:
    """Which filter emptied the vocabulary, and how to change it."""
    note = Note(
        "M095",
        n_words=n_words,
        n_documents=n_documents,
        min_documents=filters.min_documents,
        rare=chosen.dropped["min_documents"],
        max_documents=filters.max_documents,
        common=chosen.dropped["max_documents"],
    )
    return ValueError(note)
