"""Copies of rows at the command line: `compare`, `tune` and `evaluate` count them, and take --split-repeats."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.commands.conftest import Run

SAID = "60 rows of 120 repeat an earlier row in all features and the label."


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """Sixty rows, each twice, with a column that only numbers rows."""
    draw = np.random.default_rng(4)
    labels = np.arange(60) % 2
    values = draw.normal(size=(60, 2)) + 0.7 * labels[:, None]
    rows = [f"{a:.6f},{b:.6f},{'ny'[k]}" for (a, b), k in zip(values, labels, strict=True)] * 2
    path = tmp_path / "copied.csv"
    path.write_text(
        "\n".join(["a,b,who,class", *(f"{row[:-2]},{at // 3},{row[-1]}" for at, row in enumerate(rows))])
    )
    return path


def test_compare_and_tune_say_the_count(run: Run, copied: Path) -> None:
    for command in (
        ("compare", copied, "--candidates", "baseline,fisher"),
        ("tune", copied, "--model", "fisher"),
    ):
        done = run(*command, "--drop", "who", "--plan", "kfold:5")
        assert done.code == 0 and f"{SAID} Copies stay in one fold" in done.text
        assert "--split-repeats divides them like other rows" in done.text
        split = run(*command, "--drop", "who", "--plan", "kfold:5", "--split-repeats", "--json").json
        assert split["repeats"] == {"rows": 60, "different_rows": 60, "together": False}
        assert SAID in split["notes"] and "--split-repeats" in split["commands"][0]
        grouped = run(*command, "--groups", "who", "--plan", "kfold:5", "--json").json
        assert not grouped["repeats"]["together"] and SAID in grouped["notes"]


def test_evaluate_counts_copies_once(run: Run, copied: Path) -> None:
    assert run("fit", copied, "--drop", "who", "--model", "fisher", "--out", "m.assay").code == 0
    done = run("evaluate", "m.assay", copied)
    assert (
        done.code == 0 and f"{SAID} Intervals count copies once, unless --split-repeats is set." in done.text
    )
    once = run("evaluate", "m.assay", copied, "--json").json
    split = run("evaluate", "m.assay", copied, "--split-repeats", "--json").json
    assert once["repeats"] == {"rows": 60, "different_rows": 60, "together": True}
    assert not split["repeats"]["together"] and SAID in split["notes"]
    assert once["error"] == split["error"]
    widths = [np.subtract(*each["error_interval"][::-1]) for each in (once, split)]
    assert widths[0] / widths[1] == pytest.approx(np.sqrt(2), rel=0.05)
    grouped = run("evaluate", "m.assay", copied, "--groups", "who", "--json").json
    assert not grouped["repeats"]["together"] and SAID in grouped["notes"]
