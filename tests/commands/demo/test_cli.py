"""`assay demo`: the commands that a user would type, their files, a race, and what to type next."""

from __future__ import annotations

import inspect
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from assay import load, read
from assay.commands.demo import cli as command
from assay.commands.demo import race
from assay.main import main
from tests.commands.runs import in_pipe

FEW = (*command.COMPARE, "--candidates", "baseline,gaussian_nb,logistic", "--plan", "kfold:3")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "COMPARE", FEW)
    return tmp_path


@pytest.fixture
def shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["demo", "--race-rows", "500"]) == 0
    return capsys.readouterr().out


def test_the_files_that_it_names_are_there_and_work(shown: str, folder: Path) -> None:
    assert "demo/report.html" in shown and (folder / "demo" / "report.html").exists()
    table = read(folder / "demo.csv")
    assert (table.n_rows, len(table.schema)) == (569, 31)
    posterior = load(folder / "demo" / "model.assay").predict_proba(read(folder / "demo" / "patient.csv"))
    assert 0.1 < posterior[0, 1] < 0.5  # benign is more probable, and too doubtful to rely on


def test_every_command_that_it_shows_can_be_typed(shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    commands = [line.removeprefix("  $ assay ") for line in shown.splitlines() if line.startswith("  $ ")]
    assert [line.split()[0] for line in commands] == ["compare", "predict", "predict"]
    for line in commands[1:]:
        capsys.readouterr()
        assert main(shlex.split(line)) == 0
        assert capsys.readouterr().out.strip() in shown


def test_the_race_and_what_to_type_next_close_it(shown: str) -> None:
    said = " ".join(shown.split())
    assert "Errors are equal in every fold." in said
    assert "compare TABLE.csv --target COLUMN --out run" in said
    assert said.index("Ratio:") < said.index("compare TABLE.csv")


def test_it_runs_again_but_spares_what_is_not_its_own(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--race-rows", "0"]) == 0
    assert main(["demo", "--race-rows", "0"]) == 0
    assert "Ratio:" not in capsys.readouterr().out
    (folder / "mine").mkdir()
    (folder / "mine" / "notes.txt").write_text("keep me")
    assert main(["demo", "--race-rows", "0", "--out", "mine"]) == 2
    assert "not empty" in capsys.readouterr().err
    assert (folder / "mine" / "notes.txt").read_text() == "keep me"


def test_the_program_is_named_as_it_can_be_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bin_folder = tmp_path / ".venv" / "bin"
    bin_folder.mkdir(parents=True)
    for name in ("python", "assay"):
        (bin_folder / name).touch(mode=0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "executable", str(bin_folder / "python"))
    assert command.program_here() == (".venv/bin/assay", ". .venv/bin/activate")
    monkeypatch.setenv("PATH", str(bin_folder))
    assert command.program_here() == ("assay", "")


def test_the_default_race_is_the_workbench_s() -> None:
    assert inspect.signature(command.demo).parameters["race_rows"].default == race.RACE_ROWS


def test_a_pipe_receives_plain_ascii_lines(tmp_path: Path, monkeypatch: Any) -> None:
    done = in_pipe("demo", "--out", str(tmp_path / "demo"), "--race-rows", "499", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "assay: The race needs 500 to 1000000 rows, but 499 were given.\n"
