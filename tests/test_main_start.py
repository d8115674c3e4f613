"""What starts without scikit-learn, and a reader who leaves early: the program as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.conftest import Run
from tests.commands.runs import COMMAND, environment

LIGHT = """
import sys
from assay.main import main
for arguments in (["--help"], ["models", "--help"],
                  ["describe", "loans.csv"], ["describe", "loans.csv", "--target", "class", "--json"],
                  ["compare", "--help"], ["xyzzy"]):
    assert main(arguments) in (0, 2), arguments
    assert "sklearn" not in sys.modules, arguments
print("light")
"""


def test_help_and_describe_start_without_scikit_learn_even_where_the_locale_is_c(loans: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIGHT],
        cwd=loans.parent,
        env=environment(LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.endswith("light\n"), done.stderr
    assert done.stdout.isascii()


def test_a_reader_of_predictions_who_leaves_early_gets_no_traceback(run: Run, tmp_path: Path) -> None:
    rows = "\n".join(f"{i % 9},{'ab'[i % 9 > 3]}" for i in range(60_000))
    (tmp_path / "t.csv").write_text(f"x,y\n{rows}\n")
    assert run("fit", "t.csv", "--target", "y", "--model", "gaussian_nb", "--out", "m.assay").code == 0
    process = subprocess.Popen(
        [*COMMAND, "predict", "m.assay", "t.csv", "--proba"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline() == "predicted,P(a),P(b)\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 141


def test_signs_that_the_locale_lacks_are_escaped(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "\n".join(f"{i % 9},{'äß'[i % 2]}" for i in range(40))
    (tmp_path / "t.csv").write_text(f"größe,y\n{rows}\n", encoding="utf-8")
    from io import BytesIO, TextIOWrapper

    from assay.main import main

    raw = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(raw, encoding="ascii"))
    assert main(["describe", "t.csv", "--target", "y"]) == 0
    sys.stdout.flush()
    assert rb"gr\xf6\xdfe" in raw.getvalue()
