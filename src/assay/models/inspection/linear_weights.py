"""Weights of a linear model: the effect of one standard deviation of each column, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.types import Array

MOST_WEIGHTS = 20


@dataclass(frozen=True, eq=False)
class LinearWeights:
    """How far one deviation of a design column moves the score of each class.

    Two classes have one line, towards the second; more classes have a line each, against the mean of all.
    """

    columns: list[str]
    weights: Array  # (classes or 1, columns)
    deviations: Array
    reach: Array | None = None  # of the weights' intervals to either side, where there are any

    @property
    def effects(self) -> Array:
        return self.weights * self.deviations

    @property
    def ends(self) -> tuple[Array, Array] | None:
        """Lower and upper ends of the effects' intervals."""
        if self.reach is None:
            return None
        away = self.reach * self.deviations
        return self.effects - away, self.effects + away


def against_mean(coef: Array) -> Array:
    """LinearWeights (.., classes or 1, columns) against the mean of all classes.

    A number added to a column's weight in every class changes no decision: only differences mean anything.
    """
    return coef if coef.shape[-2] == 1 else coef - coef.mean(axis=-2, keepdims=True)


def linear_weights(
    coef: Array,
    deviations: Array,
    names: Sequence[str],
    most: int = MOST_WEIGHTS,
    reach: Array | None = None,
) -> LinearWeights:
    """The columns of largest effect on any class, largest first."""
    against = against_mean(coef)
    size = np.abs(against * deviations).max(axis=0)
    order = [int(j) for j in np.argsort(-size, kind="stable")[:most] if size[j] > 0]
    away = None if reach is None else reach[:, order]
    return LinearWeights([names[j] for j in order], against[:, order], deviations[order], away)
