"""`assay explain`: contributions that add up."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.catalog import entry
from tests.commands.conftest import Run


@pytest.mark.parametrize(
    "name", ["baseline", "nearest_mean", "gaussian_nb", "least_squares", "fisher", "gaussian_shared"]
)
def test_contributions_add_up(run: Run, loans: Path, name: str) -> None:
    assert run("fit", loans, "--target", "class", "--model", name, "--out", "m.assay").code == 0
    for row in (1, 7, 240):
        figures = run("explain", "m.assay", loans, "--row", row, "--json").json
        total = figures["start"] + sum(each["amount"] for each in figures["contributions"])
        assert total == pytest.approx(figures["difference"], rel=1e-9, abs=1e-9)
        assert figures["row"] == row and figures["difference"] >= 0
        assert [each["column"] for each in figures["contributions"]].count("job") == 1


def test_the_table_shows_the_weightiest_and_the_rest(run: Run, loans: Path) -> None:
    assert run("fit", loans, "--target", "class", "--model", "gaussian_nb", "--out", "m.assay").code == 0
    done = run("explain", "m.assay", loans, "--row", 2, "--top", 2)
    assert (done.code, done.err) == (0, "")
    assert done.out.isascii()
    assert "Row 2:" in done.text and "(2 more)" in done.text and "sum" in done.text
    quiet = run("explain", "m.assay", loans, "--row", 2, "--quiet")
    assert quiet.out.splitlines()[0].split()[0] == "column"


@pytest.mark.parametrize("name", ["gaussian_full", "decision_tree"])
def test_models_without_shares_are_refused(run: Run, loans: Path, name: str) -> None:
    assert run("fit", loans, "--target", "class", "--model", name, "--out", "m.assay").code == 0
    done = run("explain", "m.assay", loans, "--row", 1)
    assert (done.code, done.out) == (2, "")
    assert "gaussian_nb" in done.err and done.err.count("\n") == 1
    assert done.err.startswith(f"assay: {entry(name).title} combines")


def test_the_notes_of_the_fit_stand_below(run: Run, loans: Path) -> None:
    lines = loans.read_text(encoding="utf-8").splitlines()
    told = [f"{line},{'1' if 'bad' in line else '2'}.{i}" for i, line in enumerate(lines[1:])]
    loans.write_text("\n".join([lines[0] + ",leak", *told]) + "\n", encoding="utf-8")
    assert run("fit", loans, "--target", "class", "--model", "logistic", "--out", "m.assay").code == 0
    done = run("explain", "m.assay", loans, "--row", 1)
    assert "separate the classes completely:" in done.text and "leak" in done.text
    assert (
        "separate the classes completely"
        in run("explain", "m.assay", loans, "--row", 1, "--json").json["notes"][0]
    )
    assert "Note" not in run("explain", "m.assay", loans, "--row", 1, "--quiet").out
