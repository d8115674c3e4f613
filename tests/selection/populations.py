"""Samples of two populations that differ in the shares of classes alone."""

from __future__ import annotations

from typing import Any

import numpy as np

PRIORS = [0.95, 0.05]


def draw(shares: Any, rows: int, seed: int) -> tuple[Any, Any]:
    """Two overlapping normal classes in exactly these shares."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], np.round(np.multiply(shares, rows)).astype(int))
    return rng.normal(size=(len(y), 2)) + y[:, None] * [1.5, 0.5], y
