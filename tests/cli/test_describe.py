"""`assay describe`: types with reasons, classes, warnings."""

from __future__ import annotations

from pathlib import Path

from assay.workbench.describe import describe
from tests.cli.conftest import Run, write_csv


def test_every_column_with_type_and_reason(run: Run, loans: Path) -> None:
    done = run("describe", loans, "--target", "class")
    assert (done.code, done.err) == (0, "")
    found = describe(loans, "class")
    lines = done.out.splitlines()
    for column in found.columns:
        line = next(each for each in lines if each.startswith(f"  {column.name} "))
        assert column.type in line and column.reason in line
    assert "240 rows, 6 columns" in done.text and "Classes of class" in done.text


def test_json_is_the_description(run: Run, loans: Path) -> None:
    figures = run("describe", loans, "--target", "class", "--json").json
    figures.pop("assay")
    assert figures == describe(loans, "class").to_json()


def test_options_change_what_is_read(run: Run, loans: Path) -> None:
    args = ("--type", "age=categorical", "--drop", "loan", "--json")
    columns = {each["name"]: each for each in run("describe", loans, *args).json["columns"]}
    assert "loan" not in columns and columns["age"]["type"] == "categorical"


def test_a_leak_is_a_warning(run: Run, tmp_path: Path) -> None:
    rows = [[i % 13, "ab"[i % 2], "yes" if i % 2 else "no"] for i in range(60)]
    write_csv(tmp_path / "t.csv", ["x", "copy", "class"], rows)
    done = run("describe", "t.csv", "--target", "class")
    assert "Warnings" in done.text and "'copy'" in done.text


def test_quiet_is_the_table_only(run: Run, loans: Path) -> None:
    assert len(run("describe", loans, "--quiet").out.splitlines()) == 7


def test_dates_gaps_and_many_categories_are_described(run: Run, tmp_path: Path) -> None:
    rows = [[f"2020-01-{1 + i % 28:02d}", "", f"c{i}", "ab"[i % 2], i] for i in range(12_000)]
    write_csv(tmp_path / "t.csv", ["day", "gap", "code", "class", "x"], rows)
    done = run("describe", "t.csv", "--target", "class", "--json")
    types = {each["name"]: each["type"] for each in done.json["columns"]}
    assert types["day"] == "date" and types["gap"] == "constant"
