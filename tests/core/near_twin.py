"""Nearest rows by looking at all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import _core

Array = np.ndarray[Any, Any]


def brute(X: Array, Q: Array, k: int, allowed: Array | None = None) -> tuple[Array, Array]:
    """All pairs in double precision, ordered by (distance, row)."""
    squares = ((Q[:, None, :].astype(float) - X[None].astype(float)) ** 2).sum(axis=2)
    if allowed is not None:
        squares = np.where(allowed, squares, np.inf)
    order = np.lexsort((np.broadcast_to(np.arange(len(X)), squares.shape), squares))[:, :k]
    return order, np.sqrt(np.take_along_axis(squares, order, 1))


def search(
    X: Array, Q: Array, k: int, *, products: bool, threads: int = 2, itself: Any = None
) -> tuple[Array, Array]:
    near, distances = np.empty((len(Q), k), np.int32), np.empty((len(Q), k))
    _core.neighbors.nearest(X, Q, None, None, 1, 0, itself, 0, 0, products, threads, near, distances)
    return near, distances


def points(kind: str, rows: int, width: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, width))
    if kind == "whole":  # sums are exact, ties abound
        X = rng.integers(-2, 3, (rows, width)).astype(float)
    if kind == "equal":
        X[:] = X[0]
    if kind == "outlier":
        X[rows // 2] = 1e15
    if kind == "clusters":  # nearer to each other than single precision can tell
        X = 1e-6 * X + 1e3 * rng.integers(0, 3, (rows, 1))
    return X * {"huge": 1e140, "tiny": 1e-140, "large": 1e15, "small": 1e-18}.get(kind, 1.0)
