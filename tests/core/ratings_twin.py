"""Similarities and predictions of ratings once more, in plain NumPy: matrices with NaN where there is no rating."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def similarity(a: Array, b: Array, kind: str, overlap: int, shrinkage: float) -> float:
    """Of two rows of ratings; 0 where there is no evidence."""
    both = ~np.isnan(a) & ~np.isnan(b)
    n, x, y = int(both.sum()), a[both], b[both]
    if n < max(overlap, 1):
        return 0.0
    weight = n / (n + shrinkage)
    if kind == "euclidean":
        return float(weight / (1 + np.sqrt(((x - y) ** 2).sum())))
    if n < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1, 1))
    return max(0.0, 1 + weight * (-1.0 if r < -1 + 1e-12 else r))


def predictions(
    R: Array, row: Array, itself: int, item: int, kind: str, k: int | None, overlap: int, shrinkage: float
) -> tuple[float, float, float, int]:
    """Weighted mean, weighted mean of z-scores, the nearest critic's rating, number of critics."""
    heard = []
    for v, critic in enumerate(R):
        if v == itself or np.isnan(critic[item]):
            continue
        close = similarity(row, critic, kind, overlap, shrinkage)
        if close > 1e-12:
            heard.append((-round(close, 10), v, close))
    heard = sorted(heard)[: k or len(R)]
    if not heard:
        return np.nan, np.nan, np.nan, 0
    w = np.array([close for _, _, close in heard])
    x = np.array([R[v, item] for _, v, _ in heard])
    z = np.array([_standard(R[v], item) for _, v, _ in heard])
    return float(w @ x / w.sum()), float(w @ z / w.sum()), float(x[0]), len(heard)


def _standard(row: Array, item: int) -> float:
    own = row[~np.isnan(row)]
    if len(own) < 2 or np.ptp(own) == 0:
        return 0.0
    return float((row[item] - own.mean()) / own.std(ddof=1))
