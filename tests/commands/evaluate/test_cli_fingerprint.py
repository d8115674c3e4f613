"""`assay evaluate` knows the rows again that a model was trained on, unless its file keeps no hashes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay import load
from tests.commands.conftest import Run

SAYS = (
    "The estimates are optimistically biased: about {} % of these rows were in the training data; evaluate on "
    "rows that were not."
)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    x, kind = rng.normal(size=400), rng.choice(["a", "b", "c"], 400)
    label = np.where(x + rng.normal(size=400) > 0, "yes", "no")
    lines = [f"{u:.9f},{k},{y}" for u, k, y in zip(x, kind, label, strict=True)]
    for name, part in (("train", lines[:200]), ("new", lines[200:]), ("mixed", lines[60:260])):
        (tmp_path / f"{name}.csv").write_text("\n".join(["x,kind,label", *part]) + "\n")
    return tmp_path


def written(run: Run, command: str, *options: str) -> str:
    if command == "compare":
        asked = ("--candidates", "baseline,logistic", "--plan", "kfold:3", "--out", "run")
        assert run("compare", "train.csv", "--target", "label", *asked, *options).code == 0
        return "run/model.assay"
    done = run("fit", "train.csv", "--target", "label", "--model", command, "--out", "m.assay", *options)
    assert done.code == 0, done.err
    return "m.assay"


@pytest.mark.parametrize("command", ["compare", "gaussian_nb", "knn"])  # a run, block by block, all at once
def test_known_rows_are_said_and_new_ones_are_not(run: Run, rows: Path, command: str) -> None:
    model = written(run, command)
    assert SAYS.format(100) in run("evaluate", model, "train.csv").text
    assert SAYS.format(70) in run("evaluate", model, "mixed.csv", "--json").json["notes"]
    assert "training data" not in run("evaluate", model, "new.csv").text
    assert len(load(model).fingerprint_.hashes) == 200


@pytest.mark.parametrize("command", ["compare", "gaussian_nb", "knn"])
def test_files_may_keep_no_hashes(run: Run, rows: Path, command: str) -> None:
    model = written(run, command, "--no-fingerprint")
    assert load(model).fingerprint_ is None
    assert "training data" not in run("evaluate", model, "train.csv").text


def test_the_same_rows_make_the_same_file(run: Run, rows: Path) -> None:
    first = (rows / written(run, "knn")).read_bytes()
    assert (rows / written(run, "knn")).read_bytes() == first
