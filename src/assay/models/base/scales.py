"""Columns of unequal scales, which distances and variances do not treat alike: the one place that decides it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

UNEQUAL = 10.0  # deviations of columns that differ by more than this are told


def unequal_scales(X: NDArray[np.floating], names: Any, what: str = "distances") -> list[str]:
    """A sentence if some columns of the rows vary so much more than others that distances, say, are theirs alone."""
    with np.errstate(over="ignore", invalid="ignore"):  # of values whose squares have no float64
        deviation = np.nan_to_num(X.std(axis=0, dtype=np.float64), nan=np.inf)
    rounding = (
        4.0 * np.finfo(np.float64).eps * np.abs(X).max(axis=0, initial=0.0)
    )  # a constant column varies by it
    return unequal_deviations(np.where(deviation > rounding, deviation, 0.0), names, what)


def unequal_deviations(deviation: NDArray[np.float64], names: Any, what: str = "distances") -> list[str]:
    """The same of the standard deviations of the columns; `what` is led by the wider ones."""
    varying = np.flatnonzero(deviation > 0)
    if len(varying) < 2:
        return []
    most, least = varying[deviation[varying].argmax()], varying[deviation[varying].argmin()]
    ratio = float(deviation[most] / deviation[least]) if np.isfinite(deviation[least]) else 1.0
    if ratio <= UNEQUAL:
        return []
    wide, narrow = (str(j if names is None else names[j]) for j in (most, least))
    return [
        f"Column {wide} varies {ratio:.3g} times as much as column {narrow}, and {what} are mostly those of wider "
        "columns; put Standardize() before the model to let all count."
    ]
