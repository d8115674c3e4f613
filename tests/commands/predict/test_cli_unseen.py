"""Values that training never showed are said by the commands that meet them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from assay import load
from assay.notes import Note, note_of
from tests.commands.conftest import Run

SENTENCE = Note("D229", "sex", unseen=30, present=30, examples=["Male", "Female"], known=["female", "male"])


def test_predict_and_evaluate_say_it(run: Run, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    sex, alive = rng.choice(["female", "male"], 90), rng.choice(["no", "yes"], 90)
    old = pd.DataFrame({"sex": sex, "fare": rng.normal(size=90), "alive": alive})
    new = old.tail(30).assign(sex=["Male", *["Female"] * 14, *["Male"] * 15])
    old.to_csv(tmp_path / "old.csv", index=False)
    new.to_csv(tmp_path / "new.csv", index=False)
    assert run("fit", "old.csv", "--target", "alive", "--model", "logistic", "--out", "m.assay").code == 0
    predicted = run("predict", "m.assay", "new.csv")
    assert predicted.code == 0 and predicted.err == f"assay: Note D229: {SENTENCE}\n"
    assert len(predicted.out.splitlines()) == 31
    assert json.loads(run("predict", "m.assay", "new.csv", "--json").out)["notes"] == [SENTENCE]
    assert SENTENCE in run("evaluate", "m.assay", "new.csv").text
    assert SENTENCE in json.loads(run("evaluate", "m.assay", "new.csv", "--json").out)["notes"]
    assert run("predict", "m.assay", "old.csv").err == ""
    with pytest.warns(UserWarning) as warned:
        load("m.assay").predict("new.csv")
    assert [note_of(warning.message) for warning in warned] == [SENTENCE]
