"""Scatter of the class means and of all rows about the overall mean, for a stack of moments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.statistics import Moments

Array = NDArray[np.float64]


def between_root(m: Moments) -> Array:
    """R with S_b = RᵀR: class means less the overall mean, each times the root of its weight, (..., K, D)."""
    return np.asarray(np.sqrt(m.weight)[..., None] * m.overall()[2])


def total_scatter(m: Moments) -> Array:
    """Σ w (x - mean)(x - mean)ᵀ over all classes, (..., D, D); within plus between, no difference."""
    root = between_root(m)
    return np.asarray(m.pooled().scatter + np.swapaxes(root, -1, -2) @ root)
