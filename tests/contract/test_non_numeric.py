"""A word in a column of numbers, as the commands tell of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.conftest import Run, write_csv


@pytest.mark.parametrize(
    "command",
    [
        ["describe"],
        ["compare", "--candidates", "baseline"],
        ["tune", "--model", "gaussian_nb"],
        ["fit", "--model", "gaussian_nb", "--out", "m.assay"],
        ["fit", "--model", "decision_tree", "--out", "m.assay"],
        ["features", "--search", "rank"],
    ],
    ids=" ".join,
)
def test_every_command_tells_it_in_the_words_of_a_shell(run: Run, tmp_path: Path, command: list[str]) -> None:
    rows = [["unknown" if i == 11 else 20 + i % 30, i % 7, "ab"[i % 2]] for i in range(40)]
    write_csv(tmp_path / "t.csv", ["age", "x", "class"], rows)
    done = run(command[0], "t.csv", "--target", "class", *command[1:])
    assert done.code == 0
    assert "line 13 of t.csv has 'unknown'. Correct" in done.text
    assert "read it with --type age=categorical if" in done.text
