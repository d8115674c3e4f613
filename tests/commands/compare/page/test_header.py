"""The answer in two sentences says what the figures say."""

from __future__ import annotations

from dataclasses import replace

from assay.commands.compare.page.context import PageContext
from assay.commands.compare.page.header import verdict
from assay.notes.numbers import THIN, number, percent, percent_range
from tests.commands.compare.page import cases


def test_the_error_is_that_of_the_whole_procedure() -> None:
    found = cases.iris()
    said = verdict(PageContext(found))
    assert said.first.startswith(f"Use {found.results[found.best_name].title}. ")
    assert percent(found.nested.error) in said.first
    assert percent_range(found.nested.error_interval) in said.first
    assert percent(found.evaluations["baseline"].error) in said.first
    assert said.first.endswith(".") and said.second == "".join(found.verdict[1:])


def test_under_costs_the_verdict_speaks_of_costs() -> None:
    found = cases.cancer()
    said = verdict(PageContext(found))
    assert number(found.nested.mean_loss(found.loss)) in said.first
    assert number(found.evaluations["baseline"].mean_loss(found.loss)) in said.first
    assert said.tiles[0].name == "Expected cost per row"


def test_the_page_says_what_the_command_line_says() -> None:
    for found in (cases.iris(), cases.cancer(), cases.noise()):
        said = verdict(PageContext(found))
        assert tuple(text.replace(THIN, " ") for text in (said.first, said.second) if text) == found.verdict
        assert PageContext(found).simpler in (None, found.simplest and found.simplest.name)


def test_figures_and_their_intervals_are_those_of_the_evaluation() -> None:
    for found, measure in ((cases.cancer(), "loss"), (cases.iris(), "error")):
        subject = PageContext(found)
        for evaluation in found.evaluations.values():
            assert subject.figure(evaluation) == evaluation.mean_loss()
            assert subject.figure_interval(evaluation) == evaluation.interval(measure)


def test_candidates_that_were_left_out_are_counted_at_the_top() -> None:
    tile = verdict(PageContext(replace(cases.iris(), omitted={"random_forest": "No time."}))).tiles[-1]
    assert (tile.name, tile.value, tile.beside) == (
        "Candidates",
        "5",
        "5 splits, hyperparameters tuned in each; 1 omitted",
    )


def test_where_nothing_beats_the_baseline_no_candidate_is_named_beside_it() -> None:
    said = verdict(PageContext(cases.noise()))
    assert said.first.startswith("Use none of these candidates. ")
    assert [tile.name for tile in said.tiles] == ["Error rate of the procedure", "Baseline", "Candidates"]


def test_leak_suspects_have_a_tile_behind_the_figure_without_them() -> None:
    found = replace(cases.iris(), suspects=("boat", "body"), with_suspects=cases.iris())
    said = verdict(PageContext(found))
    assert f"With boat and body the error rate is {percent(found.nested.error)}" in said.first
    tile = next(tile for tile in said.tiles if tile.name == "With boat and body")
    assert (tile.value, tile.beside) == (percent(found.nested.error), "if known before the outcome")
