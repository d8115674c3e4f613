"""`assay describe`: types with reasons, classes, warnings."""

from __future__ import annotations

from pathlib import Path

from assay.commands.describe.job import describe
from assay.notes import render
from assay.notes.voices import SHELL
from tests.commands.conftest import Run, write_csv


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
    plain = describe(loans, "class").to_json()
    assert (figures["source"], figures["rows"]) == (plain["name"], plain["n_rows"])
    assert figures["counts"] == {each["label"]: each["rows"] for each in plain["classes"]}
    for name in ("target", "columns", "unlabelled"):
        assert figures[name] == plain[name]
    assert [each["observed"] for each in figures["findings"]] == [
        each["observed"] for each in plain["findings"]
    ]


def test_what_gives_no_reason_to_act_is_shown_when_asked_for(run: Run, loans: Path) -> None:
    found = describe(loans, "class")
    quiet = [render(each.sentence, SHELL) for each in found.findings if not each.warn]
    warned = [render(each.sentence, SHELL) for each in found.findings if each.warn]
    done, whole = (
        run("describe", loans, "--target", "class"),
        run("describe", loans, "--target", "class", "--all"),
    )
    assert quiet and f"{len(quiet)} checks passed; --all shows" in done.text
    assert "Checks passed" not in done.text and not any(sentence in done.text for sentence in quiet)
    assert "Checks passed" in whole.text and all(sentence in whole.text for sentence in quiet)
    assert all(sentence in done.text for sentence in warned)


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
    assert types["day"] == "date" and types["gap"] == "no values"
