"""A covariance for each class, 10-fold."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import Settings
from benchmarks.rivals import sklearn
from benchmarks.rows import Row
from benchmarks.workloads.kfold import against


def rows(settings: Settings) -> Iterator[Row]:
    yield from against(
        settings, "full covariance", "full", sklearn.TWINS["full"](), "QuadraticDiscriminantAnalysis", 60.0
    )
