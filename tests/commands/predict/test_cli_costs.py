"""Costs travel with the model: what a comparison under a loss wrote acts, and is judged, by that loss."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from assay import load, read, save
from assay.decision import LossMatrix, row_losses
from assay.notes import Note, render
from assay.notes.voices import SHELL
from tests.commands.conftest import Run
from tests.raised import raises

LOSS = "bad:good=5,*:ask=0.4"
SAYS = render(Note("C345"), SHELL)


@pytest.fixture
def loans(run: Run, tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    size = rng.normal(size=150)
    label = np.where(size + rng.normal(size=150) > 0, "bad", "good")
    path = tmp_path / "loans.csv"
    path.write_text("size,label\n" + "".join(f"{x:.3f},{y}\n" for x, y in zip(size, label, strict=True)))
    asked = ("--candidates", "baseline,logistic", "--plan", "kfold:3", "--out", "run")
    assert run("compare", path, "--target", "label", "--loss", LOSS, *asked).code == 0
    return path


def column(text: str, name: str) -> list[str]:
    return [row[name] for row in csv.DictReader(io.StringIO(text))]


def test_predict_gives_the_decisions_and_says_so(run: Run, loans: Path) -> None:
    model = load("run/model.assay")
    decided = model.decide(loans)
    assert decided.loss.actions == ("bad", "good", "ask")
    done = run("predict", "run/model.assay", loans, "--proba")
    assert (done.code, done.err) == (0, f"assay: Note C345: {SAYS}\n")
    actions = column(done.out, "action")
    assert actions == decided.actions.tolist() and set(actions) >= {"bad", "ask"}
    assert np.allclose([float(p) for p in column(done.out, "P(bad)")], model.predict_proba(loans)[:, 0])
    assert run("predict", "run/model.assay", loans, "--ignore", "C345").err == ""
    plain = run("predict", "run/model.assay", loans, "--most-probable")
    assert plain.err == "" and column(plain.out, "predicted") == model.predict(loans).tolist()
    listed = json.loads(run("predict", "run/model.assay", loans, "--json").out)
    assert listed["action"] == actions and listed["notes"] == [SAYS]
    assert listed["counts"] == {name: actions.count(name) for name in ("bad", "good", "ask")}


def test_python_predicts_classes_and_decides_under_the_stored_loss(loans: Path) -> None:
    model = load("run/model.assay")
    assert set(model.predict(loans)) == {"bad", "good"}
    assert (
        model.decide(loans).actions.tolist()
        == model.decide(loans, LossMatrix.of(model.loss_, model.classes_)).actions.tolist()
    )
    zero_one = model.decide(loans, LossMatrix.zero_one(model.classes_))
    assert zero_one.actions.tolist() == model.predict(loans).tolist()


def test_evaluate_reports_the_mean_loss_of_the_decisions(run: Run, loans: Path) -> None:
    model = load("run/model.assay")
    table = read(loans, target="label")
    losses = row_losses(table["label"], model.decide(table).action_codes, model.loss_)
    found = json.loads(run("evaluate", "run/model.assay", loans, "--json").out)
    assert found["loss"] == pytest.approx(losses.mean()) and found["actions"] == ["bad", "good", "ask"]
    assert np.array(found["decisions"]).sum() == np.array(found["confusion"]).sum() == 150
    shown = run("evaluate", "run/model.assay", loans).text
    assert "mean loss" in shown and "true class (rows), action (columns)" in shown
    other = json.loads(run("evaluate", "run/model.assay", loans, "--loss", "bad:good=1", "--json").out)
    assert other["loss"] == pytest.approx(other["error"]) and other["actions"] == ["bad", "good"]


def test_a_class_with_costs_and_without_a_row_is_said(run: Run, loans: Path) -> None:
    lines = loans.read_text().splitlines()
    good = [line for line in lines if not line.endswith(",bad")]
    (loans.parent / "good.csv").write_text("\n".join(good) + "\n")
    done = run("evaluate", "run/model.assay", "good.csv")
    assert done.code == 0
    assert (
        "The loss has costs for class 'bad', of which good.csv has no rows; the mean loss is that of the other classes."
    ) in done.text


def test_the_report_shows_the_decisions(loans: Path) -> None:
    report = (loans.parent / "run" / "report.html").read_text()
    assert "A row counts under its action of least expected loss." in report
    assert "Rows by true class and action" in report


def test_the_command_to_use_the_model_is_predict_alone(run: Run, loans: Path) -> None:
    done = run(
        "compare", loans, "--target", "label", "--loss", LOSS, "--candidates", "baseline", "--out", "again"
    )
    assert "assay predict again/model.assay NEW.csv" in done.text and "assay decide" not in done.text


def test_a_loss_of_other_classes_is_not_stored(loans: Path) -> None:
    model = load("run/model.assay")
    model.loss_ = LossMatrix.zero_one(["worse", "better"])
    with raises("F083"):
        save(model, loans.parent / "other.assay")
