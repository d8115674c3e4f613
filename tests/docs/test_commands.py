"""The session in docs/commands.md: every command runs and prints what the page shows."""

from __future__ import annotations

import re

import pytest

from scripts.transcripts import BLOCK, prepared, run, shown
from tests.realdata import ROOT

PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def comparable(text: str) -> list[str]:
    """Words, with times left out (their width too) and long numbers cut to the digits that any machine prints."""
    text = re.sub(r"\d+(\.\d+)? (us|ms|s)\b", "TIME", " ".join(text.split()))
    text = re.sub(r"\d+\.\d{6,}(e-\d+)?", lambda found: f"{float(found[0]):.5g}", text)
    return text.split()


def test_the_page_shows_what_the_commands_print(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    commands = [each for block in BLOCK.findall(PAGE) for each in shown(block)]
    with prepared(PAGE):
        for each in commands:
            again = f"{each.command} prints something else: run scripts/transcripts.py docs/commands.md"
            assert comparable(run(each.command)) == comparable(each.output), again


def test_the_page_shows_every_command() -> None:
    from assay.main import _COMMANDS

    there = {each.command.split()[1] for block in BLOCK.findall(PAGE) for each in shown(block)}
    assert {function.__name__ for function, _, _ in _COMMANDS} - there == {
        "demo"
    }  # which has a page of its own
