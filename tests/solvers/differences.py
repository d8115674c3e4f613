"""Rows for a network, and derivatives by differences."""

from __future__ import annotations

import numpy as np

from assay.solvers.standard_rows import StandardRows


def rows_of(X: np.ndarray, dtype: type = np.float64) -> StandardRows:
    width = X.shape[1]
    return StandardRows(X, np.arange(width), np.zeros(width), np.ones(width), np.dtype(dtype))


def numeric(loss: object, vector: np.ndarray, step: float = 1e-5) -> np.ndarray:
    """Central differences of loss() by every entry of the vector, which is changed in place."""
    out = np.empty_like(vector)
    for place in range(len(vector)):
        kept = vector[place]
        values = []
        for moved in (kept + step, kept - step):
            vector[place] = moved
            values.append(loss())  # type: ignore[operator]
        vector[place] = kept
        out[place] = (values[0] - values[1]) / (2 * step)
    return out
