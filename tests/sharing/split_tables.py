"""A table of 90 rows, splits of it by every scheme, its weights, and steps before a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import PCA, DropReference, Impute, SelectColumns, Standardize
from assay.sharing.splits import Splits
from tests.sharing.schemes import SCHEMES

ROWS, FEATURES, CLASSES = 90, 4, 3


def table(seed: int = 0, gaps: bool = False) -> tuple[Any, Any]:
    """Three classes, of which one is rare; a column of two levels and one of three, as 0 and 1."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, CLASSES, ROWS)
    X = rng.normal(size=(ROWS, FEATURES)) * [1, 3, 0.5, 2] + y[:, None] * [0.8, 1, 0.3, 0.1] + [5, -100, 0, 3]
    level = np.eye(3)[(y + rng.integers(0, 2, ROWS)) % 3]
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return np.hstack([X, level]), np.array(["a", "b", "c"])[y]


def schemes() -> dict[str, Splits]:
    return {name: scheme(np.arange(ROWS, dtype=np.int32) % CLASSES, None) for name, scheme in SCHEMES.items()}


LEVELS = [(FEATURES, FEATURES + 3)]
BEHIND = {
    "scaler": [Standardize()],
    "range": [Standardize("range")],
    "one-hot": [DropReference(LEVELS), Standardize()],
    "columns": [SelectColumns([0, 2, 1])],
    "PCA": [Standardize(), PCA(3)],
    "imputer": [Impute(indicator=True)],
}


def weights(kind: str) -> Any:
    rng = np.random.default_rng(7)
    if kind == "whole":
        return rng.integers(0, 4, ROWS).astype(float)
    return np.where(rng.random(ROWS) < 0.1, 0.0, rng.random(ROWS) + 0.1) if kind == "importance" else None
