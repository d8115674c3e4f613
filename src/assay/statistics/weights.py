"""What sample weights count: rows, or how much each row matters.

Weights that are all whole numbers count rows: 2 is the row twice. Others are importance weights. Only their ratios mean
something, so wherever a number of rows is needed (divisors, smoothing, neighbours, penalties) they are scaled to add up
to the number of rows with a positive weight, in every training set by itself. All weights of a call decide together.

Importance weights that are scaled to their set and happen to be whole are all 1: none is below 1 and their mean is 1.
A fit that is given them may therefore decide again, and comes to the same result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.types import Array, Numbers


def is_importance(weight: Array | None) -> bool:
    """Whether weights are importance weights: not all of them are whole numbers.

    >>> is_importance(np.array([2.0, 0.0, 1.0])), is_importance(np.array([2.0, 0.5]))
    (False, True)
    """
    return weight is not None and bool((np.floor(weight) != weight).any())


def scaled_to_rows(weight: Array) -> Array:
    """Weights times what makes them add up to the number of positive ones; equal weights become exactly 1.

    >>> scaled_to_rows(np.array([0.25, 0.0, 0.75])).tolist()
    [0.5, 0.0, 1.5]
    """
    shares = weight / weight.max()
    return np.asarray(shares * (np.count_nonzero(shares) / shares.sum()))


def in_rows(weight: Array | None) -> Array | None:
    """The weights of a call as numbers of rows."""
    return scaled_to_rows(weight) if weight is not None and is_importance(weight) else weight


def rows_of_one(weight: Numbers, rows: Numbers) -> Array:
    """How many rows an importance weight of 1 counts for in each group, by weight and rows of its classes (..., K)."""
    total = weight.sum(axis=-1)
    return np.asarray(np.divide(rows.sum(axis=-1), total, out=np.ones(total.shape), where=total > 0))


def subset_weight(weight: Array | None, rows: NDArray[np.intp]) -> Array | None:
    """Weights of a training set, given those of all rows of the call, which decide what weights count.

    >>> subset_weight(np.array([0.5, 0.5, 1.0, 3.0]), np.array([2, 3])).tolist()
    [0.5, 1.5]
    """
    if weight is None:
        return None
    chosen = weight[rows]
    return scaled_to_rows(chosen) if is_importance(weight) and chosen.any() else chosen
