"""`assay project`: figures, files, a page, and sentences for what cannot be."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.browser import Opened
from tests.commands.conftest import Run, write_csv


def test_a_map_of_irises(run: Run, iris: Path, tmp_path: Path) -> None:
    done = run("project", iris, "--target", "species", "--out", "map.csv")
    assert done.code == 0 and done.err == ""
    assert "150 rows, 4 numeric columns, classes in column 'species'" in done.text
    assert "Fisher direction 1 99.1" in done.text and "petal_length +3.89" in done.text
    assert "new rows 2.0 % (95 % CI 0.7 to 5.7; 10 folds" in done.text
    with (tmp_path / "map.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["row", "fisher1", "fisher2", "species"] and len(rows) == 151
    assert rows[-1][0] == "150" and rows[-1][3] == "virginica"


def test_json_has_everything_and_coordinates_unless_they_are_written(run: Run, loans: Path) -> None:
    found = run("project", loans, "--method", "pca", "--to", 3, "--json").json
    assert (found["method"], found["target"], found["classes"]) == ("pca", "class", ["bad", "good"])
    assert [each["key"] for each in found["directions"]] == ["pc1", "pc2", "pc3"]
    assert list(found["coordinates"]) == ["row", "pc1", "pc2", "pc3", "class"]
    assert len(found["coordinates"]["row"]) == found["rows"] == 240
    low, high = found["error_interval"]
    assert low <= found["error"] <= high
    assert any("--type loan=" in note for note in found["notes"])
    assert "coordinates" not in run("project", loans, "--out", "x.jsonl", "--json").json


def test_without_classes(run: Run, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "plain.csv", ["a", "b"], [[i, i * i] for i in range(20)])
    done = run("project", path)
    assert done.code == 0 and "component 1" in done.text and "Error" not in done.out


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--method", "fisher"], "name the column of classes with --target"),
        (["--method", "lda"], "give pca or fisher"),
        (["--target", "species", "--to", 3], "ask for at most 2 with --to."),
        (["--target", "colour"], "There is no column 'colour'"),
        (["--target", "species", "--report", "no/map.html"], "there is no folder 'no'"),
        (["--target", "species", "--format", "pdf"], "use csv, jsonl or parquet"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_nothing_is_written(
    run: Run, iris: Path, tmp_path: Path, options: list[Any], says: str
) -> None:
    done = run("project", iris, "--out", "map.csv", *options)
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1 and says in done.err
    assert not (tmp_path / "map.csv").exists()


def test_the_page_is_drawn_and_asks_for_nothing(browser: Any, run: Run, iris: Path, loans: Path) -> None:
    plain = write_csv(iris.parent / "one.csv", ["a"], [[i % 7] for i in range(20)])
    for path, options in ((iris, ["--target", "species"]), (loans, ["--type", "age=numeric"]), (plain, [])):
        page = iris.parent / "map.html"
        assert run("project", path, *options, "--report", page, "--quiet").code == 0
        for width in (390, 1280):
            with Opened(browser, page, width, "light") as opened:
                assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
                assert opened.complaints == [] and opened.requests == [page.as_uri()]
                assert opened.page.locator("#figure-map .chart svg path").count() > 5


def test_pointing_at_a_row_names_it(browser: Any, run: Run, iris: Path) -> None:
    page = iris.parent / "map.html"
    run("project", iris, "--target", "species", "--report", page)
    with Opened(browser, page, 1280, "light") as opened:
        opened.page.locator("#figure-map .mark-symbol path").first.hover()
        tooltip = opened.page.locator("#vg-tooltip-element")
        tooltip.wait_for(state="visible")
        said = tooltip.inner_text()
        assert "setosa" in said and "row" in said
