"""The number of neighbours from 1 to 50, chosen by ten folds and by leave-one-out, against a grid search.

The rival does the ten folds only, two of the fifty settings; leave-one-out would take it 60 000 searches.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import assay
from benchmarks import ours
from benchmarks.harness import Settings, contest
from benchmarks.rivals import neighbors
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import folds, size
from benchmarks.workloads.neighbors import CLASSES, FOLDS, data

SIZES = range(1, 51)
TARGET = 50.0


def rows(settings: Settings) -> Iterator[Row]:
    X, y = data(settings)
    plan = ours.KFold(FOLDS)
    part = neighbors.grid_search(X, y, folds(plan, X, y), SIZES)

    def choose() -> list[Any]:
        model = ours.KNeighborsClassifier()
        plans = (plan, ours.LeaveOneOut())
        return [assay.tune(model, X, y, plan=each, n_neighbors=SIZES, progress=False) for each in plans]

    result = contest(settings, choose, [part])
    found = result.parts[0].value.cv_results_["mean_test_score"]
    errors = np.array([result.value[0].errors[k - 1] for k in (SIZES[0], SIZES[-1])])
    apart = np.abs(1.0 - found - errors).max()
    note = f"10-fold errors of {SIZES[0]} and {SIZES[-1]} neighbours differ by at most {apart:.1e}"
    title = f"choose k in {SIZES[0]}-{SIZES[-1]} by {FOLDS}-fold and by leave-one-out, {size(X)}, {CLASSES} classes"
    yield row_of(result, title, f"{part.name}, {FOLDS}-fold only", TARGET, notes=[note])
