"""Every kernel of moments.hpp and scores.hpp once more, in plain NumPy: what the compiled ones must equal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

Array = np.ndarray


def filled(X: Array, fill: Array | None, indicators: Array | None) -> Array:
    """Rows as the kernels read them: float64, NaN replaced, flags of the named columns behind."""
    X = np.asarray(X, dtype=np.float64)
    if fill is None or indicators is None:
        return X
    return np.hstack([np.where(np.isnan(X), fill, X), np.isnan(X[:, indicators])])


def diagonal_moments(X: Array, cell: Array, weight: Array | None, center: Array) -> dict[str, Array]:
    """Weight, sum, sum of squares and weight of the present values of every cell, NaN left out."""
    X = np.asarray(X, dtype=np.float64)
    w = np.ones(len(X)) if weight is None else weight
    total, out = (
        np.zeros(len(center)),
        {name: np.zeros(center.shape) for name in ("sum", "square", "present")},
    )
    for c in range(len(center)):
        mine = cell == c
        there = ~np.isnan(X[mine])
        away = np.where(there, X[mine] - center[c], 0.0)
        total[c] = w[mine].sum()
        out["sum"][c] = w[mine] @ away
        out["square"][c] = w[mine] @ away**2
        out["present"][c] = w[mine] @ there
    return {"total": total, **out}


def full_moments(
    X: Array, cell: Array, weight: Array | None, center: Array, pool: int
) -> tuple[Array, Array, Array]:
    """Weight and sum of every cell, products of every `pool` consecutive cells."""
    w = np.ones(len(X)) if weight is None else weight
    cells, width = center.shape
    total, sums, product = np.zeros(cells), np.zeros((cells, width)), np.zeros((cells // pool, width, width))
    for c in range(cells):
        mine = cell == c
        away = X[mine] - center[c]
        total[c] = w[mine].sum()
        sums[c] = w[mine] @ away
        product[c // pool] += (away * w[mine, None]).T @ away
    return total, sums, product


def linear_scores(X: Array, models: Array, center: Array, weights: Array, bias: Array) -> Array:
    return np.stack([bias[m] + weights[m] @ (x - center[m]) for x, m in zip(X, models, strict=True)])


def diagonal_scores(X: Array, models: Array, mean: Array, precision: Array, bias: Array) -> Array:
    """NaN entries leave the product, with their normalising factor; a precision of 0 has none."""
    with np.errstate(divide="ignore"):
        factor = np.where(precision > 0, 0.5 * (np.log(precision) - np.log(2 * np.pi)), 0.0)
    rows = []
    for x, m in zip(X, models, strict=True):
        gone = np.isnan(x)
        square = np.where(gone, 0.0, 0.5 * precision[m] * (x - mean[m]) ** 2)
        rows.append(bias[m] - square.sum(axis=-1) - np.where(gone, factor[m], 0.0).sum(axis=-1))
    return np.stack(rows)


def quadratic_scores(X: Array, models: Array, mean: Array, whitener: Array, bias: Array) -> Array:
    rows = []
    for x, m in zip(X, models, strict=True):
        z = np.einsum("kd,kde->ke", x - mean[m], whitener[m])
        rows.append(bias[m] - 0.5 * (z**2).sum(axis=-1))
    return np.stack(rows)


def normalize_scores(scores: Array) -> tuple[Array, Array]:
    """Log posteriors, and which rows have none (NaN, +inf, or nothing above -inf)."""
    top = scores.max(axis=1)
    usable = np.isfinite(top)
    out = scores.copy()
    with np.errstate(invalid="ignore", over="ignore"):
        shifted = scores[usable] - top[usable, None]
        out[usable] = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return out, usable


# -- the same table in other memory -------------------------------------------------------------------------


def coordinate_descent(
    hessian: Array, gradient: Array, start: Array, l1: Array, sweeps: int, tol: float
) -> tuple[Array, int]:
    """The minimum of a quadratic with absolute values, and the sweeps that found it (-1: too few)."""
    x, everyone = start.copy(), True
    for made in range(1, sweeps + 1):
        largest = 0.0
        for j in range(len(x)):
            if (everyone or x[j] != 0.0) and hessian[j, j] > 0.0:
                slope = gradient[j] + hessian[j] @ (x - start)
                target = hessian[j, j] * x[j] - slope
                to = np.sign(target) * max(abs(target) - l1[j], 0.0) / hessian[j, j]
                largest = max(largest, abs(to - x[j]) * hessian[j, j])
                x[j] = to
        if largest <= tol and everyone:
            return x, made
        everyone = largest <= tol
    return x, -1


def _sliced(X: Array, folder: Path) -> Array:
    wide = np.full((len(X), X.shape[1] + 3), 7e7, dtype=X.dtype)
    wide[:, 2:-1] = X
    return wide[:, 2:-1]


def _strided(X: Array, folder: Path) -> Array:
    tall = np.zeros((2 * len(X), 3 * X.shape[1]), dtype=X.dtype)
    tall[::2, 1::3] = X
    return tall[::2, 1::3]


def _reversed(X: Array, folder: Path) -> Array:
    return np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]


def _memmap(X: Array, folder: Path) -> Array:
    X.tofile(folder / "table")
    return np.memmap(folder / "table", dtype=X.dtype, mode="r", shape=X.shape)


def _fortran_slice(X: Array, folder: Path) -> Array:
    tall = np.zeros((len(X) + 5, X.shape[1]), dtype=X.dtype, order="F")
    tall[2:-3] = X
    return tall[2:-3]


LAYOUTS: dict[str, Callable[[Array, Path], Array]] = {
    "C": lambda X, folder: np.ascontiguousarray(X),
    "F": lambda X, folder: np.asfortranarray(X),
    "columns of a wider table": _sliced,
    "every second row, every third column": _strided,
    "reversed": _reversed,
    "read-only memmap": _memmap,
    "rows of a taller F table": _fortran_slice,
}
