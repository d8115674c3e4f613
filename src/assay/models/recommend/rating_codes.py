"""Ratings as whole numbers wherever they lie on a grid: stars, half stars, hundredths.

Sums of whole numbers are exact. So similarities do not depend on the order of the sums, and what is left after one
rating is taken out again is what a new count of the others gives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.types import Integers

GRIDS = (1, 2, 4, 5, 8, 10, 20, 25, 50, 100, 1000)  # steps to a unit of the rating
EXACT = 2.0**53  # whole numbers below are exact in double precision
SMALL = 2**29  # sums of squares of the kernel that holds critics side by side
ROUNDING = 1e-12  # of a sum of squares of other numbers that is no variance
Numbers = NDArray[np.float64]
RatingCodes = NDArray[np.int32] | NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Coded:
    """Ratings in units of their grid, about 0; int32 on a grid, else float64 between -1 and 1."""

    code: RatingCodes
    offset: float
    unit: float

    @property
    def whole(self) -> bool:
        return self.code.dtype == np.int32

    def ratings(self, code: Numbers) -> Numbers:
        """Codes, or means of codes, as ratings."""
        return (code + self.offset) / self.unit if self.whole else code / self.unit + self.offset

    def like(self, code: RatingCodes) -> Coded:
        """Other codes of the same grid."""
        return Coded(code, self.offset, self.unit)

    def is_small(self, longest: int) -> bool:
        """Whether the kernel that holds critics side by side can add up rows of this length."""
        if not self.whole:
            return False
        most = int(np.abs(self.code).max(initial=0))
        return most < 2**15 and longest < 2**15 and most**2 * (longest + 1) < SMALL


def coded(value: Numbers, longest: int) -> Coded:
    """Codes of ratings, of which no user has given more than `longest`."""
    for grid in GRIDS:
        steps = np.rint(value * grid)
        if (steps / grid != value).any():
            continue
        offset = np.floor((steps.min() + steps.max()) / 2)
        most = float(np.abs(steps - offset).max())
        if most < 2**30 and (most * max(longest, 1)) ** 2 < EXACT:
            return Coded((steps - offset).astype(np.int32), float(offset), float(grid))
        break
    low, high = float(value.min()), float(value.max())
    half = (high / 2 - low / 2) or 1.0
    middle = low / 2 + high / 2
    return Coded(np.ascontiguousarray((value - middle) / half), middle, 1.0 / half)


@dataclass(frozen=True, eq=False)
class RatingSums:
    """Number, sum and sum of squares of codes, of users or of anything else that has several."""

    n: Numbers
    sum: Numbers
    square: Numbers
    whole: bool

    @classmethod
    def of(cls, coded: Coded, group: Integers, count: int) -> RatingSums:
        code = coded.code.astype(np.float64)
        sums = (np.bincount(group, weight, count) for weight in (None, code, code * code))
        n, total, square = (np.asarray(values, dtype=np.float64) for values in sums)
        return cls(n, total, square, coded.whole)

    def take(self, group: Integers) -> RatingSums:
        """The sums of these, one after another."""
        return RatingSums(self.n[group], self.sum[group], self.square[group], self.whole)

    def without(self, code: RatingCodes) -> RatingSums:
        """Each without one code."""
        code = code.astype(np.float64)
        return RatingSums(self.n - 1, self.sum - code, self.square - code * code, self.whole)

    @property
    def mean(self) -> Numbers:
        """NaN of nothing."""
        return np.where(self.n > 0, self.sum / np.maximum(self.n, 1), np.nan)

    @property
    def deviation(self) -> Numbers:
        """Sample standard deviation, 0 where there is none: one rating, or all alike."""
        spread = self.n * self.square - self.sum**2
        least = 0.0 if self.whole else ROUNDING * self.n * self.square
        pairs = np.where(self.n > 1, self.n * (self.n - 1), 1)
        return np.where((self.n > 1) & (spread > least), np.sqrt(np.maximum(spread, 0) / pairs), 0.0)
