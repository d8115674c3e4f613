"""Texts that stand for missing values: which they are, what can be said otherwise, and that a schema keeps it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assay.data import MISSING, Column, read
from assay.data.missing_values import ABSENT, MISSING_MARKERS
from assay.data.schema import Schema
from tests.raised import raises

ALL = {"sign": ["+", "-", "+", "?"], "word": ["a", "-", "b", "?"], "size": ["1.5", "-", "2.5", "?"]}


def test_a_dash_is_a_value_beside_a_plus_and_a_missing_value_elsewhere() -> None:
    found = read(ALL)
    assert found.schema["sign"].levels == ("+", "-")
    assert found["sign"].tolist() == [0, 1, 0, MISSING]
    assert found.schema["word"].levels == ("a", "b")
    assert np.isnan(found["size"][[1, 3]]).all()
    assert [dict(column.marked) for column in found.schema] == [{"?": 1}, {"-": 1, "?": 1}, {"-": 1, "?": 1}]
    assert [column.missing for column in found.schema] == [1, 2, 2]


@pytest.mark.parametrize("labels", [["+", "-", "+", "-"], ["ill", "-", "ill", "-"]])
def test_a_dash_is_a_label_where_a_target_has_one_other(labels: list[str]) -> None:
    found = read({"x": [1.5, 2.5, 3.5, 4.5], "y": labels}, target="y")
    assert found.labels("y").tolist() == labels


def test_a_target_of_three_labels_has_rows_without_one() -> None:
    found = read({"x": [1.5, 2.5, 3.5], "y": ["a", "b", "-"]}, target="y")
    assert found["y"].tolist() == [0, 1, MISSING]


@pytest.mark.parametrize("missing", [[], (), "", [""]])
def test_no_marker_but_empty_values(missing: Any) -> None:
    found = read({"x": ["a", "NA", "-", "", None, "?"]}, missing=missing)
    assert found.schema["x"].levels == ("-", "?", "NA", "a")
    assert found.schema["x"].missing == 2 and found.schema["x"].marked == ()


def test_markers_are_texts_in_any_case_or_numbers_in_any_spelling() -> None:
    rows = {"text": ["9", "-999", "-999.0", "Unknown", " unknown ", "8.5"], "number": [9, -999, 3, 4, 5, 8.5]}
    found = read(rows, missing=["unknown", -999])
    assert [column.type for column in found.schema] == ["numeric", "numeric"]
    assert [column.missing for column in found.schema] == [4, 1]
    assert dict(found.schema["text"].marked) == {"-999": 1, "-999.0": 1, "Unknown": 1, "unknown": 1}
    assert dict(found.schema["number"].marked) == {"-999": 1}


def test_a_marker_must_be_text_or_a_number() -> None:
    with raises("D100"):
        read({"x": ["a", "b"]}, missing=[None])


@pytest.mark.parametrize("missing", [None, [], ["unknown"]])
def test_a_schema_reads_new_rows_as_it_was_read(missing: Any) -> None:
    rows = {"sign": ["+", "-", "+"], "word": ["a", "-", "unknown"], "size": ["1.5", "2.5", ""]}
    table = read(rows, missing=missing)
    again = Schema.from_json(table.schema.to_json())
    assert again == table.schema
    for name in rows:
        assert np.array_equal(read(rows, schema=again)[name], table[name], equal_nan=name == "size")


def test_markers_of_a_schema_can_be_replaced() -> None:
    schema = read({"x": ["a", "none", "-", "b"]}, missing=["-"]).schema
    assert read({"x": ["-", "none"]}, schema=schema)["x"].tolist() == [MISSING, 2]
    assert read({"x": ["b", "a"]}, schema=schema, missing=["b"])["x"].tolist() == [1, 0]  # a level is a value
    numbers = read({"x": [1.5, 2.5]}).schema
    assert np.isnan(read({"x": [-1, 2.5]}, schema=numbers, missing=[-1])["x"]).tolist() == [True, False]


def test_usual_markers_are_not_written_down() -> None:
    assert "markers" not in Column("x", "numeric").to_json()
    assert Column("x", "numeric").markers == MISSING_MARKERS


@pytest.mark.parametrize(
    ("values", "value"), [(["yes", None, "yes"], "yes"), ([1, None, 1], 1), ([None, True], True)]
)
def test_one_value_or_none_is_a_feature_of_two_levels(values: list[Any], value: Any) -> None:
    table = read({"x": values})
    column = table.schema["x"]
    assert (column.type, column.levels, column.missing, column.presence) == (
        "binary",
        (ABSENT, value),
        0,
        True,
    )
    codes = [0 if each is None else 1 for each in values]
    assert table["x"].tolist() == codes
    assert read({"x": values}, schema=Schema.from_json(table.schema.to_json()))["x"].tolist() == codes
    assert read({"x": ["other", None]}, schema=table.schema)["x"].tolist() == [-2, 0]
    assert read(table, schema=table.schema)["x"].tolist() == codes


def test_rows_without_the_only_label_have_none() -> None:
    table = read({"x": [1.5, 2.5], "y": ["a", None]})
    with raises("D106", subject="y"):
        table.labels("y")
