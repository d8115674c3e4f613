"""Tables whose answers are known."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def three_directions(rows: int = 240, spread: float = 0.6, seed: int = 0) -> tuple[Array, Array]:
    """Three classes at the corners of a triangle around the origin: nobody claims the middle."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 3
    angle = 2 * np.pi * y / 3
    X = 2.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + spread * rng.normal(size=(rows, 2))
    return X, y


def logistic(rows: int = 4000, seed: int = 0) -> tuple[Array, Array, Array]:
    """Two columns, labels drawn with P(1 | x) = 1 / (1 + exp(-(1.5 x0 - x1 + 0.5))), and these probabilities."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 2))
    truth = 1 / (1 + np.exp(-(X @ [1.5, -1.0] + 0.5)))
    return X, (rng.random(rows) < truth).astype(int), truth
