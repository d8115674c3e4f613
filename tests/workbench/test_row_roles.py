"""Columns of groups and weights: of any type, no features, and one sentence for each that cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay.notes import Note
from assay.workbench.problem import read_problem
from tests.raised import Expected, raises

ROWS = 60


def visits(**more: Any) -> dict[str, Any]:
    """Two numbers, a class, twenty patients of three rows each, and weights."""
    rng = np.random.default_rng(0)
    return {
        "x": rng.normal(size=ROWS),
        "z": rng.normal(size=ROWS),
        "patient": np.repeat([f"p{i}" for i in range(20)], 3),
        "w": np.tile([1.0, 2.0, 0.5], 20),
        "class": np.tile(["a", "b"], ROWS // 2),
        **more,
    }


@pytest.mark.parametrize(
    "values",
    [
        np.repeat(np.arange(20), 3),
        np.repeat(np.arange(20) * 1.5, 3),
        np.repeat([f"id-{i:05d}" for i in range(20)], 3),
        np.repeat(np.arange(20) + 2**60, 3),
        pd.date_range("2024-01-01", periods=20).repeat(3),
        np.repeat([f"a longer text about the patient number {i}" for i in range(20)], 3),
        np.repeat([True, False], 30),
    ],
    ids=["whole", "fractions", "identifiers", "long numbers", "dates", "texts", "truth"],
)
def test_groups_may_be_of_any_type(values: Any) -> None:
    problem = read_problem(pd.DataFrame(visits(patient=values)), groups="patient", weights="w")
    assert problem.groups is not None and problem.groups.count == len(np.unique(values))
    same = np.unique(values, return_inverse=True)[1]
    assert len(np.unique(np.stack([same, problem.groups.codes]), axis=1)[0]) == problem.groups.count
    assert problem.features.schema.names == ("x", "z") and "patient" not in problem.table.schema


def test_an_identifier_that_is_left_out_by_itself_groups_rows() -> None:
    ids = np.array([f"u{i:04d}" for i in range(ROWS)])
    ids[1] = ids[0]
    problem = read_problem(visits(patient=ids), groups="patient", drop=["w"])
    assert problem.groups is not None and problem.groups.figures["largest"] == 2


def test_dropping_the_column_of_groups_changes_nothing() -> None:
    problem = read_problem(visits(), groups="patient", weights="w", drop=["patient", "w", "z"])
    assert problem.features.schema.names == ("x",)
    assert problem.groups is not None and problem.weights is not None


def test_arrays_will_do_and_unlabelled_rows_take_their_values_along() -> None:
    data = visits()
    groups, weights = data.pop("patient"), data.pop("w")
    data["class"] = np.where(np.arange(ROWS) == 4, None, data["class"])
    problem = read_problem(data, groups=groups, weights=list(weights))
    assert problem.n_rows == ROWS - 1
    assert problem.weight is not None and np.array_equal(problem.weight, np.delete(weights, 4))
    assert problem.groups is not None and problem.groups.sizes.min() == 2 and problem.groups.name is None


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA, pd.NaT], ids=str)
def test_an_array_of_groups_has_a_value_for_every_row(nothing: Any) -> None:
    with raises("P721", rows=1):
        read_problem(visits(), groups=at(2, nothing, BASE["patient"]), drop=["w"])
    numbers = pd.Series(np.repeat(np.arange(20), 3), dtype="Int64")
    assert read_problem(visits(), groups=numbers, drop=["w"]).row_roles["groups"]["groups"] == 20


def test_rows_of_weight_zero_are_left_out() -> None:
    problem = read_problem(visits(w=np.tile([0.0, 1.0, 2.0], 20)), weights="w", groups="patient")
    assert problem.n_rows == 40 and problem.kept.tolist()[:3] == [1, 2, 4]
    assert Note("P141", rows=20, weights="column 'w'") in problem.notes
    assert problem.row_roles["weights"]["smallest"] == 1.0


def test_weights_may_be_read_as_anything_that_is_numbers() -> None:
    for values in (np.tile([0, 1], 30) + 1, [f"{k % 7 + 1}" for k in range(ROWS)], np.full(ROWS, 3)):
        problem = read_problem(visits(w=values), weights="w", drop=["patient"])
        assert problem.weight is not None
        assert problem.weight.tolist() == [float(value) for value in values]


def at(row: int, value: Any, values: Any) -> Any:
    """The values with one of them replaced."""
    changed = np.asarray(values).astype(object)
    changed[row] = value
    return list(changed)


BASE = visits()
REFUSED = {
    "no such groups": (
        {},
        {"groups": "patiant"},
        Expected("D102", kind="group column", name="patiant", near=["patient"]),
    ),
    "no such weights": ({}, {"weights": "ww"}, Expected("D102", kind="weight column", name="ww")),
    "groups are the target": (
        {},
        {"groups": "class"},
        Expected("P029", other="target", role="groups"),
    ),
    "weights are the target": ({}, {"weights": "class"}, Expected("P029", other="target", role="weights")),
    "groups are weights": (
        {},
        {"groups": "w", "weights": "w"},
        Expected("P029", other="groups", role="weights"),
    ),
    "a row without group": (
        {"patient": at(6, None, BASE["patient"])},
        {"groups": "patient"},
        Expected("P020", row=7, rows=1),
    ),
    "one group": ({"patient": ["p"] * ROWS}, {"groups": "patient"}, Expected("P021")),
    "a negative weight": (
        {"w": at(3, -1.0, BASE["w"])},
        {"weights": "w"},
        Expected("P023", weight=-1.0, row=4),
    ),
    "no weight": (
        {"w": at(3, None, BASE["w"])},
        {"weights": "w"},
        Expected("P724", row=4),
    ),
    "an infinite weight": ({"w": at(3, np.inf, BASE["w"])}, {"weights": "w"}, Expected("P023", row=4)),
    "a word": (
        {"w": at(3, "much", BASE["w"].astype(str))},
        {"weights": "w"},
        Expected("P019", value="much", row=4),
    ),
    "dates": (
        {"w": pd.date_range("2024-01-01", periods=ROWS)},
        {"weights": "w"},
        Expected("P728"),
    ),
    "nothing counts": ({"w": np.zeros(ROWS)}, {"weights": "w"}, Expected("P024")),
    "one class counts": (
        {"w": np.tile([0, 3], ROWS // 2)},
        {"weights": "w"},
        Expected("P025", target="class", label="b"),
    ),
    "groups too short": ({}, {"groups": ["a", "b"]}, Expected("P022", n_rows=60)),
    "weights too short": ({}, {"weights": [1.0]}, Expected("P026", n_rows=60)),
    "words as weights": ({}, {"weights": ["a"] * ROWS}, Expected("P028")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_one_sentence(case: str) -> None:
    changed, asked, expected = REFUSED[case]
    with raises(expected) as caught:
        read_problem(visits(**changed), "class", **asked)
    assert str(caught.value).count(". ") == 0 and str(caught.value).endswith((".", "?"))


def test_rows_without_a_label_need_neither_group_nor_weight() -> None:
    data = visits(w=at(3, None, BASE["w"]), patient=at(3, None, BASE["patient"]))
    data["class"] = at(3, None, data["class"])
    assert read_problem(data, groups="patient", weights="w").n_rows == ROWS - 1


def test_the_target_is_not_guessed_among_groups_and_weights() -> None:
    data = visits()
    data["label"] = data.pop("patient")
    assert read_problem(data, groups="label", drop=["w"]).target == "class"
