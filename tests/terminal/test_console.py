"""Figures, tables and paragraphs as they are printed."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.text import Text

from assay.engines.progress import progress_bar
from assay.terminal.console import ascii_bar, facts, number_or_dash, prose, stdout_console, table

COLUMNS = [("model", "left"), ("mean\nerror", "right"), ("note", "left")]
ROWS = [["one", "4.0", "first"], ["another", "10.9", ""]]


def console(width: int = 80, *, terminal: bool, encoding: str = "utf-8") -> Console:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    return Console(file=file, width=width, force_terminal=terminal, color_system=None, highlight=False)


def printed(to: Console) -> str:
    file = to.file
    assert isinstance(file, io.TextIOWrapper)
    file.flush()
    raw = file.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode()


def test_numbers() -> None:
    assert number_or_dash(None, 3) == "-"
    assert number_or_dash(-36043.4, 0) == "-36043"


def test_a_table_off_a_terminal_is_plain_lines_without_trailing_blanks() -> None:
    to = console(10, terminal=False, encoding="ascii")
    table(to, COLUMNS, ROWS)
    assert printed(to).splitlines() == [
        "  model    mean error  note",
        "  one             4.0  first",
        "  another        10.9",
    ]


def test_a_table_on_a_terminal_has_a_line_under_its_headings() -> None:
    to = console(terminal=True)
    table(to, COLUMNS, [[Text(cell) for cell in row] for row in ROWS])
    lines = printed(to).splitlines()
    assert [line.split() for line in lines[:2]] == [["mean"], ["model", "error", "note"]]
    assert set(lines[2].strip()) == {"─"}
    assert lines[3].split() == ["one", "4.0", "first"]


def test_a_terminal_without_unicode_gets_ascii() -> None:
    to = console(terminal=True, encoding="ascii")
    table(to, COLUMNS, ROWS)
    assert "another" in printed(to)  # encoding anything else to ASCII would have failed


def test_columns_without_room_are_named() -> None:
    to = console(18, terminal=True)
    table(to, COLUMNS, ROWS)
    text = printed(to)
    assert "first" not in text and "10.9" in text
    assert "A wider terminal also shows: note." in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 22  # prose is never narrower than 20 columns


def test_prose_is_wrapped_at_a_readable_width() -> None:
    for width, most in ((60, 60), (200, 96)):
        to = console(width, terminal=True)
        prose(to, "word " * 80)
        longest = max(map(len, printed(to).splitlines()))
        assert most - 5 < longest <= most


def test_a_pipe_has_a_width_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("COLUMNS", raising=False)
    assert stdout_console().width == 100
    monkeypatch.setenv("COLUMNS", "70")
    assert stdout_console().width == 70


def test_nothing_moves_where_nobody_watches(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar() as report:
        report("at work", 0.5)
    assert capsys.readouterr() == ("", "")


def test_facts_stand_under_each_other_and_wrap() -> None:
    to = console(60, terminal=False)
    facts(to, [("one", "first"), ("another", "word " * 20)])
    lines = printed(to).splitlines()
    assert lines[0] == "  one      first"
    assert lines[1].startswith("  another  word") and lines[2].startswith("           word")
    assert max(map(len, lines)) <= 60


def test_a_bar_of_signs_grows_from_its_middle() -> None:
    assert ascii_bar(1.0, 8) == "    |++++"
    assert ascii_bar(-0.5, 8) == "  --|    "
    assert ascii_bar(0.0, 8) == "    |    "
