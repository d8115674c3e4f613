"""`assay decide`: the actions that Python decides, from what `predict --proba` wrote."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from assay import decide, read
from assay.storage.model_file import load
from assay.workbench.syntax.loss import parse_loss
from tests.commands.conftest import Run, write_csv

COSTS = "bad:good=5,*:ask=0.4"


def test_posteriors_of_predict_become_actions(run: Run, loans: Path) -> None:
    assert run("fit", loans, "--target", "class", "--model", "gaussian_nb", "--out", "m.assay").code == 0
    assert run("predict", "m.assay", loans, "--proba", "--out", "p.csv").code == 0
    done = run("decide", "p.csv", "--loss", COSTS)
    assert (done.code, done.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    expected = load("m.assay").decide(read(loans), parse_loss(COSTS, ["bad", "good"]))
    assert [row["action"] for row in rows] == [str(action) for action in expected.actions]
    assert [float(row["risk"]) for row in rows] == expected.risk.tolist()
    assert "ask" in {row["action"] for row in rows}


def test_bare_columns_and_certain_rows(run: Run, tmp_path: Path) -> None:
    write_csv(tmp_path / "p.csv", ["a", "b"], [[1, 0], [0, 1], [1, 0]])
    done = run("decide", "p.csv")
    assert done.out.splitlines() == ["action,risk", "a,0.0", "b,0.0", "a,0.0"]


def test_other_columns_stand_beside_posteriors(run: Run, tmp_path: Path) -> None:
    write_csv(
        tmp_path / "p.csv",
        ["id", "predicted", "P(a)", "P(b)"],
        [["x1", "a", 0.6, 0.4], ["x2", "b", 0.1, 0.9]],
    )
    figures = run("decide", "p.csv", "--loss", "b:a=9", "--json").json
    assert [row["action"] for row in figures["decisions"]] == ["b", "b"]
    assert figures["actions"] == {"a": 0, "b": 2} and figures["rejected"] == 0


def test_new_priors(run: Run, tmp_path: Path) -> None:
    posterior = np.array([[0.7, 0.3], [0.2, 0.8]])
    write_csv(tmp_path / "p.csv", ["a", "b"], posterior.tolist())
    args = ("--priors", "a=0.1,b=0.9", "--trained-priors", "a=0.5,b=0.5", "--json")
    figures = run("decide", "p.csv", *args).json
    expected = decide(posterior, None, [0.1, 0.9], trained_priors=[0.5, 0.5])
    assert [row["risk"] for row in figures["decisions"]] == expected.risk.tolist()
    assert figures["mean_risk"] == pytest.approx(expected.risk.mean())


def test_a_file_and_a_summary(run: Run, tmp_path: Path) -> None:
    write_csv(tmp_path / "p.csv", ["a", "b"], [[0.5, 0.5], [0.0, 1.0]])
    done = run("decide", "p.csv", "--loss", "*:ask=0.1", "--out", "d.jsonl")
    assert done.code == 0 and "Rejected (an action that is not a class): 1 of 2 rows." in done.text
    assert (tmp_path / "d.jsonl").read_text().splitlines()[0] == '{"action": "ask", "risk": 0.1}'
    assert run("decide", "p.csv", "--out", "d.csv", "--quiet") == (0, "", "")
