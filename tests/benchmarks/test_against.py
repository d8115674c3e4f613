"""One version against another: our jobs of a workload, run in turns by two processes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks.against import compared, main
from benchmarks.harness import OurJobs, Settings, contest
from benchmarks.our_side import jobs_of


def test_a_contest_hands_over_our_job_and_runs_nothing() -> None:
    def never() -> None:
        raise AssertionError

    with pytest.raises(OurJobs) as ours:
        contest(Settings(ours_alone=True), never, [])
    assert [*ours.value.jobs] == [""]


def test_every_case_of_a_workload_is_a_job_of_its_own() -> None:
    quick = Settings(quick=True, ours_alone=True)
    assert [*jobs_of("information", quick)] == ["information 1", "information 2"]
    assert [*jobs_of("single_fit", quick)][0] == "single_fit 1, naive"
    assert len(jobs_of("features", quick)) == 6


def test_a_version_is_as_fast_as_itself() -> None:
    """Both sides are this version, so that the ratio is about 1; how far from it, no test can promise."""
    python = Path(sys.executable)
    (line,) = compared("categorical", python, python, 3, quick=True)
    title, figures = line.split(": ", 1)
    assert title == "categorical 1"
    assert 0.05 < float(figures.split()[0]) < 20


def test_a_side_that_cannot_run_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    assert compared("categorical", Path(sys.executable), broken, 3, quick=True) == [
        "categorical: the other revision cannot run it"
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["HEAD", "nonsense"], "no workload is called 'nonsense'"),
        (["HEAD", "--rounds", "3"], "--rounds 3 is too few"),
    ],
)
def test_bad_arguments_are_one_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert words in capsys.readouterr().err


def test_an_unknown_revision_is_one_sentence() -> None:
    with pytest.raises(SystemExit, match="There is no revision 'no-such-revision'; name a commit"):
        main(["no-such-revision"])
