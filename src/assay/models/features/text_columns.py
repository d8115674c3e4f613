"""The text columns of a table as counts of their words: X[i, j] is how often word j stands in row i.

The words are all those of the table that the encoder is fitted to. Which of them a model uses is learned later, inside
the folds (`ChooseWords`): a word that a training part lacks has count 0 there and is not chosen, so no fold learns from
another.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, hstack

from assay.data import Column, Schema, Table
from assay.models.base.estimators import Tags
from assay.models.base.params import Param
from assay.models.base.stored import ENCODER, Field
from assay.models.features.table_encoder import TableEncoder, is_array, left_out, not_read
from assay.models.features.text_counts import TEXT_COUNTS
from assay.models.features.word_counts import TokenRule, WordTally
from assay.notes import Note
from assay.types import MatrixLike

WORDS = tuple(param for param in TEXT_COUNTS if param.name in ("lowercase", "ngram_range", "stop_words"))


class Words(TableEncoder):
    """Encode the texts of a table as a sparse matrix of word counts.

    With several text columns, words are named "column: word". A missing text is empty. Columns of other types are left
    out; `notes_` says so. In new rows only known words are counted.

    Attributes
    ----------
    vocabularies_ : tuple of arrays
        The words of each text column, sorted.
    schema_, groups_, notes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from assay import read
    >>> table = read({"text": ["green eggs and ham", "no ham, no eggs"]}, types={"text": "text"})
    >>> encoder = Words().fit(table)
    >>> encoder.get_feature_names_out().tolist()
    ['and', 'eggs', 'green', 'ham', 'no']
    >>> encoder.transform(table).toarray().tolist()
    [[1, 1, 1, 1, 0], [0, 1, 0, 1, 2]]
    """

    params: ClassVar[tuple[Param, ...]] = WORDS
    stored: ClassVar[tuple[Field, ...]] = (*ENCODER, Field("vocabularies_", "vocabularies"))
    column_types: ClassVar[frozenset[str]] = frozenset({"text"})
    reads_values: ClassVar[bool] = True
    vocabularies_: tuple[NDArray[np.object_], ...]

    def __init__(
        self,
        lowercase: bool | str = True,
        *,
        ngram_range: tuple[int, int] = (1, 1),
        stop_words: Iterable[str] | None = None,
    ) -> None:
        self.lowercase = lowercase
        self.ngram_range = ngram_range
        self.stop_words = stop_words

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags

    def _left_out(self, column: Column) -> Note | None:
        return None if column.type == "text" else left_out(column) or not_read(column, "models of words")

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Find the words of the text columns.

        Parameters
        ----------
        X : Table, frame, or any other source of `assay.data.read`
        """
        self._learn(X)
        return self

    def fit_transform(self, X: MatrixLike, y: ArrayLike | None = None, **fit_params: object) -> csr_array:
        """Find the words and count them, reading the texts once."""
        return _beside([tally.matrix() for tally in self._learn(X)])

    def _learn(self, X: MatrixLike) -> list[WordTally]:
        self._check_params()
        if is_array(X):
            raise ValueError(Note("M076"))
        table = self._read(X)
        used = self._used(table.schema)
        tallies = [WordTally(table[column.name], self._rule()) for column in used]
        if not any(tally.n_words for tally in tallies):
            raise self._no_words(used, table)
        self.schema_ = Schema(tuple(used))
        self.vocabularies_ = tuple(tally.vocabulary() for tally in tallies)
        self.groups_ = self._groups(used)
        for tally in tallies:
            tally.forget_words()
        self.diagnostics_ = self.notes_
        return tallies

    def _width(self, column: Column) -> int:
        return len(self._words(column))

    def _words(self, column: Column) -> NDArray[np.object_]:
        return self.vocabularies_[self.schema_.names.index(column.name)]

    def _names(self, column: Column) -> list[str]:
        prefix = "" if len(self.vocabularies_) == 1 else f"{column.name}: "
        return [prefix + word for word in self._words(column).tolist()]

    def _rule(self) -> TokenRule:
        least, most = self.ngram_range
        return TokenRule(self.lowercase, "words", (int(least), int(most)), tuple(self.stop_words or ()))

    def _no_words(self, used: list[Column], table: Table) -> ValueError:
        values = {"columns": [column.name for column in used], "n_rows": table.n_rows}
        least = self.ngram_range[0]
        if least == 1:
            return ValueError(Note("M710" if self.stop_words else "M075", values=values))
        return ValueError(Note("M712" if self.stop_words else "M711", values=values, least=least))

    def transform(self, X: MatrixLike) -> csr_array:
        """Counts of the known words, int32 (N, V) in compressed rows; other words are passed over."""
        table = self.conform(X)
        parts = []
        for column, words in zip(self.schema_, self.vocabularies_, strict=True):
            if len(words):
                parts.append(WordTally(table[column.name], self._rule(), words.tolist()).matrix())
            else:
                parts.append(csr_array((table.n_rows, 0), dtype=np.int32))
        return _beside(parts)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """The words, in the order of the columns; of several text columns "column: word"."""
        return self.vocabularies_[0] if len(self.vocabularies_) == 1 else super().get_feature_names_out()


def _beside(parts: list[csr_array]) -> csr_array:
    return parts[0] if len(parts) == 1 else csr_array(hstack(parts, format="csr"))
