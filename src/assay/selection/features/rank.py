r"""Features ranked one by one, by what each tells about the class without the others.

    correlation         |r| of the feature and the indicator of a class, the largest over the classes
    correlation ratio   η² = Σ_k n_k (μ_k - μ)² / Σ_n (x_n - μ)²,  between over total variance
    information         mutual information of feature and class, in nats, corrected

All three come from one pass. A ranking knows nothing of features that help each other, or that say the same twice:
`select_features` does.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.data.labels import features_and_labels
from assay.data.table import Table
from assay.engines.local import memory_limit, thread_count
from assay.models.base.estimators import Model
from assay.models.base.keywords import explained
from assay.models.base.validation import check_given, check_moments, check_rows, check_targets, feature_names
from assay.models.features.select_by_information import mutual_information
from assay.notes import Note
from assay.selection.features.word_counts import count_words, is_texts
from assay.statistics import Moments, collect
from assay.statistics.variances import deviations
from assay.types import Array, MatrixLike

WAYS = ("correlation", "correlation_ratio", "information")


@dataclass(frozen=True, eq=False)
class FeatureRanking:
    """Features, best first.

    Attributes
    ----------
    features : list
        Names, best first; positions where the columns have no names. Among equals the first.
    order : array
        Their positions.
    scores : array (D,)
        Of every column, in the order of the table.
    by : str
    """

    features: list[Hashable]
    order: NDArray[np.intp]
    scores: Array
    by: str

    def __repr__(self) -> str:
        best = ", ".join(
            f"{name} {self.scores[j]:.3f}" for name, j in zip(self.features[:5], self.order, strict=False)
        )
        more = ", ..." if len(self.features) > 5 else ""
        return f"FeatureRanking(by {self.by}: {best}{more})"


@explained
def rank_features(
    X: MatrixLike, y: ArrayLike, by: str = "correlation", *, sample_weight: ArrayLike | None = None
) -> FeatureRanking:
    """Rank the features by the association of each with the class.

    Parameters
    ----------
    X : array, frame of numbers, typed table or list of texts, whose features are the counts of words
        Missing values (NaN) are left out, column by column. A categorical column of a typed table has the score of its
        best category (by information: of the whole column).
    y : array or str
        One label per row, or the name of the column of X that holds the labels.
    by : "correlation", "correlation_ratio" or "information"
        The largest absolute correlation with the indicator of a class (with two classes that with the label); the
        proportion of the variance between the classes; or mutual information (see `mutual_information`).
    sample_weight : array (N,), optional
        Sample weights; not allowed by information.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> rank_features(*load_iris(return_X_y=True), by="correlation_ratio")
    FeatureRanking(by correlation_ratio: 2 0.941, 3 0.929, 0 0.619, 1 0.401)
    """
    if by not in WAYS:
        raise ValueError(Note("S099", by=by, ways=list(WAYS)))
    if by == "information" and sample_weight is not None:
        raise ValueError(Note("S100"))
    X, y = features_and_labels(X, y)
    read = _read_words(X) if is_texts(X) else _read(X)
    scores = _scores(read, y, by, sample_weight)
    order = np.argsort(-scores, kind="stable")
    return FeatureRanking([read.names[j] for j in order], order, scores, by)


@dataclass(frozen=True)
class _Columns:
    """Columns of numbers, the feature that each belongs to, and which of them are levels."""

    rows: NDArray[np.floating]
    owner: NDArray[np.intp]
    names: Sequence[Hashable]
    codes: dict[int, NDArray[np.int64]]  # of the categorical features


def _read(X: MatrixLike) -> _Columns:
    if not isinstance(X, Table):
        reader = Model()
        rows = check_rows(reader, X, reset=True)
        given = feature_names(reader)
        numbered = range(rows.shape[1]) if given is None else given
        return _Columns(rows, np.arange(rows.shape[1]), list(numbered), {})
    parts, owner, codes = [], [], {}
    names: list[str] = []
    for column in X.schema:
        if column.type in ("numeric", "date"):
            parts.append(np.asarray(X[column.name], dtype=np.float64)[:, None])
        elif column.type in ("categorical", "binary"):
            level = np.unique(np.asarray(X[column.name]), return_inverse=True)[1]
            codes[len(names)] = level.astype(np.int64)
            parts.append(np.asarray(level[:, None] == np.arange(level.max(initial=0) + 1), dtype=np.float64))
        else:
            continue
        owner += [len(names)] * parts[-1].shape[1]
        names.append(column.name)
    if not names:
        raise ValueError(Note("S101"))
    return _Columns(np.hstack(parts), np.array(owner), names, codes)


def _read_words(texts: MatrixLike) -> _Columns:
    """Counts of the words, all of them written out."""
    words = count_words(None, texts)
    if 8 * words.rows.shape[0] * words.rows.shape[1] > memory_limit():
        raise ValueError(Note("S102", n_words=words.rows.shape[1], n_texts=words.rows.shape[0]))
    return _Columns(words.rows.toarray().astype(np.float64), np.arange(words.rows.shape[1]), words.names, {})


def _scores(read: _Columns, y: ArrayLike, by: str, sample_weight: ArrayLike | None) -> Array:
    check_given(Model(), y)
    codes, classes, weight = check_targets(y, sample_weight, len(read.rows))
    if len(classes) < 2:
        raise ValueError(Note("S103", n_classes=len(classes)))
    if by == "information":
        return _information(read, codes)
    m = collect(
        read.rows, codes, len(classes), form="diagonal", weight=weight, missing=True, threads=thread_count()
    )
    check_moments(m, read.rows, read.names if not read.codes else None, missing_allowed=True)
    scores = (_correlation if by == "correlation" else _ratio)(m)
    out = np.zeros(len(read.names))
    np.maximum.at(out, read.owner, scores)
    return out


def _correlation(m: Moments) -> Array:
    """|r| of each feature with the indicator of a class, the largest, (D,); 0 for constant features.

    Cov(x, 1_k) = p_k (μ_k - μ) and Var(1_k) = p_k (1 - p_k).
    """
    n = m.feature_weight()
    share = n / np.maximum(n.sum(axis=0), np.finfo(np.float64).tiny)
    deviation = deviations(m[None])[0] * np.sqrt(np.maximum(1.0 - share, 0.0))
    top = np.sqrt(share) * np.abs(m.overall()[2])
    r = np.divide(top, deviation, out=np.zeros(n.shape), where=(deviation > 0) & (share < 1.0))
    return np.asarray(np.minimum(r, 1.0).max(axis=0))


def _ratio(m: Moments) -> Array:
    """Between over total sum of squares of each feature, (D,); 0 for constant features."""
    between = m.between_diagonal()
    total = between + m.within_diagonal()
    varies = deviations(m[None])[0] > 0
    return np.asarray(np.divide(between, total, out=np.zeros(total.shape), where=varies & (total > 0)))


def _information(read: _Columns, codes: NDArray[np.int32]) -> Array:
    out = np.zeros(len(read.names))
    numeric = np.array([j for j, owner in enumerate(read.owner) if owner not in read.codes], dtype=np.intp)
    whole = numeric[~np.isnan(read.rows[:, numeric]).any(axis=0)]
    if len(whole):
        out[read.owner[whole]] = mutual_information(read.rows[:, whole], codes)
    for j in np.setdiff1d(numeric, whole):
        known = ~np.isnan(read.rows[:, j])
        if len(np.unique(codes[known])) > 1:
            out[read.owner[j]] = mutual_information(read.rows[known, j : j + 1], codes[known])[0]
    for feature, levels in read.codes.items():
        out[feature] = mutual_information(levels[:, None], codes, kind="discrete")[0]
    return out
