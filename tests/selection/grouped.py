"""Rows that belong together: copies of one another, whichever way their models are evaluated."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from assay import GaussianNB, KNeighborsClassifier, LogisticRegression

MODELS_BY_STRATEGY: dict[str, Any] = {
    "statistics": GaussianNB(),
    "neighbors": KNeighborsClassifier(3),
    "path": LogisticRegression(l2=0.1),
    "refit": DecisionTreeClassifier(max_depth=2, random_state=0),
}


def copied(times: int = 4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sixty rows, each so many times, and which they are copies of."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + y[:, None]
    return np.repeat(X, times, axis=0), np.repeat(y, times), np.repeat(np.arange(60), times)
