"""Columns of unequal scales, which distances do not treat alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

UNEQUAL = 10.0  # deviations of columns that differ by more than this are told


def unequal_scales(X: NDArray[np.floating], names: Any) -> list[str]:
    """A sentence if some columns vary so much more than others that distances are theirs alone."""
    with np.errstate(over="ignore", invalid="ignore"):  # of values whose squares have no float64
        deviation = np.nan_to_num(X.std(axis=0, dtype=np.float64), nan=np.inf)
    varying = np.flatnonzero(deviation > 0)
    if len(varying) < 2:
        return []
    most, least = varying[deviation[varying].argmax()], varying[deviation[varying].argmin()]
    ratio = float(deviation[most] / deviation[least]) if np.isfinite(deviation[least]) else 1.0
    if ratio <= UNEQUAL:
        return []
    wide, narrow = (str(j if names is None else names[j]) for j in (most, least))
    return [
        f"Column {wide} varies {ratio:.3g} times as much as column {narrow}, and distances are mostly those of wider "
        "columns; put Standardize() before the model to let all count."
    ]
