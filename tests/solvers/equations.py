"""Equations of least squares from moments of features and targets."""

from __future__ import annotations

import numpy as np

from assay.statistics import collect


def equations(X: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Covariances of the features and with the targets, and deviations, from moments of both together."""
    width = X.shape[1]
    joint = np.column_stack([X, targets])
    scatter = collect(joint, np.zeros(len(X), dtype=np.int32), 1, form="pooled").scatter / len(X)
    return scatter[:width, :width], scatter[width:, :width], np.sqrt(np.diag(scatter)[:width])
