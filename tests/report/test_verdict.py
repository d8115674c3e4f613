"""The answer in two sentences says what the figures say."""

from __future__ import annotations

import numpy as np

from assay.report.subject import Subject, costs
from assay.report.verdict import verdict
from assay.report.words import THIN, number, percent, percent_range
from tests.report import cases


def test_the_error_is_that_of_the_whole_procedure() -> None:
    found = cases.iris()
    said = verdict(Subject(found))
    assert said.first.startswith(f"Use {found.results[found.best_name].title}: ")
    assert percent(found.honest.error) in said.first
    assert percent_range(found.honest.error_interval) in said.first
    assert percent(found.evaluations["baseline"].error) in said.first
    assert said.first.count(". ") == 0 and said.second.endswith(".")


def test_under_costs_the_verdict_speaks_of_costs() -> None:
    found = cases.cancer()
    said = verdict(Subject(found))
    assert number(found.honest.mean_loss(found.loss)) in said.first
    assert number(found.evaluations["baseline"].mean_loss(found.loss)) in said.first
    assert said.tiles[0].name == "Mean cost of a decision"


def test_the_page_says_what_the_command_line_says() -> None:
    for found in (cases.iris(), cases.cancer()):
        said = verdict(Subject(found))
        assert (said.first.replace(THIN, " "), said.second.replace(THIN, " ")) == found.verdict
        assert Subject(found).simpler in (None, found.simplest.name)


def test_costs_of_rows_average_to_the_mean_loss() -> None:
    found = cases.cancer()
    assert found.loss is not None
    for evaluation in found.evaluations.values():
        assert np.isclose(costs(evaluation, found.loss).mean(), evaluation.mean_loss(found.loss))
        low, high = Subject(found).figure_interval(evaluation)
        assert np.allclose((low, high), evaluation.interval("loss"))
