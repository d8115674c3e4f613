"""`assay cluster` on tables of anything: groups for every row, or one sentence and nothing written."""

from __future__ import annotations

import contextlib
import csv
import io
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.main import main

CELLS = st.one_of(
    st.sampled_from(["", "NA", "yes", "no", "2024-01-31", "1e400", "inf", "-0", "été", '"', "a,b", "0x1f"]),
    st.integers(-5, 5).map(str),
    st.floats(allow_nan=True, allow_infinity=True).map(repr),
    st.text(max_size=6),
)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=14)
)
METHODS = st.sampled_from(
    [[], ["--method", "hierarchy"], ["--method", "top-down"], ["--criterion", "held-out"]]
)


@settings(max_examples=30, deadline=None)
@given(TABLES, METHODS, st.sampled_from(["1", "2", "1..3", "2..9"]))
def test_groups_or_a_sentence(cells: list[list[str]], method: list[str], numbers: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "table.csv", Path(folder) / "out"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([[f"c{j}" for j in range(len(cells[0]))], *cells])
        said, complained = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
            code = main(["cluster", str(path), "--k", numbers, "--starts", "2", "--out", str(out), *method])
        if code == 0:
            labels = list(csv.reader((out / "labels.csv").open(newline="", encoding="utf-8")))
            assert labels[0] == ["row", "group"] and len(labels) > 1
            assert all(int(row[1]) >= 1 for row in labels[1:]) and (out / "report.html").stat().st_size > 0
            assert complained.getvalue() == ""
        else:
            assert code == 2 and complained.getvalue().count("\n") == 1
            assert complained.getvalue().startswith("assay: ") and not out.exists()
