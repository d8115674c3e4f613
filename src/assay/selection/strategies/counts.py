"""Models solved from counts: every fold of every one of them from one count pass."""

from __future__ import annotations

from typing import Any

from assay.models.sharing import Labels, Tested, counted_scores, shares_counts
from assay.numerics.blas import single_threaded
from assay.plans import Partition
from assay.selection.strategies.statistics import join

__all__ = ["Labels", "counts_scores", "shares_counts"]


def counts_scores(
    models: list[Any], X: Any, labels: Labels, partitions: list[Partition], n_jobs: int | None
) -> list[Tested]:
    """Tested scores of every model."""
    for model in models:
        model._check_params()
    with single_threaded():
        found = counted_scores(models, X, labels, partitions, n_jobs)
    return [join(parts, partitions) for parts in found]
