"""Density of each class along the numeric columns that separate the classes best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.types import Array


@dataclass(frozen=True, eq=False)
class ClassDensities:
    """Class densities of one numeric column on a grid."""

    column: str
    grid: Array
    values: Array  # (K, grid)
    correlation_ratio: float  # share of the column's variance that lies between the classes


def correlation_ratio(values: Array, codes: NDArray[np.int32], n_classes: int) -> float:
    """Proportion of a column's variance that lies between the class means (0 to 1), missing values left out."""
    known = np.isfinite(values)
    x, k = values[known], codes[known]
    if len(x) < 2 or x.max() == x.min():
        return 0.0
    n = np.bincount(k, minlength=n_classes)
    mean = np.divide(
        np.bincount(k, weights=x - x.mean(), minlength=n_classes), n, out=np.zeros(n_classes), where=n > 0
    )
    return float((n * mean**2).sum() / max(((x - x.mean()) ** 2).sum(), np.finfo(np.float64).tiny))


def densities(
    table: Table, codes: NDArray[np.int32], n_classes: int, most: int = 6, points: int = 60
) -> list[ClassDensities]:
    """The numeric columns that tell the classes apart best, with a smoothed density for each class."""
    numeric = [column.name for column in table.schema if column.type == "numeric"]
    ranked = sorted(
        ((correlation_ratio(table[name], codes, n_classes), name) for name in numeric), reverse=True
    )
    curves_by_column = []
    for share, name in ranked[:most]:
        values = table[name]
        x = values[np.isfinite(values)]
        if share <= 0:
            continue
        low, high = np.quantile(x, [0.002, 0.998])
        grid = np.linspace(low - 0.08 * (high - low), high + 0.08 * (high - low), points)
        curves = np.stack(
            [smoothed(values[(codes == k) & np.isfinite(values)], grid) for k in range(n_classes)]
        )
        curves_by_column.append(ClassDensities(name, grid, curves, share))
    return curves_by_column


def smoothed(values: Array, grid: Array) -> Array:
    """A kernel estimate of the density from at most a few hundred quantiles of the values."""
    if len(values) < 2 or values.max() == values.min():
        return np.zeros(len(grid))
    x = np.quantile(values, (np.arange(400) + 0.5) / 400) if len(values) > 400 else values
    low, high = np.quantile(x, [0.25, 0.75])
    spread = min(float(x.std()), float(high - low) / 1.349) or float(x.std())
    # Silverman's width; never narrower than a grid step, which would draw a comb.
    width = max(0.9 * spread * len(values) ** -0.2, float(grid[1] - grid[0]))
    z = (grid[:, None] - x) / width
    return np.asarray(np.exp(-0.5 * z**2).mean(axis=1) / (width * np.sqrt(2 * np.pi)))
