"""Decisions with costs, counted again by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assay import GaussianClassifier, KFold, evaluate
from assay.selection.evaluation import Evaluation
from assay.workbench.demo import ASK, COSTS, load
from assay.workbench.demonstration.costs import CostExample, cost_example


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(GaussianClassifier("shared"), *load(), KFold(10))


@pytest.fixture(scope="module")
def example(evaluation: Evaluation) -> CostExample:
    return cost_example(evaluation, COSTS, "malignant")


def by_hand(posterior: np.ndarray, actions: list[str]) -> np.ndarray:
    """Names of the least-risk actions of (benign, malignant) posteriors."""
    risks = [posterior[:, 0] * COSTS["benign"][a] + posterior[:, 1] * COSTS["malignant"][a] for a in actions]
    return np.array(actions)[np.argmin(risks, axis=0)]


def test_outcomes_are_those_of_a_plain_count(evaluation: Evaluation, example: CostExample) -> None:
    _, y = load()
    p = evaluation.posterior
    before = np.where(p[:, 1] > p[:, 0], "malignant", "benign")
    rules = [before, by_hand(p, ["benign", "malignant"]), by_hand(p, ["benign", "malignant", ASK])]
    for outcome, actions in zip(example.outcomes, rules, strict=True):
        costs = np.array([COSTS[truth][action] for truth, action in zip(y, actions, strict=True)])
        assert outcome.changed == (actions != before).sum()
        assert outcome.missed == ((y == "malignant") & (actions == "benign")).sum()
        assert outcome.false_alarms == ((y == "benign") & (actions == "malignant")).sum()
        assert outcome.asked == (actions == ASK).sum()
        assert outcome.mean_loss == pytest.approx(costs.mean(), rel=1e-12)
        assert outcome.interval[0] < outcome.mean_loss < outcome.interval[1]


def test_costs_change_decisions_and_save(example: CostExample) -> None:
    first, least, asking = example.outcomes
    assert first.changed == 0 < least.changed < asking.changed
    assert first.missed > least.missed > asking.missed
    assert example.saving == pytest.approx(first.mean_loss - asking.mean_loss, rel=1e-9)
    assert example.saving_interval[0] > 0


def test_the_case_is_the_first_that_the_costs_rescue(evaluation: Evaluation, example: CostExample) -> None:
    _, y = load()
    p, case = evaluation.posterior, example.case
    actions = by_hand(p, ["benign", "malignant", ASK])
    rescued = np.flatnonzero((y == "malignant") & (p[:, 0] > 0.5) & (actions != "benign"))
    assert case.rescued and case.row == rescued[0]
    assert (case.truth, case.most_probable) == ("malignant", "benign")
    assert case.posterior == {"benign": p[case.row, 0], "malignant": p[case.row, 1]}
    assert case.decision == min(case.risks, key=lambda action: case.risks[action])
    assert case.risks["benign"] == pytest.approx(10 * p[case.row, 1])


def test_without_a_rescue_the_case_is_the_first_that_changes(evaluation: Evaluation) -> None:
    costs = {"benign": {"benign": 0.0, "malignant": 50.0}, "malignant": {"benign": 1.0, "malignant": 0.0}}
    case = cost_example(evaluation, costs, "malignant").case
    p = evaluation.posterior[:, 1]
    assert not case.rescued
    assert case.row == np.flatnonzero((p > 0.5) & (p < 50 / 51))[0]
    assert (case.most_probable, case.decision) == ("malignant", "benign")


def test_zero_one_costs_change_nothing(evaluation: Evaluation) -> None:
    costs = {"benign": {"benign": 0.0, "malignant": 1.0}, "malignant": {"benign": 1.0, "malignant": 0.0}}
    example = cost_example(evaluation, costs, "malignant")
    assert [outcome.changed for outcome in example.outcomes] == [0, 0, 0]
    assert example.outcomes[0].mean_loss == pytest.approx(evaluation.error)
    assert (example.case.row, example.case.rescued) == (0, False)
