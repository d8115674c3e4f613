"""Rows to be grouped, checked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.models.base.validation import LARGEST, check_rows, explain_rows, feature_names
from assay.notes import Note
from assay.types import Array, Estimator, MatrixLike


def finite_rows(estimator: Estimator, X: MatrixLike, *, reset: bool) -> NDArray[np.floating]:
    """X as finite rows whose squares have room; one sentence names the first value that is not."""
    rows = check_rows(estimator, X, reset=reset)
    if not float(np.abs(rows).max(initial=0.0)) <= LARGEST:
        raise explain_rows(feature_names(estimator), rows) or ValueError(Note("M104"))
    return rows


def check_enough(n_clusters: int, n_rows: int, weight: Array | None = None) -> None:
    """As many rows as groups at least."""
    counted = n_rows if weight is None else int((weight > 0).sum())
    if n_clusters > counted:
        if counted == n_rows:
            raise ValueError(Note("M103", n_clusters=n_clusters, n_rows=n_rows))
        raise ValueError(Note("M703", n_clusters=n_clusters, n_rows=n_rows, counted=counted))
