"""The program around its commands: help, version, exit codes, one sentence for an error."""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import assay
import assay.commands.demo.race as workbench
from assay.main import app, main
from assay.terminal.command import takes_one_value
from tests.commands.runs import COMMAND, environment, in_pipe
from tests.realdata import ROOT


def failing(error: BaseException) -> Any:
    def check_rows(rows: int) -> None:
        raise error

    return check_rows


@pytest.mark.parametrize(
    "arguments",
    [[], ["--help"], ["--version"], ["demo", "--help"], ["demo", "--wrong"], ["models", "--help"]],
)
def test_help_and_version_load_neither_scikit_learn_nor_numpy(arguments: list[str]) -> None:
    program = (
        f"import sys; from assay.main import main; main({arguments!r}); "
        "print([name for name in ('sklearn', 'scipy', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"assay {assay.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_the_commands_and_the_exit_codes(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "demo Run the main commands on a bundled table." in shown
    assert "130 interrupted" in shown
    assert shown.isascii()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["demo", "--wrong"], "No such option: --wrong"),
        (["dmo"], "Did you mean 'demo'?"),
        (["demo", "--race-rows", "many"], "--race-rows"),
        (["demo", "--race-rows", "499"], "The race needs 500 to 1000000 rows, but 499 were given."),
        (["demo", "left over"], "left over"),
        (
            ["compare", "x.csv", "--target", "a", "--target", "b"],
            "--target was given 2 times but takes one value;",
        ),
        (["predict", "m", "x.csv", "-o", "a", "--out", "b"], "--out was given 2 times"),
    ],
)
def test_wrong_input_is_one_sentence_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("assay: ") and sentence in err
    assert err.count("\n") == 1


def test_every_option_of_one_value_is_refused_twice_in_every_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, command in get_command(app).commands.items():
        for option in filter(takes_one_value, command.params):
            assert main([name, option.opts[0], "1", option.opts[0], "1"]) == 2
            assert f"{option.opts[0]} was given 2 times" in capsys.readouterr().err


def test_options_that_collect_and_switches_may_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "knn", "--json", "--json"]) == 0
    repeated = ["describe", "no.csv", "--drop", "a", "--drop", "b"]
    assert main(repeated) == 2
    assert "no.csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (ValueError("Row 3 is\nnot finite."), 2, "assay: Row 3 is not finite.\n"),
        (FileNotFoundError(2, "No such file", "x.csv"), 2, "assay: [Errno 2] No such file: 'x.csv'\n"),
        (MemoryError(), 2, "assay: Not enough memory; use fewer rows.\n"),
        (KeyboardInterrupt(), 130, "assay: interrupted.\n"),
        (BrokenPipeError(), 141, ""),
        (
            KeyError("mean"),
            1,
            "assay: Internal error (KeyError: 'mean'); set ASSAY_DEBUG=1 for the traceback.\n",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_every_failure_has_its_exit_code_and_no_traceback(
    error: BaseException,
    code: int,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("ASSAY_DEBUG", raising=False)
    monkeypatch.setattr(workbench, "check_rows", failing(error))
    monkeypatch.setattr("assay.main._silence_stdout", lambda: None)
    assert main(["demo"]) == code
    assert capsys.readouterr().err == sentence


def test_debugging_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DEBUG", "1")
    monkeypatch.setattr(workbench, "check_rows", failing(KeyError("mean")))
    with pytest.raises(KeyError, match="mean"):
        main(["demo"])


def test_python_dash_m_is_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["assay", "--version"])
    with pytest.raises(SystemExit) as leaving:
        runpy.run_module("assay", run_name="__main__")
    assert leaving.value.code == 0
    assert capsys.readouterr().out == f"assay {assay.__version__}\n"


def test_kernels_this_machine_does_not_have_are_refused_not_replaced() -> None:
    done = in_pipe("demo", ASSAY_ISA="nonsense")
    assert done.returncode == 2
    assert done.stderr == (
        "assay: ASSAY_ISA='nonsense' names no kernels that run on this machine; unset it, or use 'portable'.\n"
    )


def test_a_wrong_setting_of_the_environment_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,y\n1,a\n2,b\n3,a\n")
    done = in_pipe(
        "fit",
        str(tmp_path / "t.csv"),
        "--target",
        "y",
        "--model",
        "gaussian_nb",
        "--out",
        "m.assay",
        ASSAY_THREADS="zero",
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("assay: ASSAY_THREADS='zero' is not a number of threads")
    assert "Traceback" not in done.stderr


def test_an_interrupt_leaves_with_130_and_no_traceback(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "demo", "--out", str(tmp_path / "demo")],
        cwd=ROOT,
        env=environment() | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert process.stdout is not None and process.stderr is not None
    for line in process.stdout:  # the comparison begins; with a finished candidate it would have a result
        if "assay compare" in line:
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.endswith("assay: interrupted.\n") and "Traceback" not in err


def test_a_reader_who_left_gets_no_traceback() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*COMMAND, "models"], cwd=ROOT, env=environment(), stdout=writer, stderr=subprocess.PIPE, text=True
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")
