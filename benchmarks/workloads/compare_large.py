"""The nested choice of three candidates of a comparison on a long table, beside one evaluation and one nested choice.

A comparison keeps one study per encoding: what one candidate collects serves the others, so that together they take
hardly more than an evaluation of the three and one choice among four settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay import GaussianClassifier, GaussianNB, catalog, evaluate, nested
from assay.models.table.build import build
from assay.selection.nested import nest_in
from assay.sharing.settings import Settings as Candidates
from assay.workbench.experiment.setup import ExperimentSetup
from assay.workbench.problem import read_problem
from benchmarks import ours
from benchmarks.data import make_classes
from benchmarks.harness import Part, Settings, contest
from benchmarks.rows import Row, row_of
from benchmarks.workloads.kfold import size

ROWS, FEATURES, CLASSES, FOLDS = 2_000_000, 20, 3, 10
CANDIDATES = ("baseline", "gaussian_nb", "gaussian_shared")
SHRINKAGES = [0.0, 0.1, 0.3, 1.0]
TARGET = 2.0


def rows(settings: Settings) -> Iterator[Row]:
    X, y = make_classes(settings.rows(ROWS), FEATURES, CLASSES)
    problem, plan = read_problem((X, y)), ours.KFold(FOLDS)
    entries = [catalog.entry(name) for name in CANDIDATES]
    baseline = build(entries[0], {}, 0).estimator

    def choices() -> list[Any]:
        bench = ExperimentSetup(problem, plan, None, None, 0)
        found = []
        for entry in entries:
            models = [bench.classifier(entry, each).matrix_estimator() for each in entry.settings()]
            found.append(nest_in(bench.study(entry, False), Candidates.called(entry.name, models), plan))
        return found

    def alone() -> Any:
        evaluate([baseline, GaussianNB(), GaussianClassifier("shared")], X, y, plan, progress=False)
        return nested(GaussianClassifier("shared"), X, y, plan=plan, shrinkage=SHRINKAGES, progress=False)

    result = contest(settings, choices, [Part("evaluate and nested", {"": alone})])
    count = sum(len(entry.settings()) for entry in entries)
    yield row_of(
        result,
        f"nested choice in a comparison, {', '.join(CANDIDATES)}, {count} settings, {FOLDS}-fold, {size(X)}",
        f"evaluate of the three and nested over {len(SHRINKAGES)} shrinkages",
        TARGET,
        sense="at most",
        notes=[f"nested errors {', '.join(f'{each.evaluation.error:.4f}' for each in result.value)}"],
    )  # fmt: skip
