"""How the winner and the others were tuned: a curve over penalties, the choice in use and the simplest one alike."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from assay.charts.document import Figure, Paragraph, Section
from assay.commands.compare.comparison import Comparison
from assay.commands.compare.job import compare
from assay.commands.compare.page import hyperparameters
from assay.commands.compare.page.context import PageContext
from tests.commands.compare.page import cases
from tests.commands.compare.page.cases import penalised, simplest_is


def section(found: Comparison) -> tuple[str, Figure]:
    got = hyperparameters.hyperparameters_section(PageContext(found))
    assert isinstance(got, Section)
    text, figure = got.parts[:2]
    assert isinstance(text, Paragraph) and isinstance(figure, Figure)
    return text.text, figure


def test_penalties_are_a_curve_on_a_logarithmic_axis_with_both_choices_marked() -> None:
    text, figure = section(simplest_is(penalised(), 1))
    spec = figure.panels[0].chart.to_dict()
    assert spec["layer"][0]["mark"]["type"] == "area"
    assert spec["layer"][1]["encoding"]["x"]["scale"]["type"] == "log"
    rows: Any = figure.panels[0].chart.data["values"]
    assert [row["x"] for row in rows] == sorted(row["x"] for row in rows)
    (used,), (simple,) = ([r for r in rows if r[mark]] for mark in ("final", "one_se"))
    assert (used["x"], simple["x"]) == (1e-4, 1e-2)
    assert used["high"] - used["low"] == pytest.approx(0.02, rel=1e-3)
    assert "within one standard error of the least is l2 = 0.01" in text
    assert "the diamond the simplest" in figure.caption
    assert [row[2] for row in figure.data.rows] == ["1.0\u202f%"] * 5


def test_where_both_choices_are_one_that_is_said() -> None:
    text, figure = section(simplest_is(penalised(), 3))
    assert "within one standard error" not in text
    assert "no simpler one is within one standard error of it" in figure.caption


def test_older_runs_are_drawn_without_a_band() -> None:
    found = penalised()
    winner = found.results[found.best_name]
    old = replace(winner, nested=replace(winner.nested, standard_errors=np.zeros(0)))
    _, figure = section(replace(found, results={**found.results, found.best_name: old}))
    spec = json.dumps(figure.panels[0].chart.to_dict())
    assert '"area"' not in spec and "standard error" not in figure.caption
    assert figure.data.rows[0][2] == "–"


def test_numbers_of_neighbours_are_a_line_for_each_rule_of_voting() -> None:
    draw = np.random.default_rng(6)
    X = draw.normal(size=(120, 2))
    labels = ["in" if value < 1.2 else "out" for value in (X**2).sum(axis=1) + 0.2 * draw.normal(size=120)]
    rows = cases.table(X, labels, list("ab"), "place", {})
    found = compare(rows, "place", candidates=["baseline", "knn"], plan=5, progress=False)
    assert found.best_name == "knn"
    _, figure = section(found)
    spec = figure.panels[0].chart.to_dict()
    band, line = spec["layer"][:2]
    assert band["mark"]["type"] == "area" and "datum.line ===" in band["transform"][0]["filter"]
    assert line["mark"]["type"] == "line" and line["encoding"]["strokeDash"]["legend"]["title"] == "weights"
    shown: Any = figure.panels[0].chart.data["values"]
    assert {row["line"] for row in shown} == {"uniform", "distance"} and len(shown) == 14
    assert [row["x"] for row in shown] == sorted(row["x"] for row in shown)


def test_numbers_of_blobs_are_a_line_for_each_shape() -> None:
    draw = np.random.default_rng(2)
    codes = np.arange(160) % 2
    X = draw.normal(size=(160, 2))
    X[:, 0] += 5.0 * codes + draw.choice([0.0, 10.0], 160)
    rows = cases.table(X, [["in", "out"][k] for k in codes], list("ab"), "place", {})
    found = compare(
        rows, "place", candidates=["baseline", "gaussian_full", "gaussian_mixture"], plan=4, progress=False
    )
    assert (
        found.best_name == "gaussian_mixture"
        and found.results["gaussian_mixture"].setting["n_components"] > 1
    )
    _, figure = section(found)
    spec = figure.panels[0].chart.to_dict()
    line = spec["layer"][1]
    assert line["encoding"]["strokeDash"]["legend"]["title"] == "covariance"
    assert (
        line["encoding"]["x"]["title"] == "n_components" and line["encoding"]["x"]["axis"]["tickMinStep"] == 1
    )
    shown: Any = figure.panels[0].chart.data["values"]
    assert {row["line"] for row in shown} == {"diagonal", "full"} and {row["x"] for row in shown} == {
        1.0,
        2.0,
        4.0,
    }


@cache
def several() -> Comparison:
    """A ring around a disk: a kernel wins, and everything else was tuned, too."""
    draw = np.random.default_rng(6)
    X = draw.normal(size=(160, 2))
    labels = ["in" if value < 1.2 else "out" for value in (X**2).sum(axis=1) + 0.2 * draw.normal(size=160)]
    names = ["baseline", "logistic", "knn", "kernel_svm"]
    rows = cases.table(X, labels, list("ab"), "place", {})
    return compare(rows, "place", candidates=names, plan=5, progress=False)


def test_every_tuned_candidate_has_its_curve_the_winner_first() -> None:
    found = several()
    subject = PageContext(found)
    got = hyperparameters.hyperparameters_section(subject)
    assert got is not None
    own, curve, others = (part for part in got.parts if isinstance(part, Figure))
    assert curve.key == "complexity"
    wide: Any = own.panels[0].chart.data["values"]
    assert {row["line"] for row in wide} == {"0.1", "0.5", "2"} and len(wide) == 9
    assert own.panels[0].shape == "wide" and {panel.shape for panel in others.panels} == {"small"}
    rest = [name for name in found.results if name not in (found.best_name, "baseline")]
    assert [panel.title for panel in others.panels] == [subject.titles[name] for name in rest]
    for name, panel in zip(rest, others.panels, strict=True):
        result = found.results[name]
        drawn: Any = panel.chart.data["values"]
        assert sorted(row["value"] for row in drawn) == pytest.approx(sorted(result.nested.losses), rel=1e-4)
        assert [row["setting"] for row in drawn if row["final"]] == [
            hyperparameters.setting_text(result.setting)
        ]
        assert hyperparameters.setting_text(result.setting) in panel.says
    assert len(others.data.rows) == sum(len(found.results[name].settings) for name in rest)


def test_where_the_winner_has_no_settings_the_others_are_still_shown() -> None:
    found = several()
    order = {"baseline": found.results["baseline"], **found.results}
    got = hyperparameters.hyperparameters_section(PageContext(replace(found, results=order)))
    assert got is not None and got.title == "Hyperparameters of the candidates"
    (figure,) = (part for part in got.parts if isinstance(part, Figure))
    assert len(figure.panels) == 3


def test_many_parameters_of_another_candidate_stand_in_the_table_only() -> None:
    found = several()
    result = found.results["logistic"]
    wide = [{**each, "a": at % 2, "b": at // 2} for at, each in enumerate(result.settings)]
    results = {**found.results, "logistic": replace(result, settings=tuple(wide))}
    got = hyperparameters.hyperparameters_section(PageContext(replace(found, results=results)))
    assert got is not None
    figure = got.parts[-1]
    assert isinstance(figure, Figure) and len(figure.panels) == 1
    assert "because of too many hyperparameters: Logistic regression." in figure.caption
    assert sum(row[0] == "Logistic regression" for row in figure.data.rows) == len(wide)
