"""The standard error and the interval of a metric, from what each row adds to it.

With shares v that sum to 1 and influences a, the variance is Σ v² a² (delta method), or Σ_g (Σ_{i in g} v_i a_i)² where
rows of a group depend on each other. A metric between two bounds gets Wilson's interval on the number of rows that
would tell a proportion as precisely, m (1 - m) / variance with m its place between the bounds: for recall that is the
number of positive rows. At a bound, where the variance is 0, the metric says how many rows tell it. Any other metric
gets Student's interval.

`variance_factor` multiplies every variance: out-of-fold predictions of one row are more alike than new rows are.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from assay.decision.grouped import effective_units, group_error, several
from assay.decision.intervals import Estimate, Interval, wilson
from assay.decision.metrics import LabelledScores, Metric
from assay.types import Array, Codes

WHOLE = 1.0  # upper bound of metrics that have one
ROUNDING = 1e-12  # of a metric at its bounds


def metric_estimate(
    metric: Metric,
    rows: LabelledScores,
    groups: Codes | None = None,
    level: float = 0.95,
    variance_factor: float = 1.0,
) -> Estimate:
    """A metric, its standard error and its interval; NaN and the bounds where it is not defined.

    Examples
    --------
    >>> from assay.decision.metric_names import class_metric
    >>> truth, predicted = np.repeat([0, 0, 1, 1], [80, 5, 3, 12]), np.repeat([0, 1, 0, 1], [80, 5, 3, 12])
    >>> rows = LabelledScores(truth, predicted, np.eye(2)[predicted], False, None, np.array([0, 1]))
    >>> recall = metric_estimate(class_metric("recall", 1), rows)
    >>> recall.value, [round(end, 6) for end in recall.interval] == [round(end, 6) for end in wilson(12, 15)]
    (0.8, True)
    """
    value = metric.value(rows)
    bounds = (-np.inf, np.inf) if metric.lowest is None else (metric.lowest, WHOLE)
    if not np.isfinite(value):
        return Estimate(value, float("nan"), Interval(*bounds))
    units = effective_units(rows.weight, groups, len(rows.codes))
    variance, size = _variance(metric.influence(rows, groups), rows.weight, groups)
    variance *= variance_factor
    if not size > 1.0 or not np.isfinite(variance):
        return Estimate(value, float("nan"), Interval(*bounds))
    error, upper = float(np.sqrt(variance)), 0.5 + level / 2
    student = float(special.stdtrit(size - 1.0, upper))
    if metric.lowest is None:
        return Estimate(value, error, Interval(value - student * error, value + student * error))
    span = WHOLE - metric.lowest
    share = min(max((value - metric.lowest) / span, 0.0), 1.0)
    if variance > 0.0 and ROUNDING < share < 1.0 - ROUNDING:
        count = share * (1.0 - share) * span**2 / variance
    else:
        count = metric.units(rows, units) / variance_factor
    if several(groups, len(rows.codes)) is not None:  # as many as give Student's quantile
        count *= float(special.ndtri(upper) / student) ** 2
    low, high = wilson(share * count, count, level)
    return Estimate(value, error, Interval(metric.lowest + span * low, metric.lowest + span * high))


def _variance(influence: Array, weight: Array | None, groups: Codes | None) -> tuple[float, float]:
    """Of the sum of the influences times the rows' shares, and the number of rows, or groups, that it rests on."""
    shares = np.full(len(influence), 1.0 / len(influence)) if weight is None else weight / weight.sum()
    together = several(groups, len(influence))
    if together is not None:
        error, size = group_error(shares * influence, shares, together)
        return error**2, size
    return float(shares**2 @ influence**2), 1.0 / float((shares**2).sum())
