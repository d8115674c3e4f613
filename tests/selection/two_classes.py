"""Two classes whose true error is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from assay import GaussianClassifier


def two_classes(seed: int, distance: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    generator = np.random.default_rng(seed)
    y = np.repeat([0, 1], 100)
    X = generator.normal(size=(200, 3))
    X[:, 0] += distance * y
    return X, y


def true_error(model: GaussianClassifier, distance: float) -> float:
    """Mass of each class on the other's side of the plane w·x + b = 0."""
    corners = np.vstack([np.zeros(3), np.eye(3)])
    odds = np.diff(model.predict_log_proba(corners), axis=1).ravel()
    bias, weights = odds[0], odds[1:] - odds[0]
    size = np.linalg.norm(weights)
    return float(0.5 * ndtr(bias / size) + 0.5 * ndtr(-(bias + distance * weights[0]) / size))
