"""Average precision: the area under the precision-recall curve, and what each row adds to it.

With weights that sum to 1, P(s) = N(s) / D(s) is the precision among the rows that score at least s, D(s) their weight
and N(s) that of the positive ones. Average precision is the mean of P over the positive rows, as steps and without
interpolation (scikit-learn's `average_precision_score`). With p the weight of the positive rows, a row (y, s) adds

    [ y P(s) + Σ_{positive i, s_i <= s} w_i (y - P(s_i)) / D(s_i) - y AP ] / p,

the derivative of AP by the weight of the row; these have the mean 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from assay.types import Array, Mask, Numbers


class RankedMetric(NamedTuple):
    """A metric of scores, and what each row adds to it, (N,)."""

    value: float
    influence: Array


def average_precision(positive: Mask, score: Array, weight: Array | None = None) -> RankedMetric:
    """Average precision of scores that are large for positive rows; NaN without a positive row.

    Examples
    --------
    >>> ranked = average_precision(np.array([False, False, True, True]), np.array([0.1, 0.4, 0.35, 0.8]))
    >>> round(ranked.value, 3), bool(abs(ranked.influence.mean()) < 1e-12)
    (0.833, True)
    """
    shares = np.full(len(score), 1.0 / len(score)) if weight is None else weight / weight.sum()
    mass = float(shares[positive].sum())
    if mass == 0.0:
        return RankedMetric(float("nan"), np.zeros(len(score)))
    levels, place = np.unique(score, return_inverse=True)  # ascending
    hits = np.bincount(place, shares * positive, len(levels))
    at_least = np.cumsum(np.bincount(place, shares, len(levels))[::-1])[::-1]
    precision = _divided(np.cumsum(hits[::-1])[::-1], at_least)
    value = min(float(hits @ precision) / mass, 1.0)
    below = np.cumsum(_divided(hits, at_least))  # over the levels up to each
    lost = np.cumsum(_divided(hits * precision, at_least))
    own = precision[place] + below[place] - value
    return RankedMetric(value, (np.where(positive, own, 0.0) - lost[place]) / mass)


def _divided(above: Numbers, below: Numbers) -> Array:
    return np.asarray(np.divide(above, below, out=np.zeros(len(above)), where=below > 0), dtype=np.float64)
