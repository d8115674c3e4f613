"""Curves of decisions: ROC, loss by threshold, error and loss by rejection rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.types import Array as Array

MOST_POINTS = 200

FAR_ABOVE = 8.0  # times what deciding blindly costs


@dataclass(frozen=True, eq=False)
class Roc:
    """One class against the rest: false and true positive rates as the threshold falls."""

    code: int
    false_positive: Array
    true_positive: Array
    area: float  # of all points, before they were thinned


@dataclass(frozen=True, eq=False)
class ThresholdCurve:
    """Mean loss if class 1 is predicted where its posterior is above the threshold."""

    thresholds: Array
    loss: Array
    chosen: float  # the threshold that the loss matrix asks for
    chosen_loss: float
    best: float  # the threshold of least loss on these rows
    best_loss: float

    @property
    def top(self) -> float:
        """How high a picture must reach: to all of the curve, unless that would press what matters flat."""
        blind = min(float(self.loss[0]), float(self.loss[-1]))
        highest, worth = float(self.loss.max()), FAR_ABOVE * max(blind, self.chosen_loss)
        return highest if highest <= worth else worth


@dataclass(frozen=True, eq=False)
class RejectCurve:
    """Among the rows kept, as the most doubtful are rejected: error and mean loss."""

    reject_rate: Array
    error: Array
    loss: Array


@dataclass(frozen=True, eq=False)
class PrecisionRecall:
    """One class against the rest: recall and precision as the threshold falls."""

    code: int
    recall: Array
    precision: Array
    average: float  # average precision, of all points
    share: float  # of the class: the precision of a model that ranks nothing


def precision_recall(positive: NDArray[np.bool_], score: Array, weight: Array) -> tuple[Array, Array]:
    """Recall and precision at every threshold at which a positive row is predicted, the highest first.

    >>> recall, precision = precision_recall(np.array([True, False, True]), np.array([3.0, 2.0, 1.0]), np.ones(3))
    >>> recall, precision.round(3)
    (array([0.5, 0.5, 1. ]), array([1.   , 0.5  , 0.667]))
    """
    order = np.argsort(-score, kind="stable")
    ranked = score[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    hits = np.cumsum((weight * positive)[order])[last]
    predicted = np.cumsum(weight[order])[last]
    some = predicted > 0
    return hits[some] / hits[-1], hits[some] / predicted[some]


def roc(positive: NDArray[np.bool_], score: Array, weight: Array) -> tuple[Array, Array]:
    """False and true positive shares at every threshold, from (0, 0) to (1, 1)."""
    order = np.argsort(-score, kind="stable")
    ranked = score[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    hits = np.cumsum((weight * positive)[order])[last]
    alarms = np.cumsum((weight * ~positive)[order])[last]
    return np.append(0.0, alarms / alarms[-1]), np.append(0.0, hits / hits[-1])


def thinned_path(x: Array, y: Array, most: int = MOST_POINTS) -> NDArray[np.intp]:
    """Points of a rising path that draw it: no inner points of straight stretches, then even steps along it."""
    if len(x) <= 2:
        return np.arange(len(x))
    turn = np.diff(x[:-1]) * np.diff(y[1:]) - np.diff(x[1:]) * np.diff(y[:-1])
    corners = np.flatnonzero(np.concatenate([[True], np.abs(turn) > 1e-15, [True]]))
    if len(corners) <= most:
        return corners
    way = x[corners] + y[corners]
    return corners[np.unique(np.searchsorted(way, np.linspace(way[0], way[-1], most)))]


def on_grid(curve: ThresholdCurve, steps: int = MOST_POINTS) -> tuple[Array, Array]:
    """The curve at even thresholds from 0 to 1."""
    grid = np.linspace(0.0, 1.0, steps)
    place = np.searchsorted(curve.thresholds, grid, side="right") - 1
    return grid, curve.loss[np.maximum(place, 0)]
