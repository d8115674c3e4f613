r"""Models of documents: rows are counts of words, and the score of a class is linear in them.

    b_k + w_k · x

With smoothing 0 some weights would be -inf: they are kept apart, as words that rule a class out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.engines.local import thread_count
from assay.models.base import check_is_fitted
from assay.models.linear_geometry import one_row_of_two
from assay.models.naive_bayes.counted import CountedClassifier, Learned, or_priors
from assay.models.naive_bayes.word_part import WordPart
from assay.models.sparse import is_sparse
from assay.models.ties import settle_ties
from assay.models.validation import (
    check_not_negative,
    check_rows,
    check_sparse,
    check_targets,
    explain_rows,
    feature_names,
)
from assay.sharing.forms import Linear
from assay.statistics import Counts, count_words

Array = NDArray[np.float64]


@dataclass(frozen=True)
class WordForm:
    """Linear scores of one model. Shapes: weights (K, V), bias, log_prior (K,)."""

    weights: Array
    bias: Array
    log_prior: Array
    # Words that rule a class out: +1 where they may not occur, -1 where they must; `due` counts those per class.
    ruling: Array | None = None
    due: Array | None = None

    def scores(self, X: Any, n_jobs: int | None = None) -> Array:
        """Score of each row and class, (N, K)."""
        scores = products(X, self.weights, self.bias, n_jobs)
        if self.ruling is None or self.due is None:
            return settle_ties(scores)
        broken = products(X, self.ruling, self.due, n_jobs)
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


def products(X: Any, weights: Array, bias: Array, n_jobs: int | None = None) -> Array:
    """b_k + w_k · x for compressed or full rows, the same bits for any number of threads, (N, K)."""
    if not is_sparse(X):
        form = Linear(np.zeros((1, weights.shape[1])), weights[None], bias[None])
        return form.scores(X, n_jobs=n_jobs)
    out = np.empty((len(weights), X.shape[0]))
    matrix = _core.SparseMatrix(X.indptr, X.indices.astype(X.indptr.dtype, copy=False), X.data, X.shape[1])
    matrix.products(np.ascontiguousarray(weights), False, thread_count(n_jobs), out)
    return np.ascontiguousarray(out.T + bias)


def dense_complements(cells: Counts, n_folds: int) -> Iterator[Counts]:
    """The training counts (K, V) of each fold, zeros included; each is valid until the next is asked for."""
    if not (cells.sparse and cells.exact):
        yield from (train.in_rows().dense() for train in cells.complements(n_folds))
        return
    total = cells.together().dense()
    train = total.counts.copy()
    for f in range(n_folds):
        own = cells[f]
        place = np.repeat(np.arange(cells.n_classes), np.diff(own.counts.indptr)), own.counts.indices
        train[place] -= own.counts.data
        weight, rows = total.weight - own.weight, total.rows - own.rows
        yield replace(total, weight=weight, rows=rows, counts=train).in_rows()
        train[place] += own.counts.data


def fractions_told(counts: Counts) -> tuple[str, ...]:
    """What becomes of values that are no counts; weights of rows make fractions of their own."""
    if counts.counts.dtype.kind == "f" and counts.weight.dtype.kind == "i":
        return ("Some values are no whole numbers: they are taken as weights of words, not as counts.",)
    return ()


class WordClassifier(CountedClassifier):
    """A classifier of rows of counts, dense or in compressed rows."""

    sparse_ok = True
    non_negative = True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = self.non_negative
        return tags

    def _form(self, counts: Counts) -> WordForm:
        """How a model of these counts (K, V) scores rows."""
        raise NotImplementedError

    def _prepared(self, X: Any) -> Any:
        """Checked rows as they are counted and scored."""
        return X

    def _checked(self, X: Any, *, reset: bool = True) -> Any:
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

    def _read(self, X: Any, *, reset: bool = False) -> Any:
        return self._prepared(self._checked(X, reset=reset))

    def _count(self, X: Any, y: Any, sample_weight: Any, *, reset: bool) -> Learned:
        rows = self._read(X, reset=reset)
        codes, classes, weight = check_targets(y, sample_weight, rows.shape[0])
        return Learned(classes, count_words(rows, codes, len(classes), weight=weight))

    def _counted_as(self) -> Any:
        return "words"

    def _read_all(self, X: Any) -> Any:
        return self._read(X, reset=True)

    def _count_groups(self, rows: Any, codes: Any, n_classes: int, **groups: Any) -> Counts:
        return count_words(rows, codes, n_classes, **groups)

    def _narrow(self, part: WordPart) -> tuple[Array, Array] | None:
        """Weights of the words asked for (U, padded K) and constants (K,), with smoothing; None: it needs all words."""
        return None

    def _by_word(self, counts: Counts) -> ByWord | None:
        """Scores word by word, from dense counts (K, V); None: words do not simply add up."""
        return None

    def _fold_bytes(self, rows: Any, n_groups: int, n_classes: int) -> int:
        return 3 * 8 * n_groups * n_classes * int(rows.shape[1])

    def _fold_scores(
        self, rows: Any, cells: Counts, fold: NDArray[np.int32], n_folds: int, n_jobs: Any
    ) -> Array:
        out = np.empty((len(fold), cells.n_classes))
        for f, train in enumerate(dense_complements(cells, n_folds)):
            tested = np.flatnonzero(fold == f)
            out[tested] = self._form(train).scores(rows[tested], n_jobs)
        return out

    def _solve(self, seen: Learned) -> None:
        self._score_form = self._form(seen.counts)

    def _class_scores(self, X: Any) -> Array:
        return self._score_form.scores(X)

    def _linear_form(self) -> tuple[Array, Array]:
        """Weights w (K, D) and constants w_0 (K,) of the scores w_k · x + w_k0; a model without rows ruled out."""
        return self._score_form.weights, self._score_form.bias

    def _linear(self) -> tuple[Array, Array]:
        """The linear form, of two classes that of the second against the first."""
        check_is_fitted(self)
        if self._score_form.ruling is not None:
            raise AttributeError(
                f"{type(self).__name__}(smoothing={self.smoothing:g}) has no linear form: values that a class never "
                "showed rule it out whatever the others are; use smoothing above 0."
            )
        return one_row_of_two(*self._linear_form())

    @property
    def coef_(self) -> Array:
        """Weights of the columns in the linear scores, (K, D); with two classes one row, for the second class."""
        return self._linear()[0]

    @property
    def intercept_(self) -> Array:
        """Constants of the linear scores, (K,); with two classes one, for the second class."""
        return self._linear()[1]
