"""What a user's type checker sees of the public names."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import assay

SCRIPT = """
import numpy as np
from assay import Calibrated, KFold, LinearSVM, LogisticRegression, evaluate, tune

X, y = np.zeros((4, 2)), np.zeros(4)
model = Calibrated(LinearSVM(l2=0.1))
result = evaluate(model, X, y, KFold(5, random_state=None))
found = tune(LogisticRegression(), X, y, l2=[1.0])
found.nonsense
LogisticRegression(C=1)
evaluate(model, X, y, cv=5)
"""


def test_a_users_script_is_checked_against_the_real_signatures(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", script.name],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    errors = [line for line in run.stdout.splitlines() if ": error:" in line]
    assert [line.split(": error: ")[1] for line in errors] == [
        '"Tuned" has no attribute "nonsense"  [attr-defined]',
        'Unexpected keyword argument "C" for "LogisticRegression"  [call-arg]',
        'Unexpected keyword argument "cv" for "evaluate"  [call-arg]',
    ], run.stdout + run.stderr


def test_the_stub_lists_every_public_name_from_its_home() -> None:
    stub = ast.parse(Path(assay.__file__).with_suffix(".pyi").read_text())
    listed = {
        alias.name: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    modules = {name: place.rpartition(".")[0] for name, place in assay._MODULES.items()}  # type: ignore[attr-defined]
    assert listed == assay._HOME_OF | modules  # type: ignore[attr-defined]
