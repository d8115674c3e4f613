"""Rows as a mixture is fitted to them: centred, in the units of the floor, each different row once, in a fixed order.

The order is that of the rows' own values, so which rows the starts are drawn from depends neither on the order in which
they were given nor on whether a row has weight 3 or is there three times.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.solvers.em import WeightedRows
from assay.types import Array


@dataclass(frozen=True)
class DistinctRows:
    """Rows of one class, or of all, ready for EM.

    Attributes
    ----------
    rows : Rows
        z = (x - center) / unit over the features that vary.
    center, unit : (E,)
    deviation : (E,)
        Of z within the group, 1 where it does not vary.
    total : float
        Sum of the weights.
    """

    rows: WeightedRows
    center: Array
    unit: Array
    deviation: Array
    total: float


def gather(
    X: NDArray[np.floating],
    weight: Array,
    unit: Array,
    codes: NDArray[np.int32] | None = None,
    n_classes: int = 1,
) -> DistinctRows:
    """Rows (N, E) of positive weight, in units of `unit`."""
    values = np.asarray(X, dtype=np.float64)
    total = float(weight.sum())
    first = values[:1]  # sums of differences keep the digits that sums of large numbers lose
    center = first[0] + weight @ (values - first) / total
    values = (values - center) / unit
    order = _order(values, codes)
    values, weight = values[order], weight[order]
    codes = None if codes is None else codes[order]
    values, weight, codes = _distinct(values, weight, codes)
    deviation = np.sqrt(weight @ values**2 / total)
    rows = WeightedRows(np.ascontiguousarray(values), weight, codes, n_classes)
    return DistinctRows(rows, center, unit, np.where(deviation > 1e-12, deviation, 1.0), total)


def _order(values: Array, codes: NDArray[np.int32] | None) -> NDArray[np.intp]:
    """An order in which equal rows of a class follow each other."""
    # One multiple a column, none a simple ratio of another: different rows hardly ever have the same sum.
    key = np.zeros(len(values))
    for j, column in enumerate(values.T):
        key += np.cos(j + 1.0) * column
    return np.argsort(key, kind="stable") if codes is None else np.lexsort((codes, key))


def _distinct(
    values: Array, weight: Array, codes: NDArray[np.int32] | None
) -> tuple[Array, Array, NDArray[np.int32] | None]:
    """Equal rows that follow each other as one, with their weights added up."""
    new = np.ones(len(values), dtype=bool)
    new[1:] = (values[1:] != values[:-1]).any(axis=1)
    if codes is not None:
        new[1:] |= codes[1:] != codes[:-1]
    if new.all():
        return values, weight, codes
    at = np.flatnonzero(new)
    return values[at], np.add.reduceat(weight, at), None if codes is None else codes[at]
