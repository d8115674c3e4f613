"""Errors of outputs against targets, and their slopes by the outputs.

    log loss        -Σ_n s_n ln y_n(true class)              squared error    ½ Σ_n s_n |y_n - t_n|²

Weights s sum to 1. Outputs are (N,), of the second of two classes, or (N, K); targets have the same shape: 1 for the
true class and 0 for others, or for (N,) scores 1 and -1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.types import Array

Measured = tuple[float, Array | None]  # the error, and its slope by each output where it is known
LEAST = 1e-300  # a probability of 0 is charged as this one


def log_loss(output: Array, target: Array, weight: Array) -> Measured:
    """Of probabilities."""
    if output.ndim == 1:
        true, sign = np.where(target > 0.5, output, 1.0 - output), np.where(target > 0.5, -1.0, 1.0)
        probability = np.maximum(true, LEAST)
        return float(-(weight * np.log(probability)).sum()), weight * sign / probability
    probability = np.maximum(output, LEAST)
    return float(-(weight[:, None] * target * np.log(probability)).sum()), -weight[
        :, None
    ] * target / probability


def squared_error(output: Array, target: Array, weight: Array) -> Measured:
    """Of probabilities or scores."""
    row_weight = weight if output.ndim == 1 else weight[:, None]
    away = output - target
    return float(0.5 * (row_weight * away**2).sum()), row_weight * away


def own(error: Callable[..., Any]) -> Callable[[Array, Array, Array], Measured]:
    """A user's error, which returns a number, or a number and the slope."""

    def measured(output: Array, target: Array, weight: Array) -> Measured:
        result = error(output, target, weight)
        value, slope = result if isinstance(result, tuple) else (result, None)
        if np.ndim(value) != 0:
            raise ValueError(Note("M167", shape=np.shape(value)))
        if slope is not None and np.shape(slope) != output.shape:
            raise ValueError(Note("M168", shape=np.shape(slope), wanted=output.shape))
        return float(value), None if slope is None else np.asarray(slope, dtype=np.float64)

    return measured


def targets(codes: NDArray[np.integer], n_classes: int, *, flat: bool, signed: bool) -> Array:
    """Indicators (N, K); for flat outputs (N,) that of the second class, or its sign."""
    if not flat:
        return np.asarray(np.eye(n_classes)[codes])
    return np.where(codes == 1, 1.0, -1.0 if signed else 0.0)
