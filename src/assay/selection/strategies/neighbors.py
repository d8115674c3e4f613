"""Models of neighbours: every number of neighbours and both rules of voting from one search in each split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.models.sharing import Labels, Tested, shares_neighbors
from assay.models.sharing.neighbors import Data, Split, neighbor_scores
from assay.numerics.blas import one_openmp_thread, single_threaded
from assay.sharing.refit import take_rows
from assay.sharing.warned import listening

__all__ = ["near_scores", "shares_neighbors"]


def near_scores(
    models: list[Any], X: Any, labels: Labels, splits: Sequence[Split] | None, n_jobs: int | None
) -> list[Tested]:
    """Tested scores of every model, split by split; splits None: leave-one-out."""
    with single_threaded(), one_openmp_thread(), listening() as warned:
        found = neighbor_scores(models, Data(X, labels, take_rows), splits, n_jobs)
    return [replace(each, notes=(*each.notes, *warned.notes("KNeighborsClassifier"))) for each in found]
