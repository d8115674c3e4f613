"""A new table read as a schema says: what is missing, what is new, what does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from assay.data import MISSING, UNSEEN, Column, Schema, Table, read, scan
from tests.raised import Expected, raises

SCHEMA = Schema(
    (
        Column("age", "numeric"),
        Column("city", "categorical", ("Bonn", "Rome", "York")),
        Column("grade", "categorical", (1, 2, 3)),
        Column("when", "date"),
        Column("note", "text"),
        Column("y", "binary", ("no", "yes")),
    )
)
ROWS: dict[str, list[Any]] = {
    "extra": [1, 2, 3],
    "y": ["no", "yes", None],
    "grade": ["1", "2.0", "?"],
    "city": ["York", "Oslo", " Bonn "],
    "age": ["31", "NA", "2.5"],
    "when": ["1970-01-02", "", "1970-01-01T12:00"],
    "note": ["a", "b", None],
}


def test_columns_are_found_by_name_and_further_ones_ignored() -> None:
    table = read(ROWS, schema=SCHEMA)
    assert table.schema == SCHEMA
    np.testing.assert_array_equal(table["age"], [31, np.nan, 2.5])
    assert table["city"].tolist() == [2, UNSEEN, 0]
    assert table["grade"].tolist() == [0, 1, MISSING]
    np.testing.assert_array_equal(table["when"], [1.0, np.nan, 0.5])
    assert table["note"].to_pylist() == ["a", "b", None]
    assert table["y"].tolist() == [0, 1, MISSING]


def test_the_target_may_be_absent_and_nothing_else() -> None:
    rows = {name: values for name, values in ROWS.items() if name != "y"}
    assert read(rows, schema=SCHEMA, target="y").schema.names == SCHEMA.names[:-1]
    with raises("D090", source="the dictionary", columns=["y"]):
        read(rows, schema=SCHEMA)
    del rows["age"]
    with raises("D090", source="the dictionary", columns=["age", "y"]):
        read(rows, schema=SCHEMA)


@pytest.mark.parametrize(
    "name, value, expected",
    [
        (
            "age",
            "old",
            Expected("D089", expected="numbers", place="row 2", source="the dictionary", value="old"),
        ),
        (
            "when",
            "soon",
            Expected("D089", expected="dates", place="row 2", source="the dictionary", value="soon"),
        ),
    ],
)
def test_what_does_not_fit_is_named(name: str, value: str, expected: Expected) -> None:
    with raises(expected):
        read({**ROWS, name: [None, value, None]}, schema=SCHEMA)


def test_in_a_file_the_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("age\n31\nold\n")
    with raises("D089", place="line 3", source="new.csv", value="old"):
        read(tmp_path / "new.csv", schema=SCHEMA.select(["age"]))


LEVELS: list[tuple[tuple[Any, ...], list[Any], list[int]]] = [
    ((1, 2), [1.0, 2.0, 3.0], [0, 1, UNSEEN]),
    ((1, 2), ["1", " 2 ", "1.0"], [0, 1, 0]),
    (("1", "2"), [1, 2, 5], [0, 1, UNSEEN]),
    (("1", "1.0"), ["1", "1.0", "1.00"], [0, 1, 0]),
    ((0.5, 1.5), ["0.50", "1.5", "2"], [0, 1, UNSEEN]),
    ((False, True), ["false", "True", "1"], [0, 1, 1]),
    ((False, True), [True, False, None], [1, 0, MISSING]),
    ((0, 1), [True, False, None], [1, 0, MISSING]),
    (("00087", "87"), ["00087", "87", "087"], [0, 1, UNSEEN]),
    ((10**17, 10**17 + 1), [str(10**17 + 1), str(10**17), str(10**17 + 2)], [1, 0, UNSEEN]),
    (("a",), ["A", "a", "a "], [UNSEEN, 0, 0]),
    ((), ["a", "b", None], [UNSEEN, UNSEEN, MISSING]),
]


@pytest.mark.parametrize("levels, values, codes", LEVELS)
def test_spellings_of_a_level(levels: tuple[Any, ...], values: list[Any], codes: list[int]) -> None:
    schema = Schema((Column("x", "categorical", levels),))
    assert read({"x": values}, schema=schema)["x"].tolist() == codes
    assert read(pd.DataFrame({"x": values}), schema=schema)["x"].tolist() == codes


def test_a_table_is_fitted_to_another_schema() -> None:
    old = Schema(
        (Column("c", "categorical", ("a", "b", "z")), Column("n", "categorical", (1, 2)), Column("d", "date"))
    )
    table = Table(
        old,
        {
            "c": np.array([0, 2, MISSING, UNSEEN, 1], dtype=np.int32),
            "n": np.array([0, 1, 1, MISSING, 0], dtype=np.int32),
            "d": np.array([0.5, np.nan, 1.0, 2.0, 3.0]),
        },
    )
    new = Schema((Column("d", "date"), Column("n", "numeric"), Column("c", "binary", ("b", "a"))))
    found = read(table, schema=new)
    assert found.schema == new
    assert found["c"].tolist() == [1, UNSEEN, MISSING, UNSEEN, 0]
    np.testing.assert_array_equal(found["n"], [1, 2, 2, np.nan, 1])
    assert found["d"] is table["d"]
    assert read(table, schema=old)["c"] is table["c"]


def test_a_scan_by_schema_makes_no_pass(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("city\n" + "Rome\nOslo\n" * 10)
    source = scan(tmp_path / "a.csv", schema=SCHEMA.select(["city"]))
    assert source.n_rows is None
    assert [block["city"].tolist() for block in source.blocks(15)] == [
        ([1, UNSEEN] * 10)[:15],
        ([1, UNSEEN] * 10)[15:],
    ]


@pytest.mark.parametrize(("column", "value"), [("age", "old"), ("when", "soon")])
def test_advice_about_a_misfit_names_only_what_can_be_done(column: str, value: str) -> None:
    rows = {**ROWS, column: [*ROWS[column][:2], value]}
    with raises("D089", subject=column, place="row 3", source="the dictionary", value=value):
        read(rows, schema=SCHEMA)
    with raises("D235", subject=column, place="row 3", source="the dictionary", value=value):
        read(rows, types={column: "numeric" if column == "age" else "date"})


def test_a_table_without_rows_has_the_columns_of_the_schema(tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text(",".join(SCHEMA.names) + "\n")
    pd.DataFrame({name: [] for name in SCHEMA.names}).to_parquet(tmp_path / "none.parquet")
    pd.DataFrame({name: [] for name in SCHEMA.names}).to_feather(tmp_path / "none.feather")
    for source in (*tmp_path.iterdir(), {name: [] for name in SCHEMA.names}):
        table = read(source, schema=SCHEMA)
        assert table.schema == SCHEMA and table.n_rows == 0
        assert [block.n_rows for block in scan(source, schema=SCHEMA).blocks()] == [0]
