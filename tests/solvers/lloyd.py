"""Lloyd's steps written out in NumPy, for comparison: every distance of every step, sums anew each time."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def squares(X: Array, centers: Array) -> Array:
    return ((X[:, None, :].astype(float) - centers[None]) ** 2).sum(axis=2)


def plain_lloyd(
    X: Array, start: Array, weights: Array | None = None, max_iter: int = 300
) -> tuple[Array, Array, Array, bool]:
    """Centres, labels, history and whether the last step moved no row."""
    w = np.ones(len(X)) if weights is None else weights
    rows, centers = X.astype(float), np.array(start, dtype=float)
    labels = squares(rows, centers).argmin(axis=1)
    history = [_error(rows, centers, labels, w)]
    for _ in range(max_iter):
        labels = _move(rows, centers, labels, w)
        again = squares(rows, centers).argmin(axis=1)
        history.append(_error(rows, centers, again, w))
        if np.array_equal(again, labels):
            return centers, again, np.array(history), True
        labels = again
    return centers, labels, np.array(history), False


def _move(rows: Array, centers: Array, labels: Array, w: Array) -> Array:
    """Centres to their means, in place; empty groups take the farthest rows. Labels as they are then."""
    labels = labels.copy()
    for k in range(len(centers)):
        _to_mean(rows, centers, labels, w, k)
    for k in range(len(centers)):
        if w[labels == k].sum() == 0.0:
            apart = np.where(w > 0.0, ((rows - centers[labels]) ** 2).sum(axis=1), 0.0)
            if apart.max() <= 1e-28 * np.abs(rows).max() ** 2:
                break
            row = int(apart.argmax())
            left, labels[row] = labels[row], k
            _to_mean(rows, centers, labels, w, k)
            _to_mean(rows, centers, labels, w, left)
    return labels


def _to_mean(rows: Array, centers: Array, labels: Array, w: Array, k: int) -> None:
    own = labels == k
    if w[own].sum() > 0.0:
        centers[k] = (rows[own] * w[own, None]).sum(axis=0) / w[own].sum()


def _error(rows: Array, centers: Array, labels: Array, w: Array) -> float:
    return float((w * ((rows - centers[labels]) ** 2).sum(axis=1)).sum() / w.sum())
