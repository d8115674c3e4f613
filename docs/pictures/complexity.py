"""Polynomials of growing degree before logistic regression: both errors, and what each degree is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline

from assay import BasisExpansion, KFold, LogisticRegression, Standardize, complexity_curve
from assay.charts.complexity import complexity_chart

Array = NDArray[np.float64]
DEGREES = range(1, 11)
ROWS = 150


def sample() -> tuple[Array, NDArray[np.intp]]:
    """A wave between two classes, with noise."""
    rng = np.random.default_rng(4)
    X = rng.uniform(-2, 2, size=(ROWS, 2))
    above = X[:, 1] + 0.4 * rng.normal(size=ROWS) > np.sin(2.5 * X[:, 0])
    return X, above.astype(np.intp)


def chart() -> Any:
    """Training and validation error against the degree."""
    X, y = sample()
    model = make_pipeline(Standardize(), BasisExpansion(), LogisticRegression(l2=1e-6))
    curve = complexity_curve(model, X, y, KFold(10), basisexpansion__degree=DEGREES, progress=False)
    return complexity_chart(curve, "degree of the polynomial").properties(width=640, height=280)
