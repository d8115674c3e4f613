"""Metrics and time on the command line: what is printed, and one sentence for bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.conftest import Run

QUICK = ("--candidates", "baseline,gaussian_nb", "--plan", "kfold:4")


def test_the_leaderboard_shows_the_metrics(run: Run, loans: Path) -> None:
    done = run("compare", loans, "--target", "class", *QUICK, "--metric", "f1", "--show", "mcc")
    assert done.code == 0
    for words in ("On new data, F1 of ", "CV F1", "MCC"):
        assert words in " ".join(done.text.split())
    found = run(
        "compare", loans, "--target", "class", *QUICK, "--metric", "f1", "--show", "mcc", "--json", "--quiet"
    )
    assert found.json["metric"] == "f1" and set(found.json["leaderboard"][0]["metrics"]) == {"f1", "mcc"}


@pytest.mark.parametrize(
    "options, words",
    [
        (("--metric", "f2"), "There is no metric 'f2'."),
        (("--show", "speed"), "There is no metric 'speed'."),
        (("--metric", "f1", "--positive", "dubious"), "The positive class 'dubious' does not occur."),
        (("--metric", "f1", "--loss", "bad:good=5"), "give --loss or --metric"),
        (("--metric", "nowhere:profit"), "gives no metric"),
        (("--time", "class"), "--plan time:5"),
        (("--plan", "time:5", "--time", "nothing"), "There is no time column 'nothing'"),
        (("--plan", "time:5", "--time", "job"), "the order of rows is given by dates or numbers"),
        (("--plan", "column:nothing"), "There is no column of the split 'nothing'"),
        (("--plan", "column:job"), "Which rows of column 'job' are tested?"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, loans: Path, options: tuple[str, ...], words: str) -> None:
    done = run("compare", loans, "--target", "class", "--candidates", "baseline", *options)
    assert done.code == 2 and done.out == ""
    assert words in done.err and done.err.count("\n") == 1, done.err
