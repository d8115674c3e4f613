"""Rows with missing values, read without them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.types import Array


@dataclass(frozen=True)
class Filling:
    """How a table is read where it has NaN: the values put there, and the columns whose flags follow the rest."""

    values: Array
    indicators: NDArray[np.int32]

    def read(self, X: NDArray[np.floating]) -> Array:
        """The rows as the kernels see them."""
        filled = np.where(np.isnan(X), self.values, X)
        return np.hstack([filled, np.isnan(X[:, self.indicators])])
