"""The benchmark itself runs: two workloads at quick sizes, in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import parse
from benchmarks.harness import Settings
from benchmarks.workloads import WORKLOADS, Workload
from tests.realdata import ROOT


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    path: Path = tmp_path_factory.mktemp("bench") / "figures.json"
    done = run("naive", "floor_fit", "--quick", "--json", str(path))
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads(path.read_text())


def test_the_machine_stands_above_the_table(printed: tuple[str, dict[str, Any]]) -> None:
    text, figures = printed
    assert text.startswith(f"machine: {figures['machine']['cores']} cores")
    assert "scikit-learn" in text.splitlines()[1]


def test_the_table_has_the_row_with_rival_target_and_agreement(printed: tuple[str, dict[str, Any]]) -> None:
    text, _ = printed
    row = next(
        line for line in text.splitlines() if line.startswith("GaussianNB, 10-fold, 25000x50, 5 classes")
    )
    assert "cross_val_score GaussianNB" in row
    assert "at least 60x" in row
    note = next(line for line in text.splitlines() if line.startswith("[1]"))
    assert "3 alternating runs" in note
    assert "equal in every fold" in note


def test_distance_from_the_floor_has_an_upper_target(printed: tuple[str, dict[str, Any]]) -> None:
    text, _ = printed
    rows = [line for line in text.splitlines() if line.startswith("single fit") and "blocked X.T @ X" in line]
    assert len(rows) == 2
    assert all("at most 1.3x" in row for row in rows)


def test_an_absent_rival_is_named(printed: tuple[str, dict[str, Any]]) -> None:
    text, figures = printed
    rows = [row for row in figures["rows"] if row["rival"].startswith("scikit-learn-intelex")]
    assert len(rows) == 2
    for row in rows:
        assert bool(row["absent"]) == (find_spec("sklearnex") is None)
        assert row["absent"] in text


def test_peak_memory_is_measured_in_a_process_of_its_own() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip(reason="this system has no /proc")
    command = [sys.executable, "-m", "benchmarks.peak", "naive", "20000", "20", "3", "5"]
    found = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    assert found["size"] == 20_000 * 20 * 8
    assert found["posteriors"] == 20_000 * 3 * 8
    assert found["extra"] >= found["posteriors"]


def test_raw_figures_hold_every_round_and_the_floors(printed: tuple[str, dict[str, Any]]) -> None:
    _, figures = printed
    row = figures["rows"][0]
    assert len(row["ours"]) == len(row["theirs"]) == len(row["ratios"]) == 3
    assert min(row["ours"]) > 0.0
    assert set(row["floors"]) == {"read", "gram"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(("nonesuch",), "no workload is called 'nonesuch'"), (("--rounds", "2"), "give at least 3")],
)
def test_wrong_arguments_get_one_sentence(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        parse(arguments)
    assert left.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_every_listed_workload_has_a_module_that_measures(workload: Workload) -> None:
    cases = workload.cases(Settings(quick=True))
    assert cases and all(callable(case) for case in cases)
    assert parse([workload.name]).names == [workload.name]
