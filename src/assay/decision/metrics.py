"""Metrics by name: what `metric=` chooses by, and what tables of metrics list.

A metric is a number of tested rows, and it says what each of them adds to it (its influence, whose mean is 0): the
standard error of the metric is that of the mean of the influences. Average precision and AUC of more than two classes
are means over the classes that occur, each against the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from assay.decision.average_precision import RankedMetric, average_precision
from assay.decision.confusion_metrics import (
    Accuracy,
    ConfusionMetric,
    smoothed,
)
from assay.decision.measures import confusion as confusion_matrix
from assay.decision.measures import placements, row_briers, row_log_losses
from assay.types import Array, Codes, Index, Labels, Mask

Reads = Literal["decisions", "posterior", "scores"]


class LabelledScores(NamedTuple):
    """Rows with their true and predicted class and their class scores: log posteriors, or margins."""

    codes: Codes
    predicted: Codes
    scores: Array  # (N, K)
    posterior: bool  # whether scores are log posteriors
    weight: Array | None
    classes: Labels

    @property
    def counts(self) -> Array:
        """The confusion matrix, (K, K)."""
        return confusion_matrix(self.codes, self.predicted, len(self.classes), self.weight)

    @property
    def odds(self) -> Array:
        """What ranks the rows for each class, (N, K)."""
        if self.scores.shape[1] == 2:
            difference = self.scores[:, 1] - self.scores[:, 0]
            return np.stack([-difference, difference], axis=1)
        return one_vs_rest_log_odds(self.scores) if self.posterior else self.scores

    def take(self, rows: Mask | Index) -> LabelledScores:
        """Some of the rows, or all in another order."""
        weight = None if self.weight is None else self.weight[rows]
        return self._replace(
            codes=self.codes[rows], predicted=self.predicted[rows], scores=self.scores[rows], weight=weight
        )

    @property
    def present(self) -> list[int]:
        """Classes that have weight."""
        rows = np.bincount(self.codes, self.weight, len(self.classes))
        return [int(k) for k in np.flatnonzero(rows)]


@dataclass(frozen=True)
class Metric(ABC):
    """A metric, and the class that it is about where it is about one.

    Attributes
    ----------
    name, title : as options and tables call it
    positive : number of the class, None where it is about all
    """

    name: str
    title: str
    positive: int | None = None

    reads: Reads = "decisions"
    larger_is_better: bool = True
    lowest: float | None = 0.0  # of its values, of which the largest is 1; None: they may be anything
    by_groups: ClassVar[bool] = False  # whether the influence of a single row is not known

    @property
    def confusion(self) -> ConfusionMetric | None:
        """The function of the confusion matrix that it is, if it is one."""
        return None

    @abstractmethod
    def value(self, rows: LabelledScores) -> float:
        """The metric; NaN where it is not defined."""

    @abstractmethod
    def influence(self, rows: LabelledScores, groups: Codes | None = None) -> Array:
        """What each row adds to it, (N,), around 0; where it goes `by_groups`, what the rows of its group add."""

    def units(self, rows: LabelledScores, n: float) -> float:
        """How many of n rows tell a metric that is at an end of its range."""
        return n

    @property
    def best(self) -> float:
        """The value that it is compared with where losses are made of it."""
        return 1.0 if self.lowest is not None and self.larger_is_better else 0.0

    @property
    def worst_loss(self) -> float:
        """What is minimised where the metric is not defined."""
        return np.inf if self.lowest is None else self.best - self.lowest

    def loss(self, value: float) -> float:
        """How much a value lacks of the best one: what is minimised. It is its own inverse."""
        return self.best - value if self.larger_is_better else value


@dataclass(frozen=True)
class DecisionMetric(Metric):
    """A function of the confusion matrix."""

    of: ConfusionMetric = Accuracy()

    @property
    def confusion(self) -> ConfusionMetric | None:
        return self.of

    def value(self, rows: LabelledScores) -> float:
        return self.of.value(rows.counts)

    def influence(self, rows: LabelledScores, groups: Codes | None = None) -> Array:
        counts = rows.counts
        slope = self.of.gradient(counts)
        return np.asarray((slope - np.average(slope, weights=counts))[rows.codes, rows.predicted])

    def units(self, rows: LabelledScores, n: float) -> float:
        counts = smoothed(rows.counts)
        slope, value = self.of.gradient(counts), self.of.value(counts)
        variance = np.average((slope - np.average(slope, weights=counts)) ** 2, weights=counts)
        spread = (value - self.of.lowest) * (1.0 - value)
        return n * float(spread / variance) if variance > 0 and spread > 0 else n


def clipped_log_losses(codes: Codes, log_posterior: Array) -> Array:
    """-ln P(true class) of each row."""
    return row_log_losses(codes, log_posterior)[0]


def squared_distances(codes: Codes, log_posterior: Array) -> Array:
    """What each row adds to the Brier score."""
    return row_briers(codes, np.exp(log_posterior))


@dataclass(frozen=True)
class PosteriorMetric(Metric):
    """A mean over rows: log loss or Brier score."""

    reads: Reads = "posterior"
    larger_is_better: bool = False
    lowest: float | None = None
    of: Callable[[Codes, Array], Array] = clipped_log_losses

    def value(self, rows: LabelledScores) -> float:
        return float(np.average(self.of(rows.codes, rows.scores), weights=rows.weight))

    def influence(self, rows: LabelledScores, groups: Codes | None = None) -> Array:
        return self.of(rows.codes, rows.scores) - self.value(rows)


@dataclass(frozen=True)
class RankingMetric(Metric):
    """A metric of how scores rank the rows of a class among all rows."""

    reads: Reads = "scores"
    of: Callable[[Mask, Array, Array | None], RankedMetric] = average_precision

    def value(self, rows: LabelledScores) -> float:
        return self._ranked(rows).value

    def influence(self, rows: LabelledScores, groups: Codes | None = None) -> Array:
        return self._ranked(rows).influence

    def units(self, rows: LabelledScores, n: float) -> float:
        share = np.bincount(rows.codes, rows.weight, len(rows.classes)) / (
            len(rows.codes) if rows.weight is None else rows.weight.sum()
        )
        return n * float(share[self._classes(rows)].min())

    def _classes(self, rows: LabelledScores) -> list[int]:
        return rows.present if self.positive is None else [self.positive]

    def _ranked(self, rows: LabelledScores) -> RankedMetric:
        odds = rows.odds
        each = [self.of(rows.codes == k, odds[:, k], rows.weight) for k in self._classes(rows)]
        values, influences = zip(*each, strict=True)
        return RankedMetric(float(np.mean(values)), np.mean(influences, axis=0))


def ranked_area(positive: Mask, score: Array, weight: Array | None) -> RankedMetric:
    """Area under the ROC curve; NaN where all rows are on one side.

    >>> round(ranked_area(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8]), None).value, 2)
    0.75
    """
    shares = np.full(len(score), 1.0 / len(score)) if weight is None else weight / weight.sum()
    mass = float(shares[positive].sum())
    if not 0.0 < mass < 1.0:
        return RankedMetric(float("nan"), np.zeros(len(score)))
    placed = placements(positive, score, shares)
    area = min(float(shares[positive] @ placed[positive]) / mass, 1.0)
    return RankedMetric(area, (placed - area) / np.where(positive, mass, 1.0 - mass))


def one_vs_rest_log_odds(log_posterior: Array) -> Array:
    """Log odds of each class against the rest, (N, K), finite: posteriors of 0 and 1, too, have an order.

    >>> one_vs_rest_log_odds(np.log([[0.5, 0.25, 0.25]])).round(4).tolist()
    [[0.0, -1.0986, -1.0986]]
    """
    classes = range(log_posterior.shape[1])
    rest = [np.logaddexp.reduce(np.delete(log_posterior, k, axis=1), axis=1) for k in classes]
    odds = log_posterior - np.stack(rest, axis=1)
    return np.asarray(np.clip(odds, -1e300, 1e300))  # a class never seen has -inf
