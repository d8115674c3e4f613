"""What a loss matrix changes: the same posteriors, decided three ways, counted out of sample."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.decision import Decision, LossMatrix, row_losses, t_interval
from assay.selection.evaluation import Evaluation

Costs = Mapping[str, Mapping[str, float]]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """How one way of deciding did: counts of rows, and the mean loss with its 95 % interval."""

    rule: str
    changed: int
    missed: int
    false_alarms: int
    asked: int
    mean_loss: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Case:
    """One row, with all that its decision rests on."""

    row: int
    truth: str
    posterior: dict[str, float]
    risks: dict[str, float]
    most_probable: str
    decision: str
    rescued: bool  # of the watched class, missed by the most probable class and not by the decision


@dataclass(frozen=True)
class CostExample:
    """Three ways of deciding about the same rows, from the most probable class to all actions."""

    key: ClassVar[str] = "decision"
    model: str
    rows: int
    costs: dict[str, dict[str, float]]
    watched: str
    outcomes: tuple[Outcome, ...]
    saving: float
    saving_interval: tuple[float, float]
    case: Case


def cost_example(evaluation: Evaluation, costs: Costs, watched: str) -> CostExample:
    """Decide every tested row by its most probable class, by least risk, and by least risk with all actions.

    `costs` is ``{true: {action: cost}}``; to miss is to predict another class for a row of class `watched`, a
    false alarm to predict `watched` wrongly, and an action that is no class asks somebody else.
    """
    classes = [str(label) for label in evaluation.classes]
    every = LossMatrix.of({k: dict(row) for k, row in costs.items()}, evaluation.classes)
    only = LossMatrix.of({k: {a: row[a] for a in classes} for k, row in costs.items()}, evaluation.classes)
    probable = _as_actions(evaluation.predicted_codes, every)
    decisions = {
        "most probable class": probable,
        "least expected cost": _as_actions(evaluation.decide(only).codes, every),
        "the same, may ask": evaluation.decide(every).action_codes,
    }
    code = classes.index(watched)
    outcomes = tuple(
        _outcome(rule, actions, probable, evaluation, every, code) for rule, actions in decisions.items()
    )
    losses = [row_losses(evaluation.truth_codes, actions, every) for actions in decisions.values()]
    saved = t_interval(losses[0] - losses[-1])
    return CostExample(
        model=evaluation.name,
        rows=len(evaluation.rows),
        costs={k: dict(row) for k, row in costs.items()},
        watched=watched,
        outcomes=outcomes,
        saving=saved.value,
        saving_interval=(saved.interval.low, saved.interval.high),
        case=_case(evaluation, evaluation.decide(every), probable, code),
    )


def _as_actions(codes: NDArray[np.int32], matrix: LossMatrix) -> NDArray[np.int32]:
    """Columns of the matrix that predict these classes."""
    column = {int(k): a for a, k in enumerate(matrix.class_of_action) if k >= 0}
    return np.array([column[k] for k in range(len(matrix.classes))], dtype=np.int32)[codes]


def _outcome(
    rule: str,
    actions: NDArray[np.int32],
    before: NDArray[np.int32],
    evaluation: Evaluation,
    matrix: LossMatrix,
    watched: int,
) -> Outcome:
    predicted, truth = matrix.class_of_action[actions], evaluation.truth_codes
    loss = t_interval(row_losses(truth, actions, matrix))
    return Outcome(
        rule=rule,
        changed=int((actions != before).sum()),
        missed=int(((truth == watched) & (predicted >= 0) & (predicted != watched)).sum()),
        false_alarms=int(((truth != watched) & (predicted == watched)).sum()),
        asked=int((predicted < 0).sum()),
        mean_loss=loss.value,
        interval=(loss.interval.low, loss.interval.high),
    )


def _case(evaluation: Evaluation, decision: Decision, before: NDArray[np.int32], watched: int) -> Case:
    """The first row of the watched class that is missed before and not after, else the first that changes."""
    truth, predicted, actions = evaluation.truth_codes, evaluation.predicted_codes, decision.action_codes
    changed = actions != before
    saved = np.flatnonzero(changed & (truth == watched) & (predicted != watched))
    row = int((saved if len(saved) else np.append(np.flatnonzero(changed), 0))[0])
    classes = [str(label) for label in evaluation.classes]
    return Case(
        row=int(evaluation.rows[row]),
        truth=classes[truth[row]],
        posterior=_named(classes, evaluation.posterior[row]),
        risks=_named(decision.loss.actions, decision.risks[row]),
        most_probable=classes[predicted[row]],
        decision=str(decision.loss.actions[actions[row]]),
        rescued=len(saved) > 0,
    )


def _named(names: list[str] | tuple[Hashable, ...], values: Array) -> dict[str, float]:
    return {str(name): float(value) for name, value in zip(names, values, strict=True)}
