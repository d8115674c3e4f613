"""Separated classes in words: which columns separate, and what was done about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.base.sparse import is_sparse
from assay.models.base.validation import TrainingData
from assay.sharing.path.standard import Standard
from assay.solvers.divergence import SEPARATED
from assay.solvers.separability import separation

Array = NDArray[np.float64]
KINDS = {
    "complete": "The classes are separated completely by {columns}",
    "quasi": "The classes are separated in part (quasi-completely) by {columns}",
    "none": "The classes are all but separated",
    "unknown": "The classes look separated",
}
GROW = {"complete": "be infinite", "quasi": "be infinite", "none": "be huge", "unknown": "grow for ever"}
LISTED = 6


def explain_separation(data: TrainingData, standard: Standard, B: Array, names: Sequence[str]) -> str:
    """One sentence for a fit without penalty whose best weights are infinite."""
    kind, columns = _certificate(data, standard, B)
    which = [names[j] for j in columns]
    listed = ", ".join(which[:LISTED]) + (f" and {len(which) - LISTED} more" if len(which) > LISTED else "")
    told = f"column{'s' if len(which) != 1 else ''} {listed}" if which else "the columns together"
    return (
        f"{KINDS[kind].format(columns=told)}: without a penalty the weights would {GROW[kind]}, so a penalty of "
        f"{SEPARATED:g} on the weights of the standardised columns was used; set l2 to choose your own."
    )


def _certificate(data: TrainingData, standard: Standard, B: Array) -> tuple[str, tuple[int, ...]]:
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
    found = separation(Z, codes, len(present), guess=guess)
    return found.kind, tuple(int(used[j]) for j in found.columns)
