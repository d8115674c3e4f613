"""Two models on the same rows: is the difference of their losses more than the luck of these rows?

d_i is the loss of one model less that of the other on row i, the tests of a row averaged first, so that rows stay the
unit under any plan, one split or many. The mean of d has Student's interval; rows count by their weights, and groups of
rows that stayed together are the unit where there are some.

What this takes into account is which rows were tested. It does not see how much the models themselves would change
with other training rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from assay.decision import Interval, effective_units, t_interval
from assay.selection.evaluation import Evaluation


class Paired(NamedTuple):
    """Mean difference of the losses, its standard error and interval, and the two-sided p-value of no difference."""

    mean: float
    standard_error: float
    p_value: float
    interval: Interval


def paired(one: Evaluation, other: Evaluation, level: float = 0.95) -> Paired:
    """Loss (error, without a loss matrix) of one model less that of the other, over the same tested rows.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from assay import GaussianClassifier, GaussianNB, HoldOut, evaluate
    >>> models = {"naive": GaussianNB(), "sphere": GaussianClassifier("shared_spherical")}
    >>> found = evaluate(models, *load_iris(return_X_y=True), HoldOut(0.5))
    >>> test = paired(found["sphere"], found["naive"])
    >>> round(test.mean, 3), round(test.p_value, 2)
    (0.053, 0.04)
    """
    for given in (one, other):
        if not isinstance(given, Evaluation):
            raise TypeError(f"{given!r} is no evaluation; give what evaluate returned of two models.")
    if not np.array_equal(one.rows, other.rows):
        raise ValueError(
            f"{one.name} and {other.name} were tested on different rows; evaluate them in one call."
        )
    values, weight = one.per_row(one.losses() - other.losses())
    mean, error, interval = t_interval(values, weight, level, one.row_groups)
    if np.isnan(error):
        raise ValueError("All tested rows are of one group; whether models differ takes two groups or more.")
    if error == 0.0:
        return Paired(mean, error, float(mean == 0.0), interval)
    freedom = effective_units(weight, one.row_groups, len(values)) - 1.0
    return Paired(mean, error, float(2.0 * special.stdtr(freedom, -abs(mean / error))), interval)
