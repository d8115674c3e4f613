"""Kernel machines: every fold and every price from one Gram matrix, or from one a fold."""

from __future__ import annotations

from typing import Any

from assay.models.sharing import Labels, Tested, machine_scores, shares_gram
from assay.numerics.blas import single_threaded
from assay.plans import Partition
from assay.selection.strategies.statistics import join

__all__ = ["gram_scores", "shares_gram"]


def gram_scores(
    models: list[Any], X: Any, labels: Labels, plans: list[list[Partition]], n_jobs: int | None
) -> list[list[Tested]]:
    """Tested scores of every model (outer list) under every plan."""
    with single_threaded():
        found = machine_scores(models, X, labels, plans, n_jobs)
    return [[join(*each) for each in zip(parts, plans, strict=True)] for parts in found]
