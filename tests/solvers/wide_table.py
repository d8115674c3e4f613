"""A table with more columns than rows."""

from __future__ import annotations

import numpy as np


def wide(rows: int = 30, width: int = 120, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    y = np.arange(rows) % classes
    X = rng.normal(size=(rows, width)) + 5.0
    X[:, :classes] += 1.5 * np.eye(classes)[y]
    return X, y
