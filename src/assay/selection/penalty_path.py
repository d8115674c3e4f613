"""Penalties to tune over, in units of the columns that the model sees."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.models.base.estimators import clone
from assay.models.base.sparse import compressed_rows, is_sparse
from assay.models.features.scale import Standardize
from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.types import MatrixLike, RowTransformer


@dataclass(frozen=True)
class PenaltyPath:
    """Penalties from strong to weak, in units of the columns' mean variance (l1: of its root); made by `path`."""

    n: int
    most: float
    least: float

    def values(self, X: MatrixLike | None, scaled: bool, name: str = "l2") -> tuple[float, ...]:
        """Penalties for these rows; behind a step that scales columns the unit is 1."""
        unit = 1.0 if scaled else _mean_variance(X)
        unit = float(np.sqrt(unit)) if name.endswith("l1") else unit
        return tuple(float(value) for value in np.geomspace(self.most, self.least, self.n) * unit)

    def before(
        self, steps: list[RowTransformer], X: MatrixLike, y: ArrayLike, name: str = "l2"
    ) -> tuple[float, ...]:
        """Penalties for the rows as these steps hand them on; their unit is all that is learned from all rows."""
        if any(isinstance(step, Standardize) for step in steps):
            return self.values(None, True, name)
        for step in steps:
            X = clone(step).fit(X, y).transform(X)
        return self.values(X, False, name)


def path(n: int = 20, *, most: float = 10.0, least: float = 1e-5) -> PenaltyPath:
    """A range of `n` penalties for `tune`, evenly spaced in their logarithm.

    >>> path(3, most=1.0, least=0.01).values(None, scaled=True)
    (1.0, 0.1, 0.01)
    """
    if not is_whole(n, 1):
        raise ValueError(Note("S121", n=n))
    if not (np.isfinite(most) and np.isfinite(least) and 0.0 < least <= most):
        raise ValueError(Note("S122", most=most, least=least))
    return PenaltyPath(int(n), float(most), float(least))


def _mean_variance(X: Any) -> float:
    """Mean variance of the columns that vary, NaN left out; 1 of what holds no numbers, which models then refuse."""
    if is_sparse(X):
        X = compressed_rows(X)
        variance = np.asarray(X.multiply(X).mean(axis=0)).ravel() - np.asarray(X.mean(axis=0)).ravel() ** 2
    else:
        try:
            rows = np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError):
            return 1.0
        with warnings.catch_warnings():  # of columns without any value
            warnings.simplefilter("ignore", RuntimeWarning)
            variance = np.nanvar(rows, axis=0)
    return float(variance[variance > 0].mean()) if (variance > 0).any() else 1.0
