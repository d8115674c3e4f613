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

# Rows, labels and weights in every form that people have them in; what is wrong with a line stands behind it.
ROWS = """
import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import polars as pl
from scipy.sparse import csr_array  # type: ignore[import-untyped]
from assay import (
    GaussianClassifier, KNeighborsClassifier, LogisticRegression, MultinomialNB, Standardize, Table, evaluate,
)

def try_all(typed: Table) -> None:
    X, names = np.zeros((4, 2)), ["no", "yes", "no", "yes"]
    frame, table = pd.DataFrame(X), pl.DataFrame({"a": [0.0, 1.0], "b": [1.0, 0.0]})
    for rows in (X, X.astype(np.float32), X.tolist(), [[0, 1], [1, 0]], ((0.0, 1.0), (1.0, 2.0))):
        GaussianClassifier(priors=[0.5, 0.5]).fit(rows, names, sample_weight=[1, 1, 2, 2]).predict_proba(rows)
    LogisticRegression(class_weight={"no": 1.0, "yes": 2.0}).fit(frame, frame[0]).predict(typed)
    KNeighborsClassifier(3).fit(table, table["a"]).predict(table)
    MultinomialNB().fit(csr_array(X), names).predict_log_proba(csr_array(X))
    Standardize().fit(table).transform(X)
    evaluate(GaussianClassifier(), frame, pd.Series(names), 5, groups=table["a"], sample_weight=np.ones(4))
    GaussianClassifier(priors="uniform").fit(X, names, weight=1)  # call-arg
    GaussianClassifier().fit(X, names, sample_weight={"no": 1})  # arg-type
    GaussianClassifier().fit(X, names).predict(None)  # arg-type
    KNeighborsClassifier().fit(X)  # call-arg
"""


def _strict_errors(script: Path) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", script.name],
        cwd=script.parent, capture_output=True, text=True,
    )  # fmt: skip
    assert not run.stderr, run.stderr
    return [line for line in run.stdout.splitlines() if line.startswith(script.name) and ": error:" in line]


def test_rows_are_taken_in_every_form_and_slips_are_flagged(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(ROWS)
    flagged = [(int(line.split(":")[1]), line.rpartition("[")[2][:-1]) for line in _strict_errors(script)]
    slips = [
        (number, line.partition("  # ")[2])
        for number, line in enumerate(ROWS.splitlines(), 1)
        if line.endswith(("-arg", "-type"))
    ]
    assert len(slips) == 4
    assert flagged == slips


def test_a_users_script_is_checked_against_the_real_signatures(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    errors = _strict_errors(script)
    assert [line.split(": error: ")[1] for line in errors] == [
        '"Tuned" has no attribute "nonsense"  [attr-defined]',
        'Unexpected keyword argument "C" for "LogisticRegression"  [call-arg]',
        'Unexpected keyword argument "cv" for "evaluate"  [call-arg]',
    ]


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
