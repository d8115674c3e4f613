"""Counts of a few rows as proportions: what is added to the count of every class keeps them away from 0."""

from __future__ import annotations

import numpy as np

from assay.types import Array, Mask


def smoothed(counts: Array, present: Mask, smoothing: float) -> Array:
    """Proportions (N, K) of counts, to which `smoothing` is added for every class that is present, (K,) or (N, K).

    >>> smoothed(np.array([[3.0, 1.0, 0.0]]), np.array([True, True, False]), 1.0).round(3).tolist()
    [[0.667, 0.333, 0.0]]
    """
    raised: Array = counts + smoothing * present if smoothing else counts
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
