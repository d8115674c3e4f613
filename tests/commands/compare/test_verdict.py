"""Two sentences that say what the figures say."""

from __future__ import annotations

import dataclasses
from dataclasses import replace

import numpy as np
import pytest

from assay import HoldOut, KFold, compare
from assay.commands.compare.comparison import Comparison, DifferenceTest
from assay.notes.digits import number, percent
from assay.selection.paired import paired
from assay.selection.significance import significance
from tests.commands.compare.test_job import ASK, mixed


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


def test_the_simplest_is_as_good_and_beats_the_baseline(found: Comparison) -> None:
    against = {standing.name: standing.against_best for standing in found.leaderboard}
    simple = found.simplest
    assert simple is not None
    assert simple.rank == 1 or not against[simple.name].clear  # type: ignore[union-attr]
    assert against["baseline"] is not None and against["baseline"].clear
    test = paired(found.evaluations["baseline"], found.evaluations[simple.name])
    assert test.p_value < 0.05 and test.mean > 0


def test_a_winning_baseline_is_told_by_its_own_figures(found: Comparison) -> None:
    blind = only(found, "baseline", "gaussian_nb")
    first, second = blind.verdict
    error = blind.evaluations["baseline"].error
    assert blind.honest.error != error  # the procedure takes naive Bayes in every fold
    assert first.startswith(
        "Use none of these: no candidate beats the most frequent class, which is wrong for "
        f"{percent(error)} % of"
    )
    assert "more rows" in second and blind.simplest is None
    alone = only(found, "baseline").verdict
    assert alone[0].startswith(
        "Nothing but the baseline was tried, the most frequent class, which is wrong for"
    )


def test_a_winning_baseline_under_costs_is_told_by_its_cost() -> None:
    names = ["baseline", "gaussian_nb"]
    found = compare(mixed(), "bought", plan=KFold(5), candidates=names, loss=ASK, progress=False)
    blind = only(found, *names)
    cost = number(found.evaluations["baseline"].mean_loss())
    assert blind.verdict[0].startswith(
        f"Use none of these: no candidate beats the best action that looks at no column, which costs {cost} ("
    )
    assert blind.verdict[0].endswith("per new row under the given costs.")


def chance(seed: int) -> dict[str, object]:
    """Three columns that know nothing about the class."""
    draw = np.random.default_rng(seed)
    labels = draw.choice(["no", "yes"], 80, p=[0.53, 0.47])
    return {**{name: draw.normal(size=80) for name in "abc"}, "class": labels}


@pytest.mark.parametrize("loss", [None, "yes:no=1.1"])
def test_nothing_is_recommended_unless_the_choice_beats_the_baseline(loss: str | None) -> None:
    """Whoever ranks first."""
    led = {
        True: 0,
        False: 0,
    }  # whether something was recommended: candidates that rank first, the baseline aside
    for seed in range(6):
        names = ["baseline", "gaussian_nb", "knn"]
        found = compare(chance(seed), "class", plan=KFold(5), candidates=names, loss=loss, progress=False)
        worth = found.honest.mean_loss() < found.evaluations["baseline"].mean_loss()
        worth = worth and found.best_name != "baseline"
        assert found.recommended == (found.best_name if worth else None)
        assert found.verdict[0].startswith("Use none of these: ") == (not worth)
        assert worth or found.simplest is None
        led[worth] += found.best_name != "baseline"
    assert all(led.values())


def test_a_choice_that_loses_to_the_baseline_is_told_by_both_figures() -> None:
    found = compare(chance(0), "class", plan=KFold(5), candidates=["baseline", "knn"], progress=False)
    worse = replace(found, results={name: found.results[name] for name in ("knn", "baseline")})
    chosen, blind = percent(worse.honest.error), percent(worse.evaluations["baseline"].error)
    assert worse.recommended is None
    assert worse.verdict[0].startswith(
        f"Use none of these: choosing among them is wrong for {chosen} % of new rows (95 % interval "
    )
    assert worse.verdict[0].endswith(f", against {blind} % for always naming the most frequent class.")


