"""One covariance for all classes, 10-fold, against both solvers of linear discriminant analysis."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import Settings
from benchmarks.rivals import sklearn
from benchmarks.rows import Row
from benchmarks.workloads.kfold import against


def rows(settings: Settings) -> Iterator[Row]:
    title = "shared covariance"
    default = sklearn.TWINS["shared"]()
    yield from against(settings, title, "shared", default, "LinearDiscriminantAnalysis, default (svd)", 60.0)
    yield from against(settings, title, "shared", sklearn.lsqr(), "LinearDiscriminantAnalysis, lsqr", 20.0)
