"""Scores of normal densities in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import _core
from tests.core import twins


def parameters(
    kind: str, models: int, classes: int, width: int, inner: int, seed: int = 0
) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    mean, bias = rng.normal(size=(models, classes, width)), rng.normal(size=(models, classes))
    if kind == "linear":
        return rng.normal(size=(models, width)), mean, bias
    if kind in ("diagonal", "marginal"):
        precision = rng.gamma(2.0, size=(models, classes, width))
        precision[rng.random(precision.shape) < 0.1] = 0.0  # a feature the model does not use
        return mean, precision, bias
    if kind == "quadratic":
        return mean, rng.normal(size=(models, classes, width, inner)), bias
    return mean, np.triu(rng.normal(size=(models, classes, width, width))), bias


def run(kind, X, values, rows=None, models=None, fill=None, flags=None, threads=2) -> np.ndarray:
    count = len(X) if rows is None else len(rows)
    out = np.full((count, values[-1].shape[1]), 7e77)
    start = (X, rows, models, fill, flags, *values)
    if kind == "linear":
        _core.scores.linear_scores(*start, threads, out)
    elif kind in ("diagonal", "marginal"):
        _core.scores.diagonal_scores(*start, kind == "marginal", threads, out)
    else:
        _core.scores.quadratic_scores(*start, kind == "triangular", threads, out)
    return out


def twin(kind, X, values, rows=None, models=None) -> np.ndarray:
    picked = X if rows is None else X[rows]
    models = np.zeros(len(picked), dtype=int) if models is None else models
    name = {"marginal": "diagonal", "triangular": "quadratic"}.get(kind, kind)
    return getattr(twins, f"{name}_scores")(picked, models, *values)


def assert_close(found: np.ndarray, expected: np.ndarray) -> None:
    scale = np.abs(expected).max() if expected.size else 1.0
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13 * scale)
