"""The note about separated classes: which columns separate, and what was done about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.models.base.sparse import is_sparse
from assay.models.base.validation import TrainingData
from assay.notes import Note
from assay.sharing.path.standard import ColumnScaling
from assay.solvers.divergence import SEPARATED
from assay.solvers.separability import separation
from assay.statistics.solve_diagnostics import ColumnKey
from assay.types import Array

CODES = {"complete": "M350", "quasi": "M351", "none": "M352", "unknown": "M353"}


def explain_separation(
    data: TrainingData, standard: ColumnScaling, B: Array, columns: Sequence[ColumnKey]
) -> Note:
    """Why a fit without penalty has infinite best weights."""
    kind, separating = _certificate(data, standard, B)
    named: dict[str, Any] = (
        {"columns": tuple(columns[j] for j in separating)} if kind in ("complete", "quasi") else {}
    )
    return Note(CODES[kind], penalty=SEPARATED, **named)


def _certificate(data: TrainingData, standard: ColumnScaling, B: Array) -> tuple[str, tuple[int, ...]]:
    counted = slice(None) if data.weight is None else data.weight > 0
    X: Any = data.X[counted]
    dense = X.toarray() if is_sparse(X) else np.asarray(X, dtype=np.float64)
    Z = ((dense - standard.center) * standard.unit)[:, standard.active]
    used = np.flatnonzero(standard.active)
    present, codes = np.unique(data.codes[counted], return_inverse=True)
    guess = (
        np.append(B[:, :-1][:, standard.active], B[:, -1:], axis=1)
        if len(present) == data.n_classes
        else None
    )
    certificate = separation(Z, codes, len(present), guess=guess)
    return certificate.kind, tuple(int(used[j]) for j in certificate.columns)
