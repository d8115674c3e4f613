"""Tables with a few features that tell the class, and many that do not."""

from __future__ import annotations

import numpy as np


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
