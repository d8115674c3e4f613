"""Markers of missing values at the command line: read, said, turned off, and kept in the model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.commands.conftest import Run

QUICK = ("--candidates", "baseline,gaussian_nb,logistic", "--plan", "kfold:3")


@pytest.fixture
def credit(tmp_path: Path) -> Path:
    """Labels + and -, as UCI's credit screening data has them, and a grade that may be "-" itself."""
    rng = np.random.default_rng(3)
    size = rng.normal(size=120)
    label = np.where(size + 0.7 * rng.normal(size=120) > 0, "+", "-")
    grade = rng.choice(["-", "a", "b", "?"], size=120)
    rows = [f"{x:.3f},{g},{y}" for x, g, y in zip(size, grade, label, strict=True)]
    path = tmp_path / "credit.csv"
    path.write_text("\n".join(["size,grade,approved", *rows]) + "\n")
    return path


def test_labels_plus_and_minus_compare_and_predict(run: Run, credit: Path) -> None:
    done = run("compare", credit, "--target", "approved", *QUICK, "--out", "run", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["classes"] == ["+", "-"] and found["rows"] == 120
    note = next(note for note in found["notes"] if note.startswith("Read as missing values"))
    grades = credit.read_text()
    assert (
        f"'?' {grades.count(',?,')} times ('grade')" in note
        and f"'-' {grades.count(',-,')} times ('grade')" in note
    )
    assert "if these are values, name other markers with --missing." in note
    tested = json.loads(run("evaluate", "run/model.assay", credit, "--json").out)
    assert tested["rows"] == 120 and np.array(tested["confusion"]).sum() == 120
    predicted = run("predict", "run/model.assay", credit).out.split()
    assert set(predicted[1:]) == {"+", "-"}


def test_markers_can_be_turned_off_and_the_model_keeps_that(run: Run, credit: Path) -> None:
    named = ("--missing", "?", "--missing", "unknown")
    done = run("describe", credit, *named, "--json")
    notes, grade = json.loads(done.out)["notes"], json.loads(done.out)["columns"][1]
    assert [level["level"] for level in grade["levels"]] != [] and grade[
        "missing"
    ] == credit.read_text().count(",?,")
    assert len(notes) == 1 and "'-'" not in notes[0]
    fit = run(
        "fit", credit, "--target", "approved", "--model", "logistic", "--out", "m.assay", *named, "--json"
    )
    assert fit.code == 0
    new = credit.parent / "new.csv"
    new.write_text("size,grade\n0.1,-\n0.1,?\n0.1,unknown\n")
    assert (
        run("predict", "m.assay", new, "--proba").out.splitlines()[2]
        == (run("predict", "m.assay", new, "--proba").out.splitlines()[3])
    )
    rows = run("predict", "m.assay", new, "--proba").out.splitlines()
    assert rows[1] != rows[2]
    assert (
        run("predict", "m.assay", new, "--proba", "--missing", "-").out.splitlines()[1] == rows[1]
    )  # a level
    assert run("describe", credit, "--missing", "", "--json").out.count("Read as missing") == 0


def test_the_commands_of_a_run_name_the_markers(run: Run, credit: Path) -> None:
    named = ("--missing", "?", "--missing", "x y")
    done = run("compare", credit, "--target", "approved", *QUICK, *named, "--out", "run", "--json")
    shell, python = json.loads(done.out)["commands"]
    assert "--missing '?' --missing 'x y'" in shell and "missing=['?', 'x y']" in python
    assert run("report", "run", "--out", "again.html").code == 0
    assert Path("again.html").read_text() == Path("run/report.html").read_text()
