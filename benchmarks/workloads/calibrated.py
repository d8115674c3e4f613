"""What calibration costs in a comparison: a calibrated candidate beside the candidate of margins that is inside it.

Each is assessed by a bench of its own, so that nothing of one serves the other: settings chosen inside every fold, a
learning curve, a fit to all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from benchmarks import ours
from benchmarks.candidates import ExperimentSetup, catalog, evaluate_candidate, read_problem
from benchmarks.data import make_classes
from benchmarks.harness import Part, Settings, contest
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size

ROWS, FEATURES, CLASSES, FOLDS = 2_000, 10, 3, 10
PAIRS = {"calibrated_svm": "linear_svm", "calibrated_kernel_svm": "kernel_svm"}
TARGET = 1.3


def rows(settings: Settings) -> Iterator[Row]:
    X, y = make_classes(max(settings.rows(ROWS), 200), FEATURES, CLASSES)

    def assessed(name: str) -> Callable[[], Any]:
        problem, plan = read_problem((X, y)), ours.KFold(FOLDS)
        return lambda: evaluate_candidate(
            catalog.entry(name), ExperimentSetup(problem, plan, None, None, 0), progress=False
        )

    for name, inside in PAIRS.items():
        result = contest(settings, assessed(name), [Part(inside, {"": assessed(inside)})])
        error = f"nested error {result.value.evaluation.error:.4f}"
        yield row_of(
            result, f"{name}, tuned, nested, {FOLDS}-fold, {size(X)}", inside, TARGET, sense="at most", notes=[error]
        )  # fmt: skip
