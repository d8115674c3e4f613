"""Values that training never showed: counted, named and warned about."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay import read
from assay.catalog import entry
from assay.data.unseen_categories import UnseenValues
from assay.models.table.build import build
from assay.notes import Note
from tests.raised import warns

SENTENCE = Note("D229", "sex", unseen=30, present=30, examples=["Male", "Female"], known=["female", "male"])


@pytest.fixture
def passengers() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    sex = rng.choice(["female", "male"], 90)
    alive = np.where((sex == "female") ^ (rng.random(90) < 0.2), "yes", "no")
    return pd.DataFrame({"sex": sex, "fare": rng.normal(size=90).round(3), "alive": alive})


@pytest.fixture
def renamed(passengers: pd.DataFrame) -> pd.DataFrame:
    new = passengers.tail(30).copy()
    new["sex"] = ["Male", *["Female"] * 14, *["Male"] * 15]
    return new


@pytest.mark.parametrize("name", ["gaussian_nb", "logistic", "mixed_nb", "decision_tree"])
def test_a_model_warns_and_keeps_the_sentence(passengers: Any, renamed: Any, name: str) -> None:
    model = build(entry(name)).fit(passengers, target="alive")
    learned = model.diagnostics_
    with pytest.warns(UserWarning) as told:
        model.predict(renamed.drop(columns="alive"))
    assert {str(each.message) for each in told} == {SENTENCE}
    assert model.diagnostics_ == (*learned, SENTENCE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(passengers)
    with warns("D229", UserWarning, unseen=1, present=2):
        model.predict(pd.DataFrame({"sex": ["male", "x"], "fare": [0.1, 0.2]}))
    assert len(model.diagnostics_) == len(learned) + 1


def test_counts_go_on_from_block_to_block_and_many_values_are_cut_short() -> None:
    schema = read({"x": ["a", "b", "c"], "y": ["p", None, "p"]}).schema
    found = UnseenValues(schema)
    for start in (0, 20):
        rows = {"x": [f"v{i}" for i in range(start, start + 20)], "y": ["q", None] * 10}
        found.add(read(rows, schema=schema))
    of_x, of_y = found.sentences
    examples = [f"v{i}" for i in range(40)]
    assert of_x == Note("D229", "x", unseen=40, present=40, examples=examples, known=["a", "b", "c"])
    assert "'v4' and 35 more" in of_x
    assert of_y == Note("D229", "y", unseen=20, present=40, examples=["q"], known=["p"])


def test_levels_of_another_table_are_named() -> None:
    schema = read({"x": ["a", "b", "c"]}).schema
    other = read({"x": ["a", "z", "b"]})
    assert UnseenValues(schema).add(read(other, schema=schema)).sentences == (
        Note("D229", "x", unseen=1, present=3, examples=["z"], known=["a", "b", "c"]),
    )
