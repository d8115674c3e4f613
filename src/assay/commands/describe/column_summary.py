"""Summaries of columns that grow block by block, for a table that is never in memory as a whole.

Means and deviations are kept by Chan's merge, n m and S = sum (x - m)^2 of each block added to those before:

    m <- m + (m_b - m) n_b / (n + n_b),    S <- S + S_b + (m_b - m)^2 n n_b / (n + n_b)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.schema import Column

LARGE = 1e150  # squares of larger values overflow, so that these are summed in extended precision
MOST_CELLS = 100_000  # counts by category and class are kept up to this many

Codes = NDArray[np.int64]


@dataclass
class NumericTally:
    """Extremes, mean and deviation of the finite values, and the mean in each class."""

    n_classes: int
    count: int = 0
    missing: int = 0
    low: float = np.inf
    high: float = -np.inf
    mean: np.longdouble = field(default_factory=lambda: np.longdouble(0))
    scatter: np.longdouble = field(default_factory=lambda: np.longdouble(0))
    class_counts: NDArray[np.float64] = field(init=False)
    class_means: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.class_counts = np.zeros(self.n_classes)
        self.class_means = np.zeros(self.n_classes)

    def add(self, values: NDArray[np.float64], codes: Codes | None) -> None:
        finite = np.isfinite(values)
        self.missing += int(np.isnan(values).sum())
        x = values[finite]
        if not len(x):
            return
        self.low, self.high = min(self.low, float(x.min())), max(self.high, float(x.max()))
        if max(-self.low, self.high) > LARGE:
            x = x.astype(np.longdouble)
        with np.errstate(over="ignore", invalid="ignore"):
            self._merge(x)
            if codes is not None:
                self._add_classes(x, codes[finite])

    def _merge(self, x: NDArray[np.floating]) -> None:
        total = self.count + len(x)
        # Taken from the first value, so that a mean far from 0 costs the deviation no digits.
        block_mean = x[0] + np.mean(x - x[0])
        step = np.longdouble(block_mean) - self.mean
        self.scatter += np.sum((x - block_mean) ** 2) + step * step * (self.count / total * len(x))
        self.mean += step * (len(x) / total)
        self.count = total

    def _add_classes(self, x: NDArray[np.floating], codes: Codes) -> None:
        labelled = codes >= 0
        if not labelled.any():
            return
        codes = codes[labelled]
        apart = (x[labelled] - self.class_means[codes]).astype(np.float64)
        excess = np.bincount(codes, weights=apart, minlength=self.n_classes)
        self.class_counts += np.bincount(codes, minlength=self.n_classes)
        np.divide(excess, self.class_counts, out=excess, where=self.class_counts > 0)
        self.class_means += excess

    @property
    def deviation(self) -> float:
        """Square root of the mean squared distance from the mean."""
        return float(np.sqrt(self.scatter / self.count)) if self.count else np.nan


@dataclass
class CategoryTally:
    """Rows of each category, and of each category in each class."""

    n_categories: int
    n_classes: int
    missing: int = 0
    counts: NDArray[np.int64] = field(init=False)
    by_class: NDArray[np.int64] | None = field(init=False)

    def __post_init__(self) -> None:
        self.counts = np.zeros(self.n_categories, dtype=np.int64)
        small = 0 < self.n_classes * self.n_categories <= MOST_CELLS
        self.by_class = np.zeros((self.n_classes, self.n_categories), dtype=np.int64) if small else None

    def add(self, values: NDArray[np.int32], codes: Codes | None) -> None:
        known = values >= 0
        self.missing += int((~known).sum())
        categories = values[known].astype(np.int64)
        self.counts += np.bincount(categories, minlength=self.n_categories)
        if codes is None or self.by_class is None:
            return
        labels = codes[known]
        key = (labels * self.n_categories + categories)[labels >= 0]
        self.by_class += np.bincount(key, minlength=self.by_class.size).reshape(self.by_class.shape)


@dataclass
class TextTally:
    """Missing values; a text, an identifier or a constant has no other summary."""

    missing: int = 0

    def add(self, values: Any, codes: Codes | None) -> None:
        self.missing += values.null_count


Tally = NumericTally | CategoryTally | TextTally


def tally_for(column: Column, n_classes: int) -> Tally:
    """An empty tally for a column of this type."""
    if column.type in ("numeric", "date"):
        return NumericTally(n_classes)
    if column.type in ("categorical", "binary"):
        return CategoryTally(len(column.levels), n_classes)
    return TextTally()
