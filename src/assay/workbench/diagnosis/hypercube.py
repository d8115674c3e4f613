"""Rows in the cube [-1, 1]^d: how a table's numeric columns are put there, and what uniform rows would show.

    proportion of the volume in the shell of thickness eps       1 - (1 - eps)^d
    mean squared norm                                            d / 3
    proportion of B equal bins that N rows leave empty           (1 - 1/B)^N
    ... that hold one row                                        (N/B) (1 - 1/B)^(N-1)
    std over mean of squared distances                           sqrt(7 / (5 d))

The last one because (x - y)^2 has mean 2/3 and variance 28/45 on every axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.table import Table
from assay.types import Array


def shell_volume(eps: float, d: int | NDArray[np.int64]) -> Any:
    """Proportion of a d-dimensional cube's volume within eps of its surface (half an edge is the unit).

    >>> round(shell_volume(0.05, 3), 4)
    0.1426
    """
    return 1.0 - (1.0 - eps) ** d


def uniform_norm(d: int) -> float:
    """Mean squared norm of rows drawn uniformly from [-1, 1]^d.

    >>> uniform_norm(3)
    1.0
    """
    return d / 3.0


def empty_proportion(rows: int, bins: int) -> float:
    """Expected proportion of equally likely bins that no row falls into.

    >>> empty_proportion(rows=2, bins=2)
    0.25
    """
    return math.exp(rows * math.log1p(-1.0 / bins)) if bins > 1 else float(rows == 0)


def single_proportion(rows: int, bins: int) -> float:
    """Expected proportion of equally likely bins that exactly one row falls into.

    >>> single_proportion(rows=2, bins=2)
    0.5
    """
    return rows / bins * empty_proportion(rows - 1, bins) if rows else 0.0


def uniform_spread(d: int) -> float:
    """Standard deviation over mean of squared distances between rows drawn uniformly from a d-dimensional cube.

    >>> round(uniform_spread(35), 6)
    0.2
    """
    return math.sqrt(1.4 / d)


def grid(rows: int, d: int) -> tuple[int, int]:
    """Bins per axis, and axes: three on all axes if there are enough rows, else two on as many as give one row per bin.

    >>> grid(150, 4), grid(150, 40)
    ((3, 4), (2, 7))
    """
    if d * math.log(3) <= math.log(max(rows, 1)):
        return 3, d
    return 2, min(d, max(rows, 1).bit_length() - 1)


@dataclass(frozen=True)
class Cube:
    """The numeric columns that vary, each with its middle and half its range."""

    table: Table
    names: tuple[str, ...]
    middle: Array
    half: Array

    @classmethod
    def of(cls, table: Table) -> Cube:
        names, middle, half = [], [], []
        for column in table.schema:
            if column.type not in ("numeric", "date"):
                continue
            values = table[column.name]
            finite = values[np.isfinite(values)]
            # Halved first: the range of very large values has no float64.
            low, high = (finite.min() / 2, finite.max() / 2) if len(finite) else (0.0, 0.0)
            if high - low > 0:
                names.append(column.name)
                middle.append(low + high)
                half.append(high - low)
        return cls(table, tuple(names), np.array(middle), np.array(half))

    @property
    def d(self) -> int:
        return len(self.names)

    def axis(self, j: int, rows: NDArray[np.int64] | slice = slice(None)) -> Array:
        """One column on the scale of the cube; NaN where it has no finite value."""
        values = self.table[self.names[j]][rows]
        scaled = (np.where(np.isfinite(values), values, np.nan) - self.middle[j]) / self.half[j]
        return np.asarray(np.clip(scaled, -1.0, 1.0))


def squared_distances(x: Array) -> Array:
    """Squared distances of all pairs of rows of (n, d), missing axes skipped and made up for; NaN if none is shared."""
    known = ~np.isnan(x)
    z, mask = np.where(known, x, 0.0), known.astype(np.float64)
    squares = (z * z) @ mask.T
    both, shared = squares + squares.T - 2.0 * (z @ z.T), mask @ mask.T
    first, second = np.triu_indices(len(x), 1)
    common = shared[first, second]
    scaled = np.maximum(both[first, second], 0.0) * (x.shape[1] / np.where(common > 0, common, np.nan))
    return np.asarray(scaled)
