"""`assay cluster`: figures, files, a page, and sentences for what cannot be."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Opened
from tests.commands.conftest import Run


def test_groups_of_irises(run: Run, iris: Path, tmp_path: Path) -> None:
    done = run("cluster", iris, "--target", "species", "--out", "groups")
    assert done.code == 0 and done.err == ""
    assert "3 clusters among 150 rows of 4 columns, chosen from 1 to 10 by BIC." in done.text
    assert "petal_length 1.46 (all: 3.76)" in done.text and "adjusted Rand index 0.620" in done.text
    assert "Labels: groups/labels.csv" in done.text
    with (tmp_path / "groups" / "labels.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["row", "group", "species"] and len(rows) == 151 and rows[1][0] == "1"
    assert {row[1] for row in rows[1:51]} == {"2"}
    assert sorted(path.name for path in (tmp_path / "groups").iterdir()) == ["labels.csv", "report.html"]


def test_json_has_everything(run: Run, loans: Path, tmp_path: Path) -> None:
    found = run("cluster", loans, "--target", "class", "--k", "2..4", "--json").json
    assert [each["k"] for each in found["trials"]] == [2, 3, 4] and found["chosen"] in (2, 3, 4)
    assert sum(group["rows"] for group in found["groups"]) == found["rows"] == 240
    assert found["out"] is None and found["classes"] == ["bad", "good"]
    assert any("--type loan=" in note for note in found["notes"])
    written = run("cluster", loans, "--method", "top-down", "--k", 3, "--out", "g", "--json").json
    assert written["out"] == {"labels": "g/labels.csv", "report": "g/report.html"}


def test_quiet_prints_the_result_only(run: Run, iris: Path) -> None:
    done = run("cluster", iris, "--drop", "species", "--k", "3", "--quiet")
    assert (
        done.code == 0
        and "Note" not in done.out
        and "clusters among" not in done.out
        and "150" not in done.err
    )
    assert done.text.startswith("clusters error")


def test_the_same_seed_gives_the_same_files(run: Run, iris: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        assert run("cluster", iris, "--out", folder, "--seed", 4, "--starts", 3).code == 0
    for name in ("labels.csv", "report.html"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--k", "0"], "must be at least 1; set it with --k."),
        (["--k", "151"], "151 clusters are more than the 150 rows; ask for at most 150 with --k."),
        (["--k", "2-5"], "'2-5' is not a number of clusters; give one such as 3, or a range such as 2..8."),
        (["--k", "5..2"], "The range '5..2' is empty"),
        (["--k", "1..99999"], "has too many numbers"),
        (["--method", "dbscan"], "give k-means, hierarchy or top-down"),
        (["--criterion", "elbow"], "give bic or held-out"),
        (["--target", "colour"], "'colour'"),
        (["--drop", "colour"], "'colour'"),
        (["--out", "iris.csv"], "'iris.csv' is a file; name a folder for the clusters."),
    ],
)
def test_what_cannot_be_is_one_sentence_and_nothing_is_written(
    run: Run, iris: Path, tmp_path: Path, options: list[Any], says: str
) -> None:
    before = (tmp_path / "iris.csv").read_bytes()
    done = run("cluster", iris, *([] if "--out" in options else ["--out", "groups"]), *options)
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1 and says in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["iris.csv"]
    assert (tmp_path / "iris.csv").read_bytes() == before


def test_the_page_is_drawn_and_asks_for_nothing(browser: Any, run: Run, iris: Path, loans: Path) -> None:
    page = iris.parent / "g" / "report.html"
    for path, options in (
        (iris, ["--target", "species"]),
        (iris, ["--method", "hierarchy", "--linkage", "average", "--k", "2..12"]),
        (loans, ["--method", "top-down", "--k", "3"]),
        (iris, ["--k", "1"]),
    ):
        assert run("cluster", path, *options, "--out", "g", "--quiet").code == 0
        for width in (390, 1280):
            with Opened(browser, page, width, "light") as opened:
                assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
                assert opened.complaints == [] and opened.requests == [page.as_uri()]
                assert opened.page.locator("#figure-map .chart svg path").count() > 5
                assert (
                    opened.page.locator("#figure-tree .chart svg path").count() > 3
                    or "--method" not in options
                )