def test_without_a_baseline_the_best_one_is_recommended(found: Comparison) -> None:
    assert only(found, "gaussian_nb").recommended == "gaussian_nb"
    assert found.recommended == found.best_name


def test_a_lonely_candidate_is_told_plainly(found: Comparison) -> None:
    assert only(found, "gaussian_nb").verdict[1] == "No other candidate was tried."
    assert (
        only(found, "gaussian_nb", "baseline").verdict[1] == "Nothing but the baseline was tried beside it."
    )


def test_equally_readable_models_are_not_called_simpler(found: Comparison) -> None:
    assert (
        only(found, "gaussian_shared", "gaussian_nb").verdict[1] == "None of the other candidates is simpler."
    )
    forest = dataclasses.replace(found.results["decision_tree"], name="random_forest")
    boosting = dataclasses.replace(found.results["decision_tree"], name="gradient_boosting")
    both = replace(found, results={"gradient_boosting": boosting, "random_forest": forest})
    assert both.verdict[1] == "None of the other candidates is simpler."
    readable = replace(
        found, results={"gradient_boosting": boosting, "gaussian_nb": found.results["gaussian_nb"]}
    )
    assert "Gaussian naive Bayes is simpler and" in readable.verdict[1]


def test_a_hold_out_tells_candidates_apart_by_its_rows() -> None:
    names = ["baseline", "gaussian_nb", "decision_tree"]
    found = compare(mixed(600), "bought", plan=HoldOut(0.5), candidates=names, progress=False)
    against = {standing.name: standing.against_best for standing in found.leaderboard}
    assert against["baseline"] is not None and against["baseline"].clear
    assert "looking at no column" not in found.verdict[1]
    best = found.evaluations[found.best_name]
    for standing in found.leaderboard[1:]:
        test = paired(found.evaluations[standing.name], best)
        against_best = standing.against_best
        assert isinstance(against_best, DifferenceTest)
        assert (against_best.difference, against_best.interval) == (test.mean, tuple(test.interval))
        assert against_best.p_value == test.p_value
        assert against_best.resampled_p is None and against_best.mcnemar_p is not None


def test_no_better_than_chance_names_no_simpler_one() -> None:
    data = mixed(60)
    data["bought"] = np.random.default_rng(3).permutation(np.repeat(["no", "yes"], 30))
    names = ["baseline", "gaussian_nb", "gaussian_shared", "decision_tree"]
    found = compare(data, "bought", plan=KFold(5), candidates=names, progress=False)
    assert found.simplest is None
    if found.recommended is not None:
        assert "not clearly better than looking at no column" in found.verdict[1]


def test_a_comparison_is_shown_in_one_line(found: Comparison) -> None:
    shown = repr(found)
    assert shown.startswith(f"<Comparison of a dict: {found.best_name} of 4 candidates, 240 rows, error ")
    assert percent(found.honest.error) in shown and len(shown) < 160


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
        assert standing.against_best.difference == pytest.approx(difference, rel=1e-9)


def test_every_candidate_is_told_against_the_winner_in_words(found: Comparison) -> None:
    best = found.evaluations[found.best_name]
    for standing in found.leaderboard[1:]:
        against = standing.against_best
        assert against is not None
        test = significance(found.evaluations[standing.name], best)
        assert test.splits is not None and test.mcnemar is not None
        assert (against.resampled_p, against.mcnemar_p) == (test.splits.p_value, test.mcnemar.p_value)
        assert (against.better, against.same, against.worse) == test.practical[:3]
        assert standing.title in against.verdict and found.leaderboard[0].title in against.verdict
    blind = found.leaderboard[-1]
    assert blind.name == "baseline" and blind.against_best is not None
    assert "beats" in blind.against_best.verdict and "simpler" not in blind.against_best.verdict


def test_the_simpler_one_is_called_so_where_nothing_speaks_against_it(found: Comparison) -> None:
    forest = dataclasses.replace(found.results["gaussian_nb"], name="random_forest")
    both = replace(found, results={"random_forest": forest, "gaussian_nb": found.results["gaussian_nb"]})
    against = both.leaderboard[1].against_best
    assert against is not None
    assert against.verdict.endswith("; Gaussian naive Bayes is simpler.")
