"""What linear models solved by passes over the rows share: standardised columns, and scores in the user's units."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.models.forms import Linear
from assay.models.validation import TrainingData, check_moments
from assay.solvers.fold_newton import ABSENT
from assay.solvers.passes import DenseRows
from assay.statistics import Moments, collect

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Standard:
    """Columns z = (x - center) / scale of mean 0 and deviation 1.

    A penalty on |w|² of the weights by x is one on |u / scale|² of the weights u by z.
    """

    rows: DenseRows
    center: Array
    scale: Array  # 1 for constant columns, which are left out

    active: NDArray[np.bool_]

    @property
    def penalty(self) -> Array:
        return np.asarray(1.0 / self.scale**2)


def standardised(data: TrainingData) -> Standard:
    """Centre and scale of the rows that count, from one pass that also finds values no model can use."""
    m = collect(data.X, np.zeros(len(data.codes), dtype=np.int32), 1, form="diagonal", weight=data.weight)
    check_moments(m, data.X, data.names)
    return standard_of(m, data.X)


def standard_of(m: Moments, X: NDArray[np.floating]) -> Standard:
    """The same from moments of all rows as one class."""
    center = m.mean[0]
    deviation = np.sqrt(m.scatter[0] / m.weight[0])
    # Rounding leaves a constant column with a deviation of a few last places.
    active = deviation > 1e-14 * np.abs(center)
    scale = np.where(active, deviation, 1.0)
    return Standard(DenseRows(X, center, np.where(active, 1.0 / scale, 0.0)), center, scale, active)


def linear_form(B: Array, standard: Standard) -> Linear:
    """Scores of G models B (G, C, P+1), given by z, as functions of x; two classes have scores ∓f/2."""
    if B.shape[1] == 1:
        B = np.concatenate([-0.5 * B, 0.5 * B], axis=1)
    weights = B[..., :-1] * np.where(standard.active, 1.0 / standard.scale, 0.0)
    bias = np.where(B[..., -1] <= ABSENT / 2, -np.inf, B[..., -1])
    return Linear(np.repeat(standard.center[None], len(B), axis=0), weights, bias)
