"""Two sentences that say what the figures say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assay import KFold, compare
from assay.workbench.comparison import Comparison
from assay.workbench.digits import number
from tests.workbench.test_experiment import ASK, mixed


@pytest.fixture(scope="module")
def found() -> Comparison:
    names = ["baseline", "gaussian_nb", "gaussian_shared", "decision_tree"]
    return compare(mixed(), "bought", plan=KFold(5), candidates=names, progress=False)


def only(found: Comparison, *names: str) -> Comparison:
    return replace(found, results={name: found.results[name] for name in names})


def test_the_error_is_that_of_the_whole_procedure(found: Comparison) -> None:
    first, second = found.verdict
    assert first.startswith(f"Use {found.leaderboard[0].title}: expect it to be wrong for ")
    assert f"{100 * found.honest.error:.1f} % of new rows" in first
    assert "always naming the most frequent class" in first
    assert first.endswith(".") and second.endswith(".")


def test_the_simplest_is_the_first_that_is_not_clearly_worse(found: Comparison) -> None:
    order = ["baseline", "gaussian_nb", "gaussian_shared", "decision_tree"]
    against = {standing.name: standing.against_best for standing in found.leaderboard}
    near = [name for name in order if against[name] is None or not against[name].clear]
    assert found.simplest.name == near[0]
    assert against["baseline"] is not None and against["baseline"].clear


def test_a_winning_baseline_is_told_plainly(found: Comparison) -> None:
    first, second = only(found, "baseline").verdict
    assert first.startswith("No candidate beats the most frequent class")
    assert "more rows" in second


def test_a_lonely_candidate_is_told_plainly(found: Comparison) -> None:
    assert only(found, "gaussian_nb").verdict[1] == "No other candidate was tried."


def test_under_costs_the_verdict_and_the_tests_speak_of_costs() -> None:
    names = ["baseline", "gaussian_nb", "gaussian_shared"]
    found = compare(mixed(), "bought", plan=KFold(5), candidates=names, loss=ASK, progress=False)
    first, _ = found.verdict
    assert f"expect to pay {number(found.honest.mean_loss())} (" in first
    assert "for the best action that looks at no column" in first
    best = found.evaluations[found.best_name]
    for standing in found.leaderboard[1:]:
        assert standing.against_best is not None
        difference = found.evaluations[standing.name].mean_loss() - best.mean_loss()
        assert standing.against_best.difference == pytest.approx(difference, abs=0.01)
