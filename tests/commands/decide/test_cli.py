"""`assay decide`: the actions that Python decides, from what `predict --proba` wrote."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import decide, read
from assay.commands.decide.job import decide_source
from assay.storage.model_file import load
from assay.workbench.syntax.loss import parse_loss
from tests.commands.conftest import Run, write_csv
from tests.raised import raises

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


@pytest.mark.parametrize(
    ("rows", "column", "place", "value"),
    [
        ([["x", 3.0], ["y", 4.0]], "a", "line 2", "x"),
        ([[0.5, 3.0], [0.25, 4.0]], "b", "row 1", 3.0),
        ([[0.5, 0.5], [-0.5, 1.0]], "a", "row 2", -0.5),
    ],
)
def test_a_table_without_posteriors_is_recognised(
    tmp_path: Path, rows: list[list[Any]], column: str, place: str, value: Any
) -> None:
    path = write_csv(tmp_path / "m.csv", ["a", "b"], rows)
    with raises("C064", source="m.csv", column=column, place=place, value=value):
        decide_source(path)


def test_bad_posteriors_are_named(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "p.csv", ["P(a)", "P(b)"], [[0.5, "high"], [0.5, 0.5]])
    with raises("C065", column="P(b)", place="line 2", source="p.csv", value="high"):
        decide_source(path)
    path = write_csv(tmp_path / "gap.csv", ["P(a)", "P(b)"], [[0.5, 0.5], [0.5, ""]])
    with raises("C032", row=2, column="P(b)"):
        decide_source(path)
    with raises("C031"):
        decide_source(write_csv(tmp_path / "one.csv", ["P(a)", "size"], [[0.5, 2.0]]))
    done = run("decide", write_csv(tmp_path / "raw.csv", ["size", "kind"], [[12, "cat"]]))
    assert (done.code, done.out) == (2, "") and "`assay predict MODEL TABLE --proba`" in done.err
