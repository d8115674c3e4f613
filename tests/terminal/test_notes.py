"""Notes on a terminal and in JSON: shell words, --ignore, and `codes`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.notes.texts import RETIRED
from tests.commands.conftest import write_csv
from tests.program import Run


@pytest.fixture
def gaps(tmp_path: Path) -> Path:
    """Two clusters, and one row with a missing value."""
    draw = np.random.default_rng(0)
    rows: list[list[Any]] = [[*(10.0 * (i % 2) + draw.normal(size=2)).round(3)] for i in range(40)]
    rows[3][0] = ""
    return write_csv(tmp_path / "gaps.csv", ["a", "b"], rows)


def codes(figures: dict[str, Any]) -> set[str]:
    return {record["code"] for record in figures.get("codes", ())}


def test_a_note_begins_with_its_code(run: Run, gaps: Path) -> None:
    assert "Note C304: 1 row of 40 had missing values" in run("cluster", gaps, "--k", "2").text


def test_json_lists_the_codes_of_all_notes(run: Run, gaps: Path) -> None:
    figures = run("cluster", gaps, "--k", "2", "--json").json
    (record,) = [record for record in figures["codes"] if record["code"] == "C304"]
    assert record["level"] == "info" and record["values"] == {"rows": 1, "total": 40}
    assert record["sentence"] in figures["notes"]


def test_an_ignored_note_is_neither_in_text_nor_in_json(run: Run, gaps: Path) -> None:
    shown = run("cluster", gaps, "--k", "2", "--ignore", "C304")
    assert shown.code == 0 and "C304" not in shown.out and "missing values" not in shown.text
    figures = run("cluster", gaps, "--k", "2", "--json", "--ignore", "C304").json
    assert "C304" not in codes(figures)
    assert not any("missing values" in note for note in figures["notes"])


def test_a_retired_code_silences_the_notes_that_say_the_same(run: Run, gaps: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(RETIRED, "C999", ("C304",))
    figures = run("cluster", gaps, "--k", "2", "--json", "--ignore", "C999").json
    assert "C304" not in codes(figures)


def test_other_notes_stay_and_the_next_command_ignores_nothing(run: Run, gaps: Path) -> None:
    figures = run("cluster", gaps, "--k", "1..2", "--json", "--ignore", "C304").json
    assert codes(figures) == {"C303"}
    assert "C304" in codes(run("cluster", gaps, "--k", "2", "--json").json)


@pytest.fixture
def leaky(tmp_path: Path) -> Path:
    """An identifier, a number, and a column that repeats the class."""
    rows = [[f"id{i:03d}", i % 13, "ab"[i % 2], "yes" if i % 2 else "no"] for i in range(60)]
    return write_csv(tmp_path / "leaky.csv", ["id", "x", "copy", "class"], rows)


def test_describe_shows_findings_with_their_codes_unless_they_are_ignored(run: Run, leaky: Path) -> None:
    command = ("describe", leaky, "--target", "class", "--all")
    shown, silenced = run(*command), run(*command, "--ignore", "P122", "--ignore", "P127")
    assert "P122: Column 'copy'" in shown.text and "P127: Column 'id'" in shown.text
    assert silenced.code == 0 and "P122" not in silenced.text and "P127" not in silenced.text
    whole, rest = run(*command, "--json").json, run(*command, "--json", "--ignore", "P122").json
    assert codes(whole) - codes(rest) == {"P122"} and len(rest["findings"]) == len(whole["findings"]) - 1
    assert set(rest) == set(whole)


def test_compare_shows_findings_and_notes_with_their_codes_unless_they_are_ignored(
    run: Run, leaky: Path
) -> None:
    command = (
        "compare",
        leaky,
        "--target",
        "class",
        "--candidates",
        "baseline,gaussian_nb",
        "--plan",
        "kfold:3",
    )
    command = (*command, "--drop", "x", "--keep-suspects")
    shown = run(*command, "--ignore", "P128")
    assert "Warnings P122: Column 'copy'" in shown.text and "Notes M407: Column 'id'" in shown.text
    silenced = run(*command, *(f"--ignore={code}" for code in ("P122", "M407", "P128")))
    assert silenced.code == 0 and "Leaderboard" in silenced.text
    assert not any(word in silenced.text for word in ("P122", "M407", "Warnings", "Notes"))
    whole, rest = run(*command, "--json").json, run(*command, "--json", "--ignore", "P122").json
    assert codes(whole) - codes(rest) == {"P122"} and len(rest["warnings"]) == len(whole["warnings"]) - 1


@pytest.mark.parametrize(("given", "near"), [("C3044", "C304"), ("c304", "C304"), ("C0304", "C304")])
def test_an_unknown_code_is_answered_with_the_nearest(run: Run, gaps: Path, given: str, near: str) -> None:
    done = run("cluster", gaps, "--ignore", given)
    assert (done.code, done.out) == (2, "") and done.err.count("\n") == 1
    assert f"{given!r}" in done.err and near in done.err
