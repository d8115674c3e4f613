"""Metrics that a confusion matrix tells: precision, recall, specificity, F1, their averages, MCC and Cohen's kappa.

C (true class, predicted class) holds numbers or weights of rows. A metric of one class is a ratio of two sums of cells,

    recall TP / (TP + FN),  precision TP / (TP + FP),  specificity TN / (TN + FP),  F1 2 TP / (2 TP + FP + FN),

and NaN where the denominator is 0. An average over classes is that over the classes that occur, where a ratio without
a denominator counts 0, as in scikit-learn. Macro: all alike; weighted: by their rows. With s rows, t of them right,
and sums r of the rows and c of the columns of C (Gorodkin, Computational Biology and Chemistry 28, 2004; Cohen, 1960)

    MCC = (s t - r·c) / sqrt((s² - r·r) (s² - c·c)),     kappa = (s t - r·c) / (s² - r·c),

both 0 where all rows are predicted one class.

Beside its value every metric has its derivative by the cells. What a row adds to it is the derivative at the row's
cell, from which the standard error follows (delta method).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from assay.types import Array

Kind = Literal["precision", "recall", "specificity", "f1"]


class ConfusionMetric(ABC):
    """A function of confusion matrices: of many at a time, and its derivative at one."""

    lowest: float = 0.0  # of its values; the largest is 1

    @abstractmethod
    def values(self, counts: Array) -> Array:
        """Of matrices (..., K, K)."""

    @abstractmethod
    def gradient(self, counts: Array) -> Array:
        """Derivatives by the cells (K, K), times the sum of all cells."""

    def value(self, counts: Array) -> float:
        """Of one matrix."""
        return float(self.values(counts))


class _CellSums(NamedTuple):
    """How often a ratio counts the hits of a class, its true rows, the rows predicted as it, and all rows."""

    hits: float = 0.0
    true: float = 0.0
    predicted: float = 0.0
    rows: float = 0.0

    def of(self, counts: Array) -> Array:
        """For every class, (..., K)."""
        hits, size = np.diagonal(counts, axis1=-2, axis2=-1), counts.sum(axis=(-1, -2))[..., None]
        true, predicted = counts.sum(axis=-1), counts.sum(axis=-2)
        sums = self.hits * hits + self.true * true + self.predicted * predicted + self.rows * size
        return np.asarray(sums, dtype=np.float64)

    def by_cell(self, factor: Array) -> Array:
        """Σ_k factor_k · how often each cell counts for class k, (K, K)."""
        sides = self.true * factor[:, None] + self.predicted * factor
        return np.asarray(np.diag(self.hits * factor) + sides + self.rows * factor.sum())


RATIOS: dict[Kind, tuple[_CellSums, _CellSums]] = {
    "precision": (_CellSums(hits=1), _CellSums(predicted=1)),
    "recall": (_CellSums(hits=1), _CellSums(true=1)),
    "specificity": (_CellSums(hits=1, true=-1, predicted=-1, rows=1), _CellSums(true=-1, rows=1)),
    "f1": (_CellSums(hits=2), _CellSums(true=1, predicted=1)),
}


def class_ratios(kind: Kind, counts: Array) -> Array:
    """The metric of every class, (..., K); NaN where it has no denominator.

    >>> class_ratios("precision", np.array([[8.0, 0.0], [2.0, 0.0]]))
    array([0.8, nan])
    """
    above, below = RATIOS[kind]
    return _ratio(above.of(counts), below.of(counts))


def _slope(kind: Kind, counts: Array, share: Array) -> Array:
    """Derivative of Σ_k share_k · metric of class k, the shares being constants; classes without one are left out."""
    above, below = RATIOS[kind]
    factor = _or_zero(_ratio(share * counts.sum(), below.of(counts)))
    return above.by_cell(factor) - below.by_cell(factor * _or_zero(class_ratios(kind, counts)))


@dataclass(frozen=True)
class ClassRatio(ConfusionMetric):
    """A metric of one class against the rest.

    >>> round(ClassRatio("precision", 1).value(np.array([[8.0, 2.0], [1.0, 4.0]])), 3)
    0.667
    """

    kind: Kind
    positive: int

    def values(self, counts: Array) -> Array:
        return np.asarray(class_ratios(self.kind, counts)[..., self.positive])

    def gradient(self, counts: Array) -> Array:
        return _slope(self.kind, counts, np.eye(len(counts))[self.positive])


@dataclass(frozen=True)
class ClassAverage(ConfusionMetric):
    """The mean of a metric over the classes that occur: all alike, or weighted by their rows.

    >>> round(ClassAverage("recall").value(np.array([[8.0, 2.0], [1.0, 4.0]])), 3)
    0.8
    """

    kind: Kind
    weighted: bool = False

    def values(self, counts: Array) -> Array:
        return np.asarray((_or_zero(class_ratios(self.kind, counts)) * self._shares(counts)).sum(axis=-1))

    def gradient(self, counts: Array) -> Array:
        slope = _slope(self.kind, counts, self._shares(counts))
        if self.weighted:  # a row of a class adds to its share
            slope += _or_zero(class_ratios(self.kind, counts))[:, None]
        return slope

    def _shares(self, counts: Array) -> Array:
        rows = counts.sum(axis=-1)
        amount = rows if self.weighted else (rows > 0).astype(np.float64)
        return _ratio(amount, amount.sum(axis=-1, keepdims=True))


class MatthewsCorrelation(ConfusionMetric):
    """Matthews correlation coefficient, of two classes and more.

    >>> round(MatthewsCorrelation().value(np.array([[8.0, 2.0], [1.0, 4.0]])), 3)
    0.577
    """

    lowest = -1.0

    def values(self, counts: Array) -> Array:
        covariance, true, predicted = self._parts(counts)
        return _or_zero(_ratio(covariance, np.sqrt(true * predicted)))

    def gradient(self, counts: Array) -> Array:
        shares = counts / counts.sum()
        covariance, true, predicted = self._parts(shares)
        scale = np.sqrt(true * predicted)
        if scale == 0.0:
            return np.zeros(counts.shape)
        rows, columns = shares.sum(axis=1), shares.sum(axis=0)
        spread = (1.0 - rows)[:, None] / true + (1.0 - columns) / predicted
        return np.asarray((_chance_slope(shares) - covariance * spread) / scale)

    def _parts(self, counts: Array) -> tuple[Array, Array, Array]:
        """Covariance of true and predicted class, and the variances of both, times squares of the rows."""
        rows, columns, size = counts.sum(axis=-1), counts.sum(axis=-2), counts.sum(axis=(-1, -2))
        squares = ((of * of).sum(axis=-1) for of in (rows, columns))
        variances = [np.maximum(size**2 - square, 0.0) for square in squares]
        return size * _right(counts) - (rows * columns).sum(axis=-1), *variances


class CohenKappa(ConfusionMetric):
    """Cohen's kappa: agreement beyond that of independent predictions.

    >>> round(CohenKappa().value(np.array([[8.0, 2.0], [1.0, 4.0]])), 3)
    0.571
    """

    lowest = -1.0

    def values(self, counts: Array) -> Array:
        chance, size = (counts.sum(axis=-1) * counts.sum(axis=-2)).sum(axis=-1), counts.sum(axis=(-1, -2))
        return _or_zero(_ratio(size * _right(counts) - chance, size**2 - chance))

    def gradient(self, counts: Array) -> Array:
        shares = counts / counts.sum()
        rows, columns = shares.sum(axis=1), shares.sum(axis=0)
        below = 1.0 - float(rows @ columns)
        if below <= 0.0:
            return np.zeros(counts.shape)
        slope_below = 2.0 - columns[:, None] - rows
        return np.asarray((_chance_slope(shares) - self.value(shares) * slope_below) / below)


class Accuracy(ConfusionMetric):
    """The proportion of right predictions."""

    def values(self, counts: Array) -> Array:
        return _ratio(_right(counts), counts.sum(axis=(-1, -2)))

    def gradient(self, counts: Array) -> Array:
        return np.eye(len(counts)) - self.value(counts)


def _right(counts: Array) -> Array:
    return np.asarray(np.trace(counts, axis1=-2, axis2=-1))


def _chance_slope(shares: Array) -> Array:
    """Derivative of s t - r·c by the cells, where s is 1."""
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    return np.asarray(np.trace(shares) + np.eye(len(shares)) - columns[:, None] - rows)


def _ratio(above: Array, below: Array) -> Array:
    above, below = np.broadcast_arrays(np.asarray(above, dtype=np.float64), below)
    ratios = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return np.asarray(ratios, dtype=np.float64)


def _or_zero(values: Array) -> Array:
    return np.where(np.isnan(values), 0.0, values)


def smoothed(counts: Array) -> Array:
    """The matrix with one row more per class, spread evenly over the predictions, at the classes' own sums.

    Where no row is wrong it still has a variance: that of the least that rows can tell.
    """
    rows, n_classes = counts.sum(axis=1, keepdims=True), len(counts)
    return np.asarray(rows * (counts + 1.0 / n_classes) / (rows + 1.0))
