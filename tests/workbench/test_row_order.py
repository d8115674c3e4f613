"""The columns of time and split: set apart, checked, and what comparisons make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay import TimeSeries, compare
from assay.commands.compare.reopen import reopen
from assay.plans import ColumnSplit
from assay.workbench.problem import read_problem
from assay.workbench.row_order import with_split, with_time
from tests.raised import raises

CANDIDATES = ["baseline", "gaussian_nb"]


def visits(**more: Any) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    ill = np.arange(120) % 3 == 0
    return {
        "day": np.datetime64("2024-01-01") + np.arange(120),
        "dose": generator.normal(size=120) + ill,
        "part": np.where(np.arange(120) < 90, "train", "test"),
        "kind": np.where(ill, "ill", "well"),
        **more,
    }


def test_the_columns_are_no_features() -> None:
    problem = with_time(read_problem(visits(), "kind"), TimeSeries(4), "day")
    assert problem.features.schema.names == ("dose", "part") and "day" not in problem.table.schema
    problem, plan = with_split(problem, ColumnSplit("part"))
    assert problem.features.schema.names == ("dose",)
    assert plan.partitions(problem.codes)[0].test_rows(0).tolist() == list(range(90, 120))


@pytest.mark.parametrize("options", [{"plan": "time:4:2", "time": "day"}, {"plan": "column:part"}])
def test_a_run_is_opened_again(tmp_path: Path, options: dict[str, Any]) -> None:
    path = tmp_path / "visits.csv"
    import pandas as pd

    pd.DataFrame(visits()).to_csv(path, index=False)
    result = compare(
        str(path), "kind", candidates=CANDIDATES, progress=False, out=tmp_path / "run", **options
    )
    assert len(result.nested.rows) == (96 if "time" in options else 30)
    opened = reopen(tmp_path / "run")
    assert opened.nested_error == result.nested_error and opened.commands == result.commands
    for name, value in options.items():
        assert f"--{name} {value}" in result.commands[0] and f"{name}={value!r}" in result.commands[1]


def test_bad_input() -> None:
    def run(table: dict[str, Any], **options: Any) -> None:
        compare(table, "kind", candidates=CANDIDATES, progress=False, **options)

    with raises("P150", time="day"):
        run(visits(), time="day")
    with raises("P150", time="day"):
        run(visits(), time="day", plan="kfold:5")
    with raises("P151", subject="part"):
        run(visits(), time="part", plan="time:4")
    days = visits()["day"]
    with raises("P152", subject="day", row=8, rows=1):
        run(visits(day=np.where(np.arange(120) == 7, np.datetime64("NaT"), days)), time="day", plan="time:4")
    with raises("P153", subject="day", row=2, before=1):
        run(visits(day=days[::-1]), time="day", plan="time:4")
    with raises("S306", column="part", value="train"):
        run(visits(part=np.full(120, "train")), plan="column:part")
    with raises("S305", column="part", row=1):
        run(visits(part=np.where(np.arange(120) < 1, None, visits()["part"])), plan="column:part")
