"""What the choice of folds adds to the variance of an estimate: a row's loss differs between training sets.

A Wilson interval on n rows counts the tested rows alone. Had other rows been trained on, other settings would have been
chosen and other predictions made. How much a row's loss varies between training sets, u, is seen where every row is
tested by several models, and the interval counts fewer rows:

    s = (n e + 1) / (n + 2),   n_eff = n / (1 + κ u / (s (1 - s))),   interval = wilson(e n_eff, n_eff)

κ was found by simulation, with ten folds and a choice among settings (docs/evaluation.md shows the coverage). A mean of
losses takes the variance of the losses over rows in place of s (1 - s).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from assay.decision.grouped import Groups, several
from assay.decision.intervals import Estimate, Interval, wilson
from assay.types import Array, Floats

PAIRS = 2.25  # κ where the losses of a row are those of models that were trained without one more fold
ONE_REPEAT, REPEATS = 0.75, 1.5  # κ = .75 + 1.5 / R where they are those of R repeats of the folds
UNSEEN = (
    1.6  # variance, in times that of independent rows, where a row's losses do not show how much they vary
)


@dataclass(frozen=True)
class Instability:
    """How much losses vary between training sets.

    Attributes
    ----------
    kappa : float
        What this variance counts.
    variance : dict of float
        Variance of a row's loss between training sets, by measure: "error", "loss", "log_loss", "brier".
    base : float
        Variance of a figure where nothing of this is known, in times that of independent rows.
    """

    kappa: float = 0.0
    variance: Mapping[str, float] = field(default_factory=dict)
    base: float = 1.0

    def factor(self, measure: str, spread: float) -> float:
        """Variance of a mean of losses, in times that of independent rows whose losses have the variance `spread`.

        Examples
        --------
        >>> Instability(2.25, {"error": 0.02}).factor("error", 0.09)
        1.5
        """
        if not spread > 0:
            return self.base
        return self.base + self.kappa * self.variance.get(measure, 0.0) / spread


NOT_SEEN = Instability(base=UNSEEN)


def kappa_of_repeats(repeats: int) -> float:
    """What the variance of a row's loss between the repeats of the folds counts."""
    return ONE_REPEAT + REPEATS / repeats


def error_spread(error: float, n: float) -> float:
    """Variance of a row's mistake where a share of n rows is wrong, s (1 - s): never 0.

    Examples
    --------
    >>> round(error_spread(0.0, 8), 4)
    0.09
    """
    s = (n * error + 1.0) / (n + 2.0)
    return s * (1.0 - s)


def unstable_wilson(error: float, n: float, instability: Instability, level: float = 0.95) -> Interval:
    """Wilson's interval of an error on the number of rows that its instability leaves.

    Examples
    --------
    >>> low, high = unstable_wilson(0.1, 100, Instability(2.25, {"error": 0.02}))
    >>> round(low, 4), round(high, 4)
    (0.0488, 0.1939)
    """
    size = n / instability.factor("error", error_spread(error, n))
    return wilson(error * size, size, level)


def widened(estimate: Estimate, factor: float) -> Interval:
    """The interval of an estimate whose variance is so many times that of its rows."""
    low, high = (
        estimate.value + float(np.sqrt(factor)) * (end - estimate.value) for end in estimate.interval
    )
    return Interval(low, high)


def variance_between(losses: Floats, weight: Array | None = None, groups: Groups | None = None) -> float:
    """Mean over rows of the variance of a row's losses (N, M), each by one of M training sets.

    Where rows belong to groups, it is the variance of the group's mean loss, in units of the rows: times how much more
    the losses of rows vary than those of groups.

    Examples
    --------
    >>> variance_between(np.array([[0.0, 1.0], [1.0, 1.0]]))
    0.25
    """
    losses = np.asarray(losses, dtype=np.float64)
    amount = np.ones(len(losses)) if weight is None else weight
    together = several(groups, len(losses))
    if together is None:
        return float(np.average(losses.var(axis=1, ddof=1), weights=amount))
    of_groups = np.bincount(together, amount).astype(np.float64)
    filled = of_groups > 0
    sums = np.stack([np.bincount(together, amount * column) for column in losses.T], axis=1)
    means = sums[filled] / of_groups[filled, None]
    within = float(np.average(means.var(axis=1, ddof=1), weights=of_groups[filled]))
    apart = _variance(means.mean(axis=1), of_groups[filled])
    return within * _variance(losses.mean(axis=1), amount) / apart if apart > 0 else within


def _variance(values: Array, weight: Array) -> float:
    return float(np.average((values - np.average(values, weights=weight)) ** 2, weights=weight))
