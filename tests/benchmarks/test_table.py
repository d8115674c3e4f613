"""The table says what was reached, what was extrapolated and what was absent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.harness import Contest, Part, PartTimes
from benchmarks.listing import Listing
from benchmarks.rows import Row, absent_row, row_of
from benchmarks.table import quantity, render, write_json

QUICKER = Row(
    "job", "them", "at least", 60.0, ours=(0.1,) * 3, theirs=(6.1, 7.0, 5.9), ratios=(61.0, 70.0, 59.0)
)
NEAR = Row("fit", "floor", "at most", 1.3, ours=(0.3,) * 3, theirs=(0.2,) * 3, ratios=(1.5, 1.4, 1.2))


def line(text: str, start: str) -> str:
    return next(found for found in text.splitlines() if found.startswith(start))


@pytest.mark.parametrize(
    ("row", "mark"),
    [
        (QUICKER, "reached"),
        (replace(QUICKER, target=62.0), "not reached"),
        (NEAR, "not reached"),
        (replace(NEAR, target=1.4), "reached"),
    ],
)
def test_mark_follows_the_median_ratio(row: Row, mark: str) -> None:
    cells = [cell.strip() for cell in render([row], markdown=True).splitlines()[2].strip("|").split("|")]
    assert cells[7] == mark
    assert cells[6] == f"{row.sense} {row.target:g}x"


def test_ratio_and_spread_are_printed_side_by_side() -> None:
    cells = line(render([QUICKER]), "job").split()
    assert "61x" in cells
    assert "59-70" in cells


def test_quick_sizes_make_no_claim() -> None:
    text = render([QUICKER], quick=True)
    assert "reached" not in text
    assert text.startswith("quick sizes")


def test_an_absent_rival_is_named_with_the_reason() -> None:
    text = render([absent_row("job", "them", None, "them is not installed")])
    assert "absent" in line(text, "job")
    assert "[1] job / them: not measured, them is not installed" in text


def test_columns_are_aligned() -> None:
    lines = render([QUICKER, NEAR]).splitlines()[:4]
    starts = {
        text.index(cell)
        for text, cell in zip((lines[0], *lines[2:]), ("rival", "them", "floor"), strict=True)
    }
    assert len(starts) == 1


def test_extrapolated_cells_say_so_and_slow_rivals_say_how_often_they_ran() -> None:
    part = Part("refits", {"plain": lambda: None, "two": lambda: None}, done=200, total=5000)
    times = PartTimes(part, "two", {"plain": 50.0, "two": 40.0}, [40.0, 44.0], None)
    result = Contest([0.1, 0.2, 0.1], None, [times], {"read": [0.05, 0.05, 0.05]})
    row = row_of(result, "leave-one-out", "refits", 300.0, notes=["all equal"])
    text = render([row])
    assert "42.0 s (extrapolated from 200 of 5000)" in text
    assert "slow rivals were run less often: refits 2" in text
    assert "refits ran with two (first round: plain 50 s, two 40 s)" in text
    assert text.endswith("all equal")
    assert row.ratios == pytest.approx((400.0, 220.0, 420.0))
    assert row.floors == {"read": 2.0}


def test_distance_from_a_floor_is_ours_over_the_rival() -> None:
    times = PartTimes(Part("floor", {"only": lambda: None}), "only", {"only": 2.0}, [2.0, 2.0, 2.0], None)
    row = row_of(Contest([3.0, 3.0, 4.0], None, [times], {}), "fit", "floor", 1.3, sense="at most")
    assert row.ratios == (1.5, 1.5, 2.0)
    assert row.reached is False


def test_a_ratio_says_what_it_is_a_share_of() -> None:
    row = replace(NEAR, unit="MB", sign=" of X")
    assert "1.40 of X" in line(render([row]), "fit")


STEPS = Listing(
    "one run", ("step", "time", "share"), (("reading", "1.00 s", "25%"), ("sum", "4.00 s", "100%"))
)


def test_a_listing_is_a_table_of_its_own() -> None:
    assert STEPS.render().splitlines() == [
        "one run",
        "",
        "step       time  share",
        "-------  ------  -----",
        "reading  1.00 s    25%",
        "sum      4.00 s   100%",
    ]
    assert STEPS.render(markdown=True).splitlines()[2:4] == [
        "| step | time | share |",
        "| --- | ---: | ---: |",
    ]
    assert replace(STEPS, absent="no data").render() == "one run: not measured, no data"


def test_raw_figures_are_written(tmp_path: Path) -> None:
    path = tmp_path / "figures.json"
    write_json(
        path, {"cores": 2}, [QUICKER, absent_row("job", "other", None, "no wheel")], [STEPS], quick=False
    )
    found = json.loads(path.read_text())
    assert found["machine"] == {"cores": 2}
    assert found["rows"][0]["ratios"] == [61.0, 70.0, 59.0]
    assert found["rows"][0]["reached"] is True
    assert found["rows"][1]["absent"] == "no wheel"
    assert found["listings"][0]["lines"][1] == ["sum", "4.00 s", "100%"]


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(0.0123, "s", "12.3 ms"), (5.126, "s", "5.13 s"), (412.2, "s", "412 s"), (58.04, "MB", "58.0 MB")],
)
def test_quantities_have_three_digits(value: float, unit: str, text: str) -> None:
    assert quantity(value, unit) == text
