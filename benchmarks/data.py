"""The synthetic data that ours and the rivals are both given: one array, the same object for everyone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.int64]

_BLOCK = 8192


def make_classes(n_rows: int, n_features: int, n_classes: int) -> tuple[Array, Labels]:
    """Overlapping Gaussian classes of unequal size, each with its own correlated covariance.

    X is filled block by block, so that building it never needs much more memory than X itself: the memory
    workload measures on top of it.
    """
    rng = np.random.default_rng(20)
    shares = np.linspace(1.0, 1.6, n_classes)
    y = rng.choice(n_classes, size=n_rows, p=shares / shares.sum()).astype(np.int64)
    means, maps = _class_shapes(rng, n_features, n_classes)
    X = np.empty((n_rows, n_features))
    for start in range(0, n_rows, _BLOCK):
        block = X[start : start + _BLOCK]
        rng.standard_normal(out=block)
        _shape_block(block, y[start : start + _BLOCK], means, maps)
    return X, y


# The 10-fold and single-fit workloads follow each other and share one large X.
gaussian_classes = lru_cache(maxsize=1)(make_classes)


def _class_shapes(rng: np.random.Generator, n_features: int, n_classes: int) -> tuple[Array, Array]:
    """Class means near each other and mixing matrices that differ a little from class to class."""
    means = rng.normal(scale=1.5 / np.sqrt(n_features), size=(n_classes, n_features))
    common = np.eye(n_features) + 0.3 * rng.standard_normal((n_features, n_features)) / np.sqrt(n_features)
    own = 0.05 * rng.standard_normal((n_classes, n_features, n_features)) / np.sqrt(n_features)
    return means, common + own


def _shape_block(block: Array, codes: Labels, means: Array, maps: Array) -> None:
    for k in range(len(means)):
        chosen: Any = codes == k
        block[chosen] = block[chosen] @ maps[k] + means[k]


def clustered_classes(n_rows: int, n_features: int) -> tuple[Array, Labels]:
    """Two classes of four clusters each in half of the columns, noise in the others; 5 % of the labels are wrong."""
    rng = np.random.default_rng(21)
    informative = max(1, n_features // 2)
    centers = rng.choice([-1.0, 1.0], size=(8, informative))
    cluster = rng.integers(0, 8, n_rows)
    X = rng.standard_normal((n_rows, n_features))
    mixing = rng.uniform(-1.0, 1.0, size=(8, informative, informative))
    for k in range(8):
        chosen: Any = cluster == k
        X[chosen, :informative] = X[chosen, :informative] @ mixing[k] + 1.5 * centers[k]
    flipped = rng.random(n_rows) < 0.05
    X -= X.mean(axis=0)
    return X / X.std(axis=0), ((cluster % 2 == 1) != flipped).astype(np.int64)
