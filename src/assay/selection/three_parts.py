"""Training, validation and test: fitted to the first part, chosen on the second, tested once on the third."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.decision import LossMatrix
from assay.plans import Plan
from assay.selection.criteria import choose
from assay.selection.evaluation import Evaluation
from assay.selection.studies import evaluation_of
from assay.sharing.dispatch import solve
from assay.sharing.reductions import AllScores
from assay.sharing.settings import Settings
from assay.sharing.splits import ROOT, Splits
from assay.sharing.study import Study
from assay.types import Floats, Mask

Array = NDArray[np.float64]
FEW = 1000  # rows of a part below which a figure is told to be rough


@dataclass(frozen=True, eq=False)
class ChosenInParts:
    """Every setting on the validation part, the choice, and what it is worth on the test part."""

    validation: list[Evaluation]
    losses: Array
    standard_errors: Array
    chosen: int
    test: Evaluation


def choose_in_parts(
    study: Study,
    settings: Settings,
    plan: Plan,
    loss: LossMatrix | None,
    priors: Floats | None,
    rule: str,
) -> ChosenInParts:
    """Choose among settings on the validation part by the rule; the test part is looked at once, by the chosen one.

    study : of three parts, whose splits have the validation part inside
    """
    deep = study.deeper()
    splits, size = deep.splits, len(settings)
    solved = solve(settings, deep)

    def evaluated(some: list[int], tests: Mask, inside: bool) -> list[Evaluation]:
        only = np.zeros((size, splits.n_tests), dtype=bool)
        only[some] = tests
        scored = solved.reduce(AllScores(splits, size, deep.dataset.n_rows), only)
        told = [(settings.names[s], solved.ways[s], solved.seconds[s], solved.difficulties(s)) for s in some]
        return [
            evaluation_of(scored[s], deep, plan, *each, loss, priors, inside)
            for s, each in zip(some, told, strict=True)
        ]

    validation = evaluated(list(range(size)), splits.parent != ROOT, inside=True)
    losses, errors = np.array([each.loss_and_error for each in validation]).T
    chosen = choose(losses, errors, rule)
    (test,) = evaluated([chosen], splits.parent == ROOT, inside=False)
    test = replace(test, training=None, notes=(*test.notes, *_rough(splits)))
    return ChosenInParts(validation, losses, errors, chosen, test)


def _rough(splits: Splits) -> list[str]:
    """How much a single row counts, where parts are small."""
    (outer,), (inside,) = (np.flatnonzero((splits.parent == ROOT) == whole) for whole in (True, False))
    train = len(splits.train_rows(int(splits.model[inside])))
    validation, test = len(splits.test_rows(int(inside))), len(splits.test_rows(int(outer)))
    if min(validation, test) >= FEW:
        return []
    return [
        f"{train} rows were trained on, {validation} chose the setting and {test} tested it: one row more or less "
        f"moves the test error by {100 / test:.2g} points; folds (KFold) would test every row."
    ]
