"""Training, validation and test: fitted to the first part, chosen on the second, tested once on the third."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.validation import Encoded, encode
from assay.plans import GivenPartitions, Partition, TrainValidationTest, draw_partitions
from assay.selection.criteria import choose
from assay.selection.evaluate import evaluate
from assay.selection.evaluation import Evaluation

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
    models: Sequence[Any],
    X: Any,
    y: Any,
    plan: TrainValidationTest,
    rule: str,
    groups: Any,
    copies: bool = False,
    **options: Any,
) -> ChosenInParts:
    """Choose among models on the validation part by the rule; the test part is looked at once, by the chosen one.

    Parameters
    ----------
    copies : bool
        Whether the groups are copies of rows, as in `nest`.
    **options
        As `evaluate` takes them.
    """
    labels = Encoded(*encode(y))
    codes = labels.codes
    choosing = draw_partitions(plan.choosing(codes, None if copies else groups), codes, groups, copies)
    testing = draw_partitions(plan, codes, groups, copies)
    found = list(evaluate(numbered(models), X, labels, GivenPartitions(choosing), **options).values())
    losses, errors = np.array([each.loss_and_error for each in found]).T
    chosen = choose(losses, errors, rule)
    test = evaluate(models[chosen], X, labels, GivenPartitions(testing), groups=groups, **options)
    notes = (*test.notes, *_rough(choosing[0], testing[0]))
    return ChosenInParts(found, losses, errors, chosen, replace(test, plan=plan, notes=notes))


def numbered(models: Sequence[Any]) -> dict[str, Any]:
    """Models by their number, as `evaluate` takes many."""
    return {str(s): model for s, model in enumerate(models)}


def _rough(choosing: Partition, testing: Partition) -> list[str]:
    """How much a single row counts, where parts are small."""
    parts = (choosing.train_rows(0), choosing.test_rows(0), testing.test_rows(0))
    train, validation, test = (len(rows) for rows in parts)
    if min(validation, test) >= FEW:
        return []
    return [
        f"{train} rows were trained on, {validation} chose the setting and {test} tested it: one row more or less "
        f"moves the test error by {100 / test:.2g} points; folds (KFold) would test every row."
    ]
