"""From a file of flowers to a report, a model, predictions, explanations and actions."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from tests.browser import Opened
from tests.commands.conftest import Done
from tests.journeys.steps import done, leftovers, predicted, write_iris

QUICK = ("--candidates", "baseline,gaussian_nb,fisher,gaussian_shared,gaussian_full", "--plan", "kfold:5")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("iris")
    write_iris(folder)
    return folder


@pytest.fixture(scope="module")
def compared(home: Path) -> Done:
    return done(home, "compare", "iris.csv", "--target", "species", *QUICK, "--out", "run")


def test_the_table_is_described(home: Path) -> None:
    said = done(home, "describe", "iris.csv", "--target", "species")
    assert "150 rows, 5 columns" in said.out and "versicolor" in said.out
    assert "Warnings" not in said.out
    types = {c["name"]: c["type"] for c in done(home, "describe", "iris.csv", "--json").json["columns"]}
    assert list(types.values()) == ["numeric"] * 4 + ["categorical"]


def test_the_comparison_ends_with_what_it_promises(home: Path, compared: Done) -> None:
    first = compared.out.splitlines()[0].strip()
    assert first.startswith("Use ") and "Warnings" not in compared.out
    run = home / "run"
    for name in ("report.html", "model.assay"):
        assert f"run/{name}" in compared.text and (run / name).stat().st_size > 1000
    assert leftovers(home) == []
    figures = done(home, "compare", "iris.csv", "--target", "species", *QUICK, "--json", "--quiet").json
    assert figures["best"] in ("fisher", "gaussian_shared", "gaussian_full")
    assert 0.005 < figures["honest"]["error"] < 0.06
    assert " ".join(figures["verdict"]) in compared.text


def test_predictions_are_those_of_python(home: Path, compared: Done) -> None:
    model = assay.load(home / "run" / "model.assay")
    said = done(home, "predict", "run/model.assay", "iris.csv", "--proba")
    assert predicted(said.out) == model.predict(home / "iris.csv").tolist()
    rows = list(csv.DictReader(io.StringIO(said.out)))
    written = np.array([[float(row[f"P({name})"]) for name in model.classes_] for row in rows])
    assert np.array_equal(written, model.predict_proba(home / "iris.csv"))
    plain = done(home, "predict", "run/model.assay", "iris.csv", "--out", "p.csv")
    assert "150 rows written to p.csv" in plain.text
    assert predicted((home / "p.csv").read_text()) == predicted(said.out)


def test_the_model_is_evaluated_and_explained(home: Path, compared: Done) -> None:
    error = done(home, "evaluate", "run/model.assay", "iris.csv", "--json").json["error"]
    model, truth = assay.load(home / "run" / "model.assay"), assay.read(home / "iris.csv", target="species")
    labels = np.array(truth.schema["species"].levels)[truth["species"]]
    assert error == np.mean(model.predict(home / "iris.csv") != labels) < 0.05
    # A model that is no sum of columns says so; naive Bayes always is one.
    fit = ("fit", "iris.csv", "--target", "species", "--model", "gaussian_nb", "--out", "nb.assay")
    done(home, *fit, "--quiet")
    said = done(home, "explain", "nb.assay", "iris.csv", "--row", "1")
    assert "Row 1: predicted setosa" in said.text and "petal_length" in said.out


def test_posteriors_and_costs_become_actions(home: Path, compared: Done) -> None:
    done(home, "predict", "run/model.assay", "iris.csv", "--proba", "--out", "posteriors.csv")
    costs = "virginica:versicolor=10,*:ask=0.2"
    said = done(home, "decide", "posteriors.csv", "--loss", costs, "--out", "actions.csv")
    assert "ask" in said.out and "Written to actions.csv" in said.text
    model = assay.load(home / "run" / "model.assay")
    matrix = [[0, 1, 1, 0.2], [1, 0, 1, 0.2], [1, 10, 0, 0.2]]
    posterior = model.predict_proba(home / "iris.csv")
    best = (posterior @ np.array(matrix)).argmin(axis=1)
    actions = [*model.classes_.tolist(), "ask"]
    rows = csv.DictReader(io.StringIO((home / "actions.csv").read_text()))
    assert [row["action"] for row in rows] == [actions[k] for k in best]


def test_the_report_opens_and_says_what_the_command_line_said(
    home: Path, compared: Done, browser: Any
) -> None:
    path = home / "run" / "report.html"
    with Opened(browser, path, 1280, "light") as opened:
        told = " ".join(opened.page.locator(".verdict").first.inner_text().split())
        assert told and told in compared.text
        assert opened.page.locator(".chart svg").count() >= 8
        assert opened.complaints == []
        assert opened.requests == [path.as_uri()]


def test_the_report_is_written_again_from_the_run(home: Path, compared: Done) -> None:
    done(home, "report", "run", "--out", "again.html")
    assert (home / "again.html").stat().st_size == pytest.approx(
        (home / "run" / "report.html").stat().st_size, rel=0.05
    )
