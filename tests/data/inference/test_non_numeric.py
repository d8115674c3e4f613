"""A word in a column of numbers is told of: which column, where, what, and how to read it otherwise."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assay import read
from assay.data.read import scan
from assay.notes import as_note
from tests.commands.conftest import write_csv

AGES = [str(20 + i % 30) for i in range(40)]


def table(path: Path, ages: list[str]) -> Path:
    rows = [[age, i % 7, "ab"[i % 2]] for i, age in enumerate(ages)]
    return write_csv(path / "t.csv", ["age", "x", "class"], rows)


def test_the_note_names_column_line_value_and_what_to_do(tmp_path: Path) -> None:
    ages = [*AGES]
    ages[11], ages[30] = "unknown", "young"
    source = table(tmp_path, ages)
    column = read(source).schema["age"]
    assert column.type == "categorical"
    note = as_note(column.note)
    values = {"type": "categorical", "place": "line 13", "source": "t.csv", "value": "unknown", "others": 1}
    assert (note.code, note.subject, note.values) == ("D224", "age", values)
    assert scan(source).schema["age"].note == column.note
    assert read(source, types={"age": "categorical"}).schema["age"].note == ""
    ages[11] = ages[30] = ""
    assert read(table(tmp_path, ages)).schema["age"].type == "numeric"


def test_of_a_frame_the_row_is_named() -> None:
    values = [*AGES[:25], "many"]
    note = as_note(read(pd.DataFrame({"age": values, "x": range(26)})).schema["age"].note)
    assert note.code == "D223" and note.values["place"] == "row 26" and note.values["value"] == "many"


def test_numbers_that_all_differ_are_an_identifier_only_with_a_note(tmp_path: Path) -> None:
    source = table(tmp_path, [f"{i * 0.37:.3f}" for i in range(39)] + ["high"])
    column = read(source).schema["age"]
    note = as_note(column.note)
    assert (column.type, note.code, note.values["type"]) == ("identifier", "D223", "identifier")
    assert note.values["place"] == "line 41"


@pytest.mark.parametrize(
    "values",
    [
        ["0", "1", "2", "3 or more"] * 10,  # few numbers are names of classes
        [f"{i:03d}" for i in range(20)] + ["x"] * 2,  # as are those with zeros in front
        [f"a{i % 12}" for i in range(40)],
        [str(i % 12) for i in range(20)] + ["x"] * 10,  # hardly a column of numbers
        AGES,
    ],
    ids=["few numbers", "keys", "text", "many words", "numbers"],
)
def test_other_columns_have_no_note(tmp_path: Path, values: list[str]) -> None:
    assert read(table(tmp_path, values)).schema["age"].note == ""
