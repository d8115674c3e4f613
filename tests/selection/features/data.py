"""Tables with a few features that tell the class, and many that do not."""

from __future__ import annotations

import numpy as np
import pytest

from assay import KFold

# What a search may be asked for, of 150 rows and at least 6 columns in three classes.
OPTIONS = pytest.mark.parametrize(
    "options",
    [
        {"groups": {"pair": [1, 4], "three": [0, 2, 5]}, "fixed": [3]},
        {"sample_weight": np.arange(150) % 3 + 0.5},
        {"loss": [[0, 1, 4], [1, 0, 1], [2, 1, 0]]},
        {"plan": KFold(3, repeats=2), "start": [2, 5]},
        {"plan": [(np.arange(0, 100), np.arange(100, 150)), (np.arange(50, 150), np.arange(0, 30))]},
    ],
    ids=["groups", "weights", "loss", "repeats", "splits"],
)


def planted(
    seed: int, n: int = 400, width: int = 10, told: tuple[int, ...] = (3, 7), classes: int = 2
) -> tuple[np.ndarray, np.ndarray]:
    """Noise in all columns; in those of `told` the classes are apart, in the first of them most."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    X = rng.normal(size=(n, width))
    for place, column in enumerate(told):
        X[:, column] += (2.0 - 0.5 * place) * y if place % 2 == 0 else (2.0 - 0.5 * place) * (y[::-1] == 0)
    return X, y


def correlated(seed: int, n: int = 300, width: int = 9, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Correlated columns whose class means differ a little."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, width)) @ rng.normal(size=(width, width))
    return X + rng.normal(size=(classes, width))[y], y
