"""Gaussian naive Bayes, 10-fold: finite check, stored posterior and intervals included in our time."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import Settings
from benchmarks.rivals import sklearn
from benchmarks.rows import Row
from benchmarks.workloads.kfold import against


def rows(settings: Settings) -> Iterator[Row]:
    yield from against(
        settings, "GaussianNB", "naive", sklearn.TWINS["naive"](), "cross_val_score GaussianNB", 60.0
    )
