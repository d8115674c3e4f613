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

SENTENCE = "column sex: 30 of 30 values never seen in training ('Male', 'Female'; known: female, male)"


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
    with pytest.warns(UserWarning, match=r"column sex: 1 of 2 values never seen"):
        model.predict(pd.DataFrame({"sex": ["male", "x"], "fare": [0.1, 0.2]}))
    assert len(model.diagnostics_) == len(learned) + 1


def test_counts_go_on_from_block_to_block_and_many_values_are_cut_short() -> None:
    schema = read({"x": ["a", "b", "c"], "y": ["p", None, "p"]}).schema
    found = UnseenValues(schema)
    for start in (0, 20):
        rows = {"x": [f"v{i}" for i in range(start, start + 20)], "y": ["q", None] * 10}
        found.add(read(rows, schema=schema))
    of_x, of_y = found.sentences
    assert of_x == (
        "column x: 40 of 40 values never seen in training ('v0', 'v1', 'v2', 'v3', 'v4' and 35 more; known: a, b, c)"
    )
    assert of_y == "column y: 20 of 40 values never seen in training ('q'; known: p)"


def test_levels_of_another_table_are_named() -> None:
    schema = read({"x": ["a", "b", "c"]}).schema
    other = read({"x": ["a", "z", "b"]})
    assert UnseenValues(schema).add(read(other, schema=schema)).sentences == (
        "column x: 1 of 3 values never seen in training ('z'; known: a, b, c)",
    )
