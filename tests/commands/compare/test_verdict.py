"""The two notes of a verdict have the codes and values of the results."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay import HoldOut, KFold, compare
from assay.catalog import entry
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.difference import DifferenceTest
from assay.notes import Note, note_of, render
from assay.notes.numbers import plain_percent
from assay.notes.voices import SHELL
from assay.selection.significance import paired_t_test, significance
from tests.commands.compare.purchases import ASK, mixed
from tests.commands.compare.statements import codes, values


@pytest.fixture(scope="module")
def found() -> Comparison:
    names = ["baseline", "gaussian_nb", "gaussian_shared", "decision_tree"]
    return compare(mixed(), "bought", plan=KFold(5), candidates=names, progress=False)


def only(found: Comparison, *names: str) -> Comparison:
    return replace(found, results={name: found.results[name] for name in names})


def test_the_error_is_that_of_the_whole_procedure(found: Comparison) -> None:
    first = found.verdict[0]
    assert codes(first) == ["C101", "C103"] and all(text.endswith(".") for text in found.verdict)
    assert values(first, "C101") == {
        "title": found.leaderboard[0].title,
        "error": found.nested.error,
        "interval": tuple(found.nested.error_interval),
    }
    assert values(first, "C103") == {"error": found.evaluations["baseline"].error}


def test_a_verdict_reads_as_sentences(found: Comparison) -> None:
    first = only(found, "gaussian_nb", "baseline").verdict[0]
    assert first.startswith("Use Gaussian naive Bayes. Error rate on new data: ")
    assert first.endswith(" %). Always predicting the most frequent class has an error rate of 43.3 %.")


def test_the_simplest_is_as_good_and_beats_the_baseline(found: Comparison) -> None:
    against = {standing.name: standing.against_best for standing in found.leaderboard}
    simple = found.simplest
    assert simple is not None
    assert simple.rank == 1 or not against[simple.name].clear  # type: ignore[union-attr]
    assert against["baseline"] is not None and against["baseline"].clear
    test = paired_t_test(found.evaluations["baseline"], found.evaluations[simple.name])
    assert test.p_value < 0.05 and test.mean > 0


def test_a_winning_baseline_is_told_by_its_own_figures(found: Comparison) -> None:
    blind = only(found, "baseline", "gaussian_nb")
    first, second = blind.verdict
    error = blind.evaluations["baseline"].error
    assert blind.nested.error != error  # the procedure takes naive Bayes in every fold
    assert codes(first) == ["C108"] and values(first, "C108")["error"] == error
    assert second.code == "C121" and blind.simplest is None
    alone = only(found, "baseline").verdict
    assert codes(alone[0]) == ["C110"] and alone[1].code == "C120"


def test_a_winning_baseline_under_costs_is_told_by_its_cost() -> None:
    names = ["baseline", "gaussian_nb"]
    found = compare(mixed(), "bought", plan=KFold(5), candidates=names, loss=ASK, progress=False)
    blind = only(found, *names)
    assert codes(blind.verdict[0]) == ["C109"]
    assert values(blind.verdict[0], "C109")["cost"] == found.evaluations["baseline"].mean_loss()


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
        worth = found.nested.mean_loss() < found.evaluations["baseline"].mean_loss()
        worth = worth and found.best_name != "baseline"
        assert found.recommended == (found.best_name if worth else None)
        assert (codes(found.verdict[0])[0] not in ("C101", "C102")) == (not worth)
        assert worth or found.simplest is None
        led[worth] += found.best_name != "baseline"
    assert all(led.values())


def test_a_choice_that_loses_to_the_baseline_is_told_by_both_figures() -> None:
    found = compare(chance(0), "class", plan=KFold(5), candidates=["baseline", "knn"], progress=False)
    worse = replace(found, results={name: found.results[name] for name in ("knn", "baseline")})
    assert worse.recommended is None and codes(worse.verdict[0]) == ["C106", "C103"]
    assert values(worse.verdict[0], "C106")["error"] == worse.nested.error
    assert values(worse.verdict[0], "C103")["error"] == worse.evaluations["baseline"].error


def test_the_baseline_counts_where_it_is_no_candidate(found: Comparison) -> None:
    asked = only(found, "gaussian_nb", "baseline")
    unasked = only(found, "gaussian_nb")
    assert unasked.recommended == "gaussian_nb" and codes(unasked.verdict[0]) == ["C101"]
    np.testing.assert_array_equal(unasked.baseline.tested.scores, asked.baseline.tested.scores)
    np.testing.assert_array_equal(unasked.baseline.tested.rows, asked.baseline.tested.rows)


@pytest.mark.parametrize(("loss", "told"), [(None, ["C106", "C103"]), ("yes:no=1.1", ["C107", "C104"])])
def test_a_lonely_candidate_that_loses_to_the_baseline_is_not_recommended(
    loss: str | None, told: list[str]
) -> None:
    found = compare(chance(0), "class", plan=KFold(5), candidates=["knn"], loss=loss, progress=False)
    same = compare(chance(0), "class", plan=KFold(5), candidates=["baseline"], loss=loss, progress=False)
    assert found.nested.mean_loss() >= same.nested.mean_loss() == found.baseline.mean_loss()
    assert found.recommended is None and found.simplest is None and codes(found.verdict[0]) == told
    assert list(values(found.verdict[0], told[1]).values()) == [same.nested.mean_loss()]
    assert found.verdict[1].code == "C121"


def test_nothing_is_said_that_nobody_can_act_on(found: Comparison) -> None:
    assert len(only(found, "gaussian_nb").verdict) == 1
    assert len(only(found, "gaussian_nb", "baseline").verdict) == 1


def test_equally_readable_models_are_not_called_simpler(found: Comparison) -> None:
    assert len(only(found, "gaussian_shared", "gaussian_nb").verdict) == 1
    forest = dataclasses.replace(found.results["decision_tree"], entry=entry("random_forest"))
    boosting = dataclasses.replace(found.results["decision_tree"], entry=entry("gradient_boosting"))
    both = replace(found, results={"gradient_boosting": boosting, "random_forest": forest})
    assert len(both.verdict) == 1
    readable = replace(
        found, results={"gradient_boosting": boosting, "gaussian_nb": found.results["gaussian_nb"]}
    )
    against = readable.leaderboard[1].against_best
    assert against is not None and readable.verdict[1].values["notes"] == (against.verdict, Note("C117"))
    assert values(against.verdict, "C149") == {"title": "Gaussian naive Bayes"}


@pytest.mark.parametrize(
    ("kind", "worse"), [("same", False), ("unknown", False), ("ordered", True), ("apart", True)]
)
def test_simpler_and_not_worse_is_what_the_significance_table_concludes(kind: str, worse: bool) -> None:
    """Whatever the p-value over rows: 0.3 points may be significant and the same for practical purposes."""
    test = DifferenceTest(difference=0.003, interval=(0.001, 0.005), p_value=0.001, kind=kind)
    assert test.clear == worse and test.significant
    assert not replace(test, difference=-0.003).clear


def test_the_verdict_never_contradicts_the_table(found: Comparison) -> None:
    boosting = dataclasses.replace(found.results["decision_tree"], entry=entry("gradient_boosting"))
    for other in ("gaussian_nb", "gaussian_shared"):
        both = replace(found, results={"gradient_boosting": boosting, other: found.results[other]})
        against = both.leaderboard[1].against_best
        assert against is not None
        second = both.verdict[1]
        if against.kind in ("same", "unknown") or against.difference < 0:
            assert second.values["notes"][0] == against.verdict
        else:
            assert second.code == "C131"


def test_no_level_of_another_candidate_stands_beside_the_nested_estimate(found: Comparison) -> None:
    forest = dataclasses.replace(found.results["gaussian_nb"], entry=entry("random_forest"))
    both = replace(found, results={"random_forest": forest, "gaussian_nb": found.results["gaussian_nb"]})
    assert "%" in both.verdict[0] and "%" not in both.verdict[1]


@pytest.mark.parametrize(
    ("reasons", "code", "options"),
    [
        ({"knn": Note("C151", budget=600.0)}, "C114", " --resume --budget 30m"),
        ({"knn": Note("C198", budget=60.0, forecast=5.0, taken=20.0)}, "C114", " --resume --budget 3m"),
        ({"knn": Note("C152", budget=60.0, left=30.0, needed=500.0)}, "C114", " --resume --budget 9m"),
        ({"knn": Note("C153")}, "C115", " --resume"),
    ],
)
def test_candidates_that_are_missing_are_named_with_the_command_that_goes_on(
    found: Comparison, reasons: dict[str, str], code: str, options: str
) -> None:
    unsuited = Note("C161", wanted=("numeric",))
    commands = ("assay compare a.csv --target y", "assay.compare('a.csv', target='y')")
    part = replace(
        found, omitted={**reasons, "poisson_nb": unsuited}, commands=commands, folder=Path("there")
    )
    first = part.verdict[0]
    assert codes(first)[-1] == code
    told = values(first, code)
    assert told["names"] == ("knn",) and told["total"] == len(found.results) + 1
    assert told["command"] == f"{commands[0]} --out there{options}"
    assert str(told["command"]) in render(first, SHELL) and str(told["call"]) in first
    assert "resume=True" in str(told["call"]) and "out='there'" in str(told["call"])


def test_a_hold_out_tells_candidates_apart_by_its_rows() -> None:
    names = ["baseline", "gaussian_nb", "decision_tree"]
    found = compare(mixed(600), "bought", plan=HoldOut(0.5), candidates=names, progress=False)
    against = {standing.name: standing.against_best for standing in found.leaderboard}
    assert against["baseline"] is not None and against["baseline"].clear
    assert [note.code for note in found.verdict[1:]] != ["C122"]
    best = found.evaluations[found.best_name]
    for standing in found.leaderboard[1:]:
        test = paired_t_test(found.evaluations[standing.name], best)
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
        assert found.verdict[1].code == "C122"


def test_a_comparison_is_shown_in_one_line(found: Comparison) -> None:
    shown = repr(found)
    assert shown.startswith(f"<Comparison of a dict: {found.best_name} of 4 candidates, 240 rows, error ")
    assert plain_percent(found.nested.error) in shown and len(shown) < 160


def test_under_costs_the_verdict_and_the_tests_speak_of_costs() -> None:
    names = ["baseline", "gaussian_nb", "gaussian_shared"]
    found = compare(mixed(), "bought", plan=KFold(5), candidates=names, loss=ASK, progress=False)
    first = found.verdict[0]
    assert codes(first) == ["C102", "C104", "C105"]
    assert values(first, "C102")["cost"] == found.nested.mean_loss()
    assert values(first, "C104") == {"cost": found.evaluations["baseline"].mean_loss()}
    assert values(first, "C105")["error"] == found.nested.error
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
    assert blind.against_best.verdict.code == "C143" and not blind.against_best.simpler
    assert blind.against_best.verdict.values["better"] == found.leaderboard[0].title


def test_the_simpler_one_is_called_so_where_nothing_speaks_against_it(found: Comparison) -> None:
    forest = dataclasses.replace(found.results["gaussian_nb"], entry=entry("random_forest"))
    both = replace(found, results={"random_forest": forest, "gaussian_nb": found.results["gaussian_nb"]})
    against = both.leaderboard[1].against_best
    assert against is not None
    assert codes(against.verdict) == ["C148", "C149"]
    assert values(against.verdict, "C149") == {"title": "Gaussian naive Bayes"}


def test_old_names_of_the_nested_estimate_warn_and_work(found: Comparison) -> None:
    with pytest.warns(DeprecationWarning) as caught:
        assert found.honest is found.nested and found.honest_error == found.nested_error
    notes = [note_of(warning.message) for warning in caught]  # type: ignore[arg-type]
    assert [(note.code, note.values["new"]) for note in notes if note] == [
        ("C195", "nested"),
        ("C195", "nested_error"),
    ]
