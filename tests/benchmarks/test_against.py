"""One version against another: our jobs of a workload, run in turns by two processes."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

from assay import GaussianNB, KFold, Standardize, evaluate, nested
from benchmarks import against
from benchmarks.against import Side, Turn, compared, main
from benchmarks.data import make_classes
from benchmarks.fitted_rows import fitted_rows
from benchmarks.harness import OurJobs, Settings, contest
from benchmarks.our_side import jobs_of, measured
from benchmarks.processor import processor_seconds


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
    busy, _, other, cores = figures.split(", busy ")[1].split()[:4]
    assert cores == "cores" and float(busy) > 0 and float(other) > 0
    assert "fits" not in figures  # it chooses nothing


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


class StubSide(Side):
    """Two seconds on both cores, and three fits of 80 rows and one of 90."""

    @classmethod
    def start(cls, python: Path, name: str, quick: bool) -> Side:
        side: Side = cls.__new__(OldSide if python.name == "old" else cls)
        side.jobs = [name]
        return side

    def turn(self, job: str) -> Turn | None:
        return Turn(2.0, 1.8)

    def fitted(self, job: str) -> list[int] | None:
        return [80, 80, 80, 90]

    def stop(self) -> None:
        pass


class OldSide(StubSide):
    def turn(self, job: str) -> Turn | None:
        return Turn(1.0, 1.1)

    def fitted(self, job: str) -> list[int] | None:
        return [60, 60, 90]


def test_a_row_that_chooses_tells_busy_cores_and_rows_of_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(against, "Side", StubSide)
    lines = [*compared("nested", Path("new"), Path("old"), 3, quick=True)]
    lines += compared("naive", Path("new"), Path("old"), 3, quick=True)
    times = "2.00 (2.00 to 2.00), 2 s against 1 s, busy 1.8 / 1.1 cores"
    assert lines == [
        f"nested: {times}, fits 1.57 times the rows (4 / 3 models)  slower",
        f"naive: {times}  slower",
    ]


@pytest.mark.parametrize(
    ("new", "old", "words"),
    [
        ([100], [100], ""),
        ([], [], ""),
        ([100], [50, 50, 100], "fits 0.50 times the rows (1 / 3 models)"),
        ([50, 50], [], "fits inf times the rows (2 / 0 models)"),
        # The network of `compare_grid` against three inner folds of two thirds, without its learning curve.
        ([80] * 45 + [90] * 10, [60] * 30 + [90] * 10, "fits 1.67 times the rows (55 / 40 models)"),
        (None, [100], "fits were not counted"),
    ],
)
def test_rows_are_compared_where_models_are_refitted(
    new: list[int] | None, old: list[int] | None, words: str
) -> None:
    assert against._fitted(new, old) == words


def forest(trees: int = 2) -> Any:
    return RandomForestClassifier(trees, random_state=0)


def test_fits_are_counted_with_their_rows_inner_and_outer() -> None:
    X, y = make_classes(120, 3, 2)

    def choose() -> None:
        nested(forest(), X, y, plan=KFold(3), inner=2, max_depth=[1, 2], progress=False)

    choose()
    rows = fitted_rows(choose)
    assert rows.count(40) == 2 * 3 * 2  # either setting in two inner folds of three outer ones
    assert rows.count(80) == 2 * 3


def test_shared_folds_are_no_fits_and_a_model_behind_steps_is_one() -> None:
    X, y = make_classes(60, 3, 2)
    assert fitted_rows(lambda: evaluate(GaussianNB(), X, y, KFold(3))) == []
    piped = make_pipeline(Standardize(), forest())
    assert fitted_rows(lambda: evaluate(piped, X, y, KFold(3))) == [40] * 3
    assert fitted_rows(lambda: make_pipeline(Standardize(), GaussianNB()).fit(X, y)) == [60]


def test_counting_leaves_no_trace() -> None:
    methods = RandomForestClassifier.fit, GaussianNB.fit
    with pytest.raises(ZeroDivisionError):
        fitted_rows(lambda: 1 / 0)
    assert (RandomForestClassifier.fit, GaussianNB.fit) == methods


BURN = "import time\nwhile time.process_time() < 0.3: pass\n"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system lists no child processes")
def test_processor_time_of_workers_counts_while_they_wait_and_after_they_end() -> None:
    before = processor_seconds()
    with subprocess.Popen(
        [sys.executable, "-c", f"{BURN}print(flush=True)\ninput()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as worker:  # fmt: skip
        assert worker.stdout is not None
        worker.stdout.readline()
        waiting = processor_seconds()
        worker.communicate("\n")
    assert waiting - before > 0.25
    assert processor_seconds() >= waiting - 0.05


def test_no_core_is_busy_while_a_job_sleeps() -> None:
    seconds, busy = measured(lambda: time.sleep(0.3))
    assert seconds >= 0.3
    assert 0.0 <= busy < 0.5
