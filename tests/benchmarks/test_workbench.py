"""The workloads of the workbench on tiny inputs: what they measure, what they say, and when they are left out."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from benchmarks import harness, real_data
from benchmarks.harness import Settings
from benchmarks.listing import Listing
from benchmarks.rows import Row
from benchmarks.workloads import compare_adult, start_up, streaming
from tests.benchmarks.mixed_table import mixed

# --- compare ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(harness, "SHORT_SECONDS", 0.0)  # nobody reads these figures: turns are not repeated
        found = compare_adult.families(Settings(), "tiny", mixed(), "label", ["reading took 1 s"], folds=3)
        return list(found)


def test_every_statistics_family_has_a_row_and_so_have_all_together(rows: list[Row]) -> None:
    assert [row.workload.split(",")[0] for row in rows] == [
        *(entry.name for entry in compare_adult.FAMILIES),
        f"all {len(compare_adult.FAMILIES)} statistics families",
    ]
    assert [row.target for row in rows] == [None] * len(compare_adult.FAMILIES) + [1.0]
    assert all(row.workload.endswith("tuned, nested, 3-fold, tiny 120x3") for row in rows)
    for round_ in range(3):
        *families, whole = (row.ours[round_] for row in rows)
        assert whole == pytest.approx(sum(families))
        assert len({row.theirs[round_] for row in rows}) == 1
    assert "reading took 1 s" in rows[-1].notes
    assert "encoded 120x5" in rows[-1].notes


def test_a_family_says_how_many_settings_it_was_tuned_over_and_what_came_out(rows: list[Row]) -> None:
    row = next(row for row in rows if row.workload.startswith("gaussian_nb"))
    assert row.notes[-1].startswith("4 settings, nested error 0.")
    assert "RandomForestClassifier(random_state=0) ran with n_jobs=" in row.notes[1]


def test_a_whole_comparison_lists_its_steps() -> None:
    listing = compare_adult.whole("tiny", mixed(), "label", plan=3, candidates=["baseline", "gaussian_nb"])
    steps = [line[0] for line in listing.lines]
    assert steps[0] == "reading"
    assert steps[-2:] == ["writing the report and the model", "sum"]
    assert {"Most frequent class", "Gaussian naive Bayes"} < set(steps)
    assert listing.title == "one whole compare, tiny 120x3, budget 300 s, run once"
    naive = next(line for line in listing.lines if line[0] == "Gaussian naive Bayes")
    assert naive[3] == "4"
    assert 0.0 <= float(naive[4]) <= 1.0


def test_what_the_budget_leaves_out_is_named() -> None:
    found = SimpleNamespace(omitted={"random_forest": "It would take about 2 h."}, results={})
    assert compare_adult._cells(found, "random_forest") == ("-", "omitted")
    assert compare_adult._cells(found, "") == ("", "")


def test_without_the_data_the_workload_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_DATA", str(tmp_path))
    row, listing = compare_adult.rows(Settings())
    assert isinstance(row, Row) and isinstance(listing, Listing)
    assert (
        row.absent == listing.absent == f"{tmp_path}/adult.csv.gz is not there (ASSAY_DATA names the folder)"
    )


def test_data_are_looked_for_where_the_tests_look(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.realdata import data_folder

    assert real_data.path_of("x.csv") == data_folder() / "x.csv"
    monkeypatch.setenv("ASSAY_DATA", "elsewhere")
    assert real_data.path_of("x.csv") == data_folder() / "x.csv"


# --- streaming --------------------------------------------------------------------------------------


def test_the_peak_of_a_fit_is_measured_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(streaming, "SIZE", 400_000)
    monkeypatch.setattr(streaming, "MODELS", ("gaussian_nb",))
    told: list[str] = []
    (row,) = streaming.rows(Settings(report=told.append))
    assert row.workload == "peak memory, assay fit, gaussian_nb, CSV of 0.0004 GB"
    assert (row.theirs, row.unit, row.sense, row.target) == ((600.0,), "MB", "at most", 1.0)
    assert row.ratios == pytest.approx((row.ours[0] / 600.0,))
    assert 20.0 < row.ours[0] < 600.0
    assert "MB/s of the file" in row.notes[0]
    assert row.notes[1] == "1960 rows of 20 numbers and a class"
    assert told[0].startswith("0.40 MB written in")


def test_without_room_on_the_disk_the_workload_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")(10**10, 6 * 10**9, 4 * 10**9)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage)
    rows = list(streaming.rows(Settings()))
    assert len(rows) == 2
    assert all("has 4.0 GB free and 5.0 GB are needed" in row.absent for row in rows)


def test_the_peak_is_that_of_the_command_and_not_of_whoever_started_it() -> None:
    held = np.ones(40_000_000)  # 320 MB in this process
    small = streaming.watched([sys.executable, "-c", "pass"])["peak"]
    large = streaming.watched([sys.executable, "-c", "b'x' * 150_000_000"])["peak"]
    assert small < 100e6 < 150e6 < large < 150e6 + 100e6 < held.nbytes


def test_a_command_that_fails_is_not_measured() -> None:
    with pytest.raises(RuntimeError, match="ended with 3: out of ideas"):
        streaming.watched([sys.executable, "-c", "import sys; sys.stderr.write('out of ideas'); sys.exit(3)"])


# --- start-up ---------------------------------------------------------------------------------------


def test_commands_take_turns_with_the_import(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    log: list[str] = []
    monkeypatch.setattr(harness, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(
        start_up, "started", lambda folder, *arguments: lambda: log.append(" ".join(arguments))
    )
    rows = list(start_up.measure(Settings(), tmp_path, 98))
    commands = ["-m assay --help", "-m assay models", "-m assay describe small.csv"]
    numpy = ["-c import numpy"]
    assert log == [*commands, *numpy] + [*commands, *numpy] + [*numpy, *commands] + [*commands, *numpy]
    assert [row.workload for row in rows] == [
        "start-up, assay --help",
        "start-up, assay models",
        "start-up, assay describe small.csv, 98 rows",
    ]
    assert all((row.sense, row.target) == ("at most", None) for row in rows)
    for row in rows:
        assert row.ratios == pytest.approx([a / b for a, b in zip(row.ours, row.theirs, strict=True)])


def test_the_small_file_is_described_and_failures_are_noticed(tmp_path: Path) -> None:
    start_up.large_file.write(tmp_path / "small.csv", start_up.SMALL)
    start_up.started(tmp_path, "-m", "assay", "describe", "small.csv")()
    with pytest.raises(subprocess.CalledProcessError):
        start_up.started(tmp_path, "-m", "assay", "describe", "other.csv")()
