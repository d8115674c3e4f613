r"""Distances between rows, and likeness.

    manhattan    Σ |x_j - y_j|                      hamming       how many x_j ≠ y_j
    euclidean    √ Σ (x_j - y_j)²                   mahalanobis   √ (x - y)ᵀ S⁻¹ (x - y)
    cosine       1 - x·y / (|x| |y|)                correlation   the same about each row's own mean
    mixed        Σ of |x_j - y_j| / range_j, and of 1 for levels that differ

Cosine and correlation are computed as ½ |u - v|² of rows of length 1, which keeps small ones exact. A column of a mixed
table in which one of two rows has no value (NaN) is left out of their distance, and the sum is multiplied by D over the
number of columns left; two rows that share no column are D apart, as far as rows can be. Sums are in double precision
and in a fixed order: the same bits for any number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay import _core
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.linalg import whiten
from assay.types import Array, Floats

__all__ = ["cosine", "hamming", "pairwise", "pearson", "similarity"]

METRICS = ("euclidean", "manhattan", "hamming", "cosine", "correlation", "mahalanobis", "mixed")
SQUARES, ABSOLUTES, MISMATCHES, MIXED = range(4)  # how the compiled loops add up columns
_KINDS = {"manhattan": ABSOLUTES, "hamming": MISMATCHES, "mixed": MIXED}
LEARNED = ("mahalanobis", "mixed")  # metrics that are measured on rows themselves
BLOCK_BYTES = 2**25
FLOOR = 1e-9  # least share of variance that a direction of a covariance may have


@dataclass(frozen=True)
class Space:
    """A metric and what it learned: rows are mapped to where sums over columns are distances."""

    metric: str
    whitener: Array | None = None  # mahalanobis
    width: Array | None = None  # mixed: range of each column, 1 for levels
    order: NDArray[np.intp] | None = None  # mixed: numeric columns first
    numeric: int = 0
    floored: int = 0  # directions of a singular covariance that were widened

    @classmethod
    def learn(
        cls,
        metric: str,
        X: Floats,
        covariance: ArrayLike | None = None,
        categorical: NDArray[np.bool_] | None = None,
        weight: Array | None = None,
    ) -> Space:
        """The metric for rows like these, of these weights; a covariance if it is known, columns that hold levels."""
        if metric not in METRICS:
            raise ValueError(Note("N008", metric=metric, metrics=", ".join(map(repr, METRICS))))
        if metric == "mahalanobis":
            if covariance is None and len(X) < 2:
                raise ValueError(Note("N010"))
            S = _covariance(X, weight) if covariance is None else np.asarray(covariance, dtype=np.float64)
            S = S.reshape(X.shape[1], -1)
            if S.shape[0] != S.shape[1]:
                raise ValueError(Note("N011", shape=S.shape, n_columns=X.shape[1]))
            whitening = whiten(S, np.sqrt(np.diag(S)), FLOOR)
            return cls(metric, whitener=whitening.whitener, floored=whitening.floored)
        if metric == "mixed":
            return cls._mixed(X, np.zeros(X.shape[1], bool) if categorical is None else categorical)
        return cls(metric)

    @classmethod
    def _mixed(cls, X: Floats, categorical: NDArray[np.bool_]) -> Space:
        low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
        width = np.where(
            categorical | ~(high > low), 1.0, high - low
        )  # a constant or empty column has no range
        order = np.argsort(categorical, kind="stable")
        return cls("mixed", width=width.astype(np.float64), order=order, numeric=int((~categorical).sum()))

    @property
    def kind(self) -> int:
        return _KINDS.get(self.metric, SQUARES)

    def rows(self, X: Floats, name: str = "X") -> Floats:
        """Rows in C order, double precision but for plain float32, as the loops take them."""
        single = X.dtype == np.float32 and self.metric in ("euclidean", "manhattan", "hamming")
        if single or self.kind in (ABSOLUTES, MISMATCHES) or self.metric == "euclidean":
            return np.ascontiguousarray(X, dtype=np.float32 if single else np.float64)
        Z = np.asarray(X, dtype=np.float64)
        if self.metric == "mixed":
            assert self.order is not None and self.width is not None
            return np.ascontiguousarray((Z / self.width)[:, self.order])
        if self.metric == "mahalanobis":
            assert self.whitener is not None
            return _whitened(Z, self.whitener)
        return _directions(Z, self.metric == "correlation", name)

    def distances(self, measured: Array) -> Array:
        """Distances from those that the loops give."""
        return measured * measured / 2.0 if self.metric in ("cosine", "correlation") else measured


def _covariance(X: Floats, weight: Array | None) -> Array:
    """Σ w (x - m)(x - m)ᵀ / (W - 1); a weight of w is w equal rows."""
    w = np.ones(len(X)) if weight is None else weight
    Z = X - np.asarray(w @ X, dtype=np.float64) / w.sum()
    with single_threaded():
        return np.asarray((Z * w[:, None]).T @ Z / max(float(w.sum()) - 1.0, 1.0))


def _whitened(Z: Array, whitener: Array) -> Array:
    """Z whitener, each row by itself: the same bits in any company, which a product of BLAS does not promise."""
    width = len(whitener)
    out = np.empty((len(Z), width))
    weights, zero = np.ascontiguousarray(whitener.T)[None], np.zeros((1, width))
    _core.scores.linear_scores(np.ascontiguousarray(Z), None, None, None, None, zero, weights, zero, 1, out)
    return out


def _directions(Z: Array, centred: bool, name: str) -> Array:
    """Rows of length 1, about their own mean if asked for."""
    for row in np.flatnonzero((Z == Z[:, :1]).all(axis=1))[:1] if centred else ():
        raise ValueError(Note("N001", row=row, name=name))
    Z = Z - Z.mean(axis=1, keepdims=True) if centred else Z
    largest = np.abs(Z).max(axis=1, initial=0.0)
    for row in np.flatnonzero(largest == 0.0)[:1]:
        raise ValueError(Note("N002", row=row, name=name))
    Z = Z / largest[:, None]  # neither overflow nor underflow in squares
    return np.ascontiguousarray(Z / np.sqrt((Z * Z).sum(axis=1, keepdims=True)))


def alike(one: Floats, two: Floats) -> tuple[Floats, Floats]:
    """Both in single precision, or both in double."""
    if one.dtype == two.dtype:
        return one, two
    return one.astype(np.float64, copy=False), two.astype(np.float64, copy=False)


def pairwise(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    metric: str = "euclidean",
    *,
    covariance: ArrayLike | None = None,
    categorical: ArrayLike | None = None,
    threads: int = 1,
) -> Array:
    """Distances of the rows of X to those of Y (to each other where Y is not given), (N, M).

    Parameters
    ----------
    metric : "euclidean", "manhattan", "hamming", "cosine", "correlation", "mahalanobis" or "mixed"
    covariance : (D, D), optional
        For "mahalanobis"; that of the rows of X where it is not given.
    categorical : (D,) bool, optional
        For "mixed": columns that hold levels. Ranges of the others are those of X.

    Examples
    --------
    >>> pairwise([[0.0, 0.0], [3.0, 4.0]]).tolist()
    [[0.0, 5.0], [5.0, 0.0]]
    >>> pairwise([[0.0, 0.0]], [[3.0, 4.0]], "manhattan").tolist()
    [[7.0]]
    """
    parts = [block for _, block in pairwise_blocks(X, Y, metric, covariance, categorical, threads)]
    return np.concatenate(parts) if len(parts) > 1 else parts[0]


def pairwise_blocks(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    metric: str = "euclidean",
    covariance: ArrayLike | None = None,
    categorical: ArrayLike | None = None,
    threads: int = 1,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[tuple[int, Array]]:
    """The same in blocks of rows of X that take at most `block_bytes`: (number of the first row, distances)."""
    X = _table(X, "X", metric)
    Y = None if Y is None else _table(Y, "Y", metric)
    if Y is not None and Y.shape[1] != X.shape[1]:
        raise ValueError(Note("N003", n_columns=X.shape[1], other_columns=Y.shape[1]))
    levels = None if categorical is None else np.asarray(categorical, dtype=bool)
    space = Space.learn(metric, X, covariance, levels)
    left = space.rows(X)
    left, right = alike(left, left if Y is None else space.rows(Y, "Y"))
    size = max(1, block_bytes // (8 * max(1, len(right))))
    for start in range(0, max(1, len(left)), size):
        block = left[start : start + size]
        out = np.empty((len(block), len(right)))
        _core.neighbors.all_distances(right, block, space.kind, space.numeric, threads, out)
        yield start, space.distances(out)


def _table(X: ArrayLike, name: str, metric: str) -> Floats:
    table = np.asarray(X)
    if table.dtype not in (np.float64, np.float32):
        table = table.astype(np.float64)
    if table.ndim != 2:
        raise ValueError(Note("N004", name=name, ndim=table.ndim))
    bad = np.isinf(table) if metric == "mixed" else ~np.isfinite(table)
    for row, column in np.argwhere(bad)[:1]:
        raise ValueError(Note("N005", name=name, value=table[row, column], row=row, column=column))
    return table


def similarity(distance: ArrayLike) -> float | Array:
    """Likeness 1 / (1 + r) of rows at a distance r: 1 for equal rows, 0 infinitely far away.

    Parameters
    ----------
    distance : number or array
        It depends on the units of the columns, and so does the similarity.

    Examples
    --------
    >>> similarity(0.0), similarity(3.0)
    (1.0, 0.25)
    """
    likeness = 1.0 / (1.0 + np.asarray(distance, dtype=np.float64))
    return likeness if np.ndim(likeness) else float(likeness)


def hamming(one: Sequence[object], two: Sequence[object]) -> int:
    """In how many places two strings, or two sequences, of equal length differ.

    Parameters
    ----------
    one, two : strings or sequences of one length

    Examples
    --------
    >>> hamming("01101001", "10101010")
    4
    """
    if len(one) != len(two):
        kind = "characters" if isinstance(one, str) else "entries"
        raise ValueError(Note("N006", n_one=len(one), kind=kind, n_two=len(two)))
    return sum(a != b for a, b in zip(one, two, strict=True))


def pearson(x: ArrayLike, y: ArrayLike) -> float:
    """Correlation of two vectors: the cosine of the angle between them, each about its own mean.

    Parameters
    ----------
    x, y : sequences of numbers of one length
        Neither may be constant: its correlation is undefined.

    Examples
    --------
    >>> pearson([1.0, 2.0, 3.0], [61.0, 62.0, 63.0])
    1.0
    """
    pair = _vectors(x, y)
    for name, v in zip("xy", pair, strict=True):
        if not len(v) or (v == v[0]).all():
            raise ValueError(Note("N009", name=name))
    return _cosine(*pair, centred=True)


def cosine(x: ArrayLike, y: ArrayLike) -> float:
    """Cosine of the angle between two vectors: 1 in the same direction, 0 at a right angle, -1 against each other.

    Parameters
    ----------
    x, y : sequences of numbers of one length
        Neither may be zero everywhere: it has no direction.

    Examples
    --------
    >>> cosine([3.0, 4.0], [6.0, 8.0]), cosine([1.0, 0.0], [0.0, 2.0])
    (1.0, 0.0)
    """
    pair = _vectors(x, y)
    for name, v in zip("xy", pair, strict=True):
        if not v.any():
            raise ValueError(Note("N742", name=name))
    return _cosine(*pair, centred=False)


def _vectors(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Two vectors of one length, all of whose values are finite."""
    one, two = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if one.shape != two.shape or one.ndim != 1:
        raise ValueError(Note("N007", shape=one.shape, other_shape=two.shape))
    for name, v in (("x", one), ("y", two)):
        for place in np.flatnonzero(~np.isfinite(v))[:1]:
            raise ValueError(Note("N743", name=name, value=v[place], place=int(place)))
    return one, two


def _cosine(x: Array, y: Array, *, centred: bool) -> float:
    """From ½ |u - v|² of vectors of length 1, or from ½ |u + v|² if that is smaller."""
    u, v = (_directions(vector[None], centred, "X")[0] for vector in (x, y))
    apart, against = float(((u - v) ** 2).sum()), float(((u + v) ** 2).sum())
    return 1.0 - apart / 2.0 if apart <= against else against / 2.0 - 1.0
