r"""Counts of words as TF-IDF: words of few documents weigh more, and every document has length 1.

    z_ij = t_ij g_j / |t_i g|,    t_ij = 1 + ln x_ij where x_ij > 1, else x_ij,    g_j = 1 + ln((1 + N) / (1 + N_j))

N_j of the N training rows hold word j; a word that none of them holds has weight 0, as if nobody knew it.
Salton and Buckley (1988), "Term-weighting approaches in automatic text
retrieval"; the ones that smooth N and N_j are scikit-learn's.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay.models.base.estimators import Transformer, check_is_fitted
from assay.models.base.params import Param
from assay.models.base.sparse import is_sparse
from assay.models.base.stored import INPUT, Field
from assay.models.base.validation import feature_names
from assay.models.features.select_words import read_counts_table
from assay.models.features.word_counts import Counts
from assay.types import Array, CompressedRows

TF_IDF = (
    Param(
        "sublinear",
        "bool",
        True,
        "Take 1 + ln x of a count x above 1, so that the tenth occurrence of a word says less than the first.",
    ),
    Param(
        "normalize",
        "bool",
        True,
        "Divide every row by its length, so that long documents count as short ones.",
    ),
)

# Penalties that candidates for texts are tuned over: of rows of length 1, the same whatever the texts.
TEXT_L2 = (0.01, 1e-3, 1e-4, 1e-5)


class TfIdf(Transformer):
    """Weigh counts of words by how few of the training rows hold each word (TF-IDF).

    It stands between `TextCounts` or `ChooseWords` and a linear model or nearest neighbours. In `evaluate` and `tune`
    the weights are learned inside the folds, from texts that are counted once.

    Attributes
    ----------
    document_counts_ : number of training rows with each word
    n_documents_ : number of training rows
    idf_ : weight of each word

    Examples
    --------
    >>> X = [[2, 1, 0], [1, 0, 0], [1, 3, 0]]
    >>> weights = TfIdf().fit(X)
    >>> weights.idf_.round(3).tolist()
    [1.0, 1.288, 0.0]
    >>> weights.transform(X).round(3).tolist()
    [[0.796, 0.605, 0.0], [1.0, 0.0, 0.0], [0.347, 0.938, 0.0]]
    """

    params: ClassVar[tuple[Param, ...]] = TF_IDF
    stored: ClassVar[tuple[Field, ...]] = (
        *INPUT,
        Field("document_counts_", "places", ("D",)),
        Field("n_documents_", "count"),
    )
    sparse_ok: ClassVar[bool] = True
    document_counts_: Counts
    n_documents_: int

    def __init__(self, sublinear: bool = True, *, normalize: bool = True) -> None:
        self.sublinear = sublinear
        self.normalize = normalize

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        """Count the rows that hold each word of a table of counts, dense or sparse."""
        self._check_params()
        self._learn(self._read(X, reset=True))
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """Learn the weights and apply them, checking the rows once."""
        self._check_params()
        rows = self._read(X, reset=True)
        self._learn(rows)
        return self._weighed(rows, not is_sparse(X))

    def transform(self, X: Any) -> Any:
        """Rows of length 1, sparse if X is; a row without known words stays zero."""
        check_is_fitted(self)
        return self._weighed(self._read(X, reset=False), not is_sparse(X))

    @property
    def idf_(self) -> Array:
        """1 + ln((1 + N) / (1 + N_j)), (D,); 0 for a word that no training row holds."""
        check_is_fitted(self)
        weights = 1.0 + np.log((1.0 + self.n_documents_) / (1.0 + self.document_counts_))
        return np.where(self.document_counts_ > 0, weights, 0.0)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the columns as they came: the words, where the columns are named after them."""
        check_is_fitted(self)
        names = feature_names(self, input_features)
        return np.asarray(
            [f"x{j}" for j in range(self.n_features_in_)] if names is None else names, dtype=object
        )

    def _read(self, X: Any, *, reset: bool) -> CompressedRows:
        rows: CompressedRows = csr_array(read_counts_table(self, X, reset=reset))
        return rows

    def _learn(self, rows: CompressedRows) -> None:
        words = rows.indices[rows.data > 0]  # stored zeros are zeros
        self.document_counts_ = np.bincount(words, minlength=rows.shape[1]).astype(np.int64)
        self.n_documents_ = int(rows.shape[0])

    def _weighed(self, rows: CompressedRows, dense: bool) -> Any:
        data = np.array(rows.data, dtype=np.float64)
        if self.sublinear:
            several = data > 1.0
            data[several] = 1.0 + np.log(data[several])
        data *= self.idf_[rows.indices]
        if self.normalize:
            filled = np.flatnonzero(np.diff(rows.indptr))
            if len(filled):
                length = np.sqrt(np.add.reduceat(data * data, rows.indptr[filled]))
                length[length == 0.0] = 1.0  # of words that no training row holds
                data /= np.repeat(length, np.diff(rows.indptr)[filled])
        out = csr_array((data, rows.indices, rows.indptr), shape=rows.shape)
        return out.toarray() if dense else out
