"""Which words of a table of counts are kept, learned from the training rows.

Texts are counted once, over every word that any of them holds; this step in front of a model keeps those words that
pass the filters among its own training rows. A word that the training rows lack is never kept, so what reaches the
model is what `TextCounts` fitted to the training texts alone would give it.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array

from assay.models.base.estimators import Tags, Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.sparse import is_sparse
from assay.models.base.stored import INPUT, Field
from assay.models.base.validation import (
    check_not_negative,
    check_rows,
    check_sparse,
    column_names,
    explain_rows,
    feature_names,
)
from assay.models.features.word_counts import (
    Counts,
    WordFilter,
    all_dropped,
    choose_words,
    nothing_counted,
    word_mask,
)
from assay.sharing.counts.word_keys import WordKeys, WordReading
from assay.statistics.counts import ColumnMask, WordTotals
from assay.types import Floats, MatrixLike

CHOOSE_WORDS = (
    Param(
        "min_documents",
        "amount",
        1,
        "Least number of documents with a word: a number, or a proportion of all documents (float).",
    ),
    Param(
        "max_documents",
        "amount",
        1.0,
        "Largest number of documents with a word: a number, or a proportion of all documents (float).",
    ),
    Param(
        "max_words",
        "int",
        None,
        (
            "Largest number of words; the most frequent are kept. Of equally frequent words the first in "
            "the order of code points."
        ),
        low=1,
        optional=True,
    ),
    Param("binary", "bool", False, "Replace counts by 1 for every word that occurs."),
)

# Of candidates for texts: the step before the model chooses the words.
WORD_CHOICE = tuple(param for param in CHOOSE_WORDS if param.name != "binary")


class ChooseWords(Transformer):
    """Keep the words that occur in enough, but not too many, of the training rows, or the most frequent of these.

    Before a model of words, every fold then selects its vocabulary from its training rows; `evaluate` and `tune` count
    the table once for all folds and settings.

    Attributes
    ----------
    columns_ : positions of the words that are kept, in order
    document_counts_ : number of rows with each of them
    dropped_ : dict of the number of words that each filter removed

    Examples
    --------
    >>> X = [[2, 1, 0], [1, 0, 0], [1, 3, 0]]
    >>> words = ChooseWords(min_documents=2).fit(X)
    >>> words.columns_.tolist(), words.dropped_["min_documents"]
    ([0, 1], 0)
    >>> words.transform(X).tolist()
    [[2.0, 1.0], [1.0, 0.0], [1.0, 3.0]]
    """

    params: ClassVar[tuple[Param, ...]] = CHOOSE_WORDS
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("columns_", "columns", ("V",)),
        Field("document_counts_", "places", ("V",)),
        Field("dropped_", "tallies"),
    )
    sparse_ok: ClassVar[bool] = True
    columns_: NDArray[np.int64]
    document_counts_: NDArray[np.int64]
    dropped_: dict[str, int]

    def __init__(
        self,
        min_documents: float = 1,
        *,
        max_documents: float = 1.0,
        max_words: int | None = None,
        binary: bool = False,
    ) -> None:
        self.min_documents = min_documents
        self.max_documents = max_documents
        self.max_words = max_words
        self.binary = binary

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def word_filter(self) -> WordFilter:
        """Which of the words stay, under these parameters."""
        self._check_params()
        return WordFilter(self.min_documents, self.max_documents, self.max_words)

    def fit(self, X: MatrixLike, y: ArrayLike | None = None) -> Self:
        """Choose among the columns of a table of counts, dense or sparse."""
        filters, rows = self.word_filter(), self._read(X, reset=True)
        documents, totals = _totals(rows)
        if not documents.any():
            raise nothing_counted(len(documents), rows.shape[0])
        chosen = choose_words(documents, documents if self.binary else totals, rows.shape[0], filters)
        if len(chosen.columns) == 0:
            raise all_dropped(chosen, filters, int((documents > 0).sum()), rows.shape[0])
        self.columns_ = chosen.columns.astype(np.int64)
        self.document_counts_ = documents[chosen.columns]
        self.dropped_ = chosen.dropped
        return self

    def transform(self, X: MatrixLike) -> Floats:
        """The counts of the words that are kept, sparse if X is."""
        check_is_fitted(self)
        rows: Any = self._read(X, reset=False)[:, self.columns_]
        if is_sparse(rows):
            if self.binary:
                rows.data[:] = rows.data > 0
            return cast("Floats", rows)
        return np.asarray(rows > 0 if self.binary else rows, dtype=np.float64)

    def read_counts(self) -> TableReader:
        """How tables of counts are read, for whoever counts many training sets at once."""
        return TableReader(copy.copy(self))

    def word_map(self, totals: WordTotals) -> ColumnMask:
        """The words that a training set keeps."""
        return word_mask(totals, self.word_filter(), self.binary)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Names of the columns that are kept: the words, where the columns are named after them."""
        check_is_fitted(self)
        names = column_names(self, input_features, self.n_features_in_)
        return names[self.columns_]

    def _read(self, X: MatrixLike, *, reset: bool) -> Any:
        return read_counts_table(self, X, reset=reset)


def read_counts_table(step: Transformer, X: MatrixLike, *, reset: bool) -> Any:
    """A table of counts, dense or sparse, checked for a step that reads it: finite, and nothing below 0."""
    rows: Any = check_rows(step, X, reset=reset)
    names = feature_names(step)
    if is_sparse(rows):
        check_sparse(rows, names)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
    elif not np.isfinite(rows.sum()) and (error := explain_rows(names, rows)) is not None:
        raise error
    check_not_negative(type(step).__name__, rows, names)
    return rows


@dataclass(frozen=True, eq=False)
class TableReader(WordReading):
    """Reads tables of counts as compressed rows."""

    step: ChooseWords
    key: str = "table of words"

    def read(self, X: MatrixLike) -> tuple[csr_array, WordKeys]:
        """Checked rows."""
        rows = csr_array(self.step._read(X, reset=True))
        return rows, WordKeys.of(rows)


def _totals(rows: Any) -> tuple[Counts, NDArray[np.float64]]:
    """Rows that hold each word, and how often it stands in all of them."""
    if not is_sparse(rows):
        return (rows > 0).sum(axis=0).astype(np.int64), rows.sum(axis=0, dtype=np.float64)
    words = rows.indices if rows.data.all() else rows.indices[rows.data > 0]  # stored zeros are zeros
    documents = np.bincount(words, minlength=rows.shape[1]).astype(np.int64)
    return documents, np.asarray(rows.sum(axis=0), dtype=np.float64).ravel()
