"""Training, validation and test: fitted to the first part, chosen on the second, tested once on the third."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assay.decision import LossMatrix
from assay.decision.metrics import Metric
from assay.notes import Note
from assay.plans import Plan
from assay.selection.criteria import choose
from assay.selection.evaluate import evaluations
from assay.selection.evaluation import Evaluation
from assay.sharing.dispatch import solve
from assay.sharing.settings import Settings
from assay.sharing.splits import ROOT, Splits
from assay.sharing.study import Study
from assay.types import Array, Mask

FEW = 1000  # rows of a part below which a note tells how rough an estimate is


@dataclass(frozen=True, eq=False)
class ValidationChoice:
    """Every setting on the validation part, the choice, and its evaluation on the test part."""

    validation: list[Evaluation]
    losses: Array
    standard_errors: Array
    chosen: int
    test: Evaluation


def choose_on_validation(
    study: Study,
    settings: Settings,
    plan: Plan,
    loss: LossMatrix | None,
    priors: Array | None,
    rule: str,
    metric: Metric | None = None,
) -> ValidationChoice:
    """Choose among settings on the validation part by the rule; the test part is used once, by the chosen one.

    study : of three parts, whose splits have the validation part inside
    """
    deep = study.deeper()
    solved, outer, every = solve(settings, deep), deep.splits.parent == ROOT, np.arange(len(settings))

    def evaluated(which: Mask, tests: Mask, inside: bool) -> list[Evaluation]:
        only = np.outer(which, tests)
        results = evaluations(settings, deep, plan, loss, priors, solved=solved, only=only, inside=inside)
        return [replace(result, metric=metric) for result in results]

    validation = evaluated(every >= 0, ~outer, inside=True)
    losses, errors = np.array([evaluation.loss_and_error for evaluation in validation]).T
    chosen = choose(losses, errors, rule)
    (test,) = evaluated(every == chosen, outer, inside=False)
    test = replace(test, training=None, notes=(*test.notes, *_precision(deep.splits)))
    return ValidationChoice(validation, losses, errors, chosen, test)


def _precision(splits: Splits) -> list[Note]:
    """How much a single row counts, where sets are small."""
    (outer,), (inside,) = (np.flatnonzero((splits.parent == ROOT) == whole) for whole in (True, False))
    train = len(splits.train_rows(int(splits.model[inside])))
    validation, test = len(splits.test_rows(int(inside))), len(splits.test_rows(int(outer)))
    if min(validation, test) >= FEW:
        return []
    return [Note("P703", train=train, validation=validation, test=test, step=1 / test)]
