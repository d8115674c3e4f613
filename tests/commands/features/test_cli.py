"""`assay features`: a ranking, the path of a search, an honest error, a page, and sentences for what cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser import Opened
from tests.commands.conftest import Run, write_csv


def test_a_search_among_the_columns_of_irises(run: Run, iris: Path) -> None:
    done = run("features", iris, "--target", "species", "--n", 2)
    assert done.code == 0 and done.err == ""
    assert "Columns ranked by correlation" in done.text
    assert "Forward search with Gaussian naive Bayes" in done.text
    assert "* 2 + petal_length" in done.text or "* 2 + petal_width" in done.text
    assert "Selected: petal_length, petal_width" in done.text
    assert "5 folds, the search repeated in each" in done.text and "sums over features" in done.text


@pytest.mark.parametrize("search", ["forward", "backward", "floating"])
def test_json_has_everything(run: Run, loans: Path, search: str) -> None:
    found = run("features", loans, "--search", search, "--rule", "one_se", "--json").json
    assert (found["search"], found["target"], found["name"]) == (search, "class", "gaussian_nb")
    chosen = found["path"][found["chosen"]]
    assert chosen["features"] == found["features"] and chosen["error"] == found["path_error"]
    low, high = found["error_interval"]
    assert low <= found["error"] <= high and found["rule"] == "one_se"
    scores = [each["correlation"] for each in found["ranking"]]
    assert scores == sorted(scores, reverse=True)


def test_a_ranking_alone(run: Run, iris: Path) -> None:
    found = run(
        "features", iris, "--target", "species", "--search", "rank", "--by", "correlation_ratio", "--json"
    ).json
    assert found["ranking"][0]["column"] == "petal_length" and "path" not in found
    assert round(found["ranking"][0]["correlation_ratio"], 3) == 0.941
    assert "search" not in run("features", iris, "--target", "species", "--search", "rank", "--quiet").text


def test_other_models_and_their_settings(run: Run, iris: Path) -> None:
    found = run(
        "features",
        iris,
        "--target",
        "species",
        "--model",
        "knn",
        "--set",
        "n_neighbors=3",
        "--n",
        1,
        "--json",
    ).json
    assert found["name"] == "knn" and found["features"] in (["petal_width"], ["petal_length"])


def test_a_page_is_written(run: Run, loans: Path, tmp_path: Path) -> None:
    for options in ([], ["--search", "rank"], ["--search", "floating"]):
        assert run("features", loans, *options, "--report", "page.html", "--quiet").code == 0
        page = (tmp_path / "page.html").read_text()
        assert "Feature selection" in page and "http://" not in page.replace("http://www.w3.org", "")
        assert ("Path of the search" in page) == (options != ["--search", "rank"])


def test_columns_that_a_model_does_not_read_are_named(run: Run, tmp_path: Path) -> None:
    rows = [[i % 7, f"note {i} about nothing in particular", "yes" if i % 7 > 3 else "no"] for i in range(60)]
    path = write_csv(tmp_path / "notes.csv", ["a", "note", "y"], rows)
    done = run("features", path, "--type", "note=text")
    assert done.code == 0 and "'note'" in done.text and "Selected: a" in done.text


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--search", "sideways"], "give forward, backward, floating or rank"),
        (["--by", "luck"], "give correlation, correlation_ratio or information"),
        (["--rule", "best"], "give min or one_se"),
        (["--n", 0], "--n 0 is not a number of features; give a whole number of at least 1, or leave it out"),
        (["--n", 9], "--n 9 is more than the 4 features"),
        (["--model", "magic"], "magic"),
        (["--model", "baseline"], "baseline"),
        (["--set", "depth=3"], "depth"),
        (["--target", "colour"], "There is no column 'colour'"),
        (["--report", "no/page.html"], "there is no folder 'no'"),
    ],
)
def test_what_cannot_be_is_one_sentence(run: Run, iris: Path, options: list[Any], says: str) -> None:
    given = options if "--target" in options else ["--target", "species", *options]
    done = run("features", iris, *given)
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1 and says in done.err


def test_the_page_is_drawn_and_asks_for_nothing(browser: Any, run: Run, iris: Path, loans: Path) -> None:
    page = iris.parent / "features.html"
    for path, options in (
        (iris, ["--target", "species", "--search", "floating"]),
        (loans, ["--search", "backward"]),
    ):
        assert run("features", path, *options, "--report", page, "--quiet").code == 0
        for width in (390, 1280):
            with Opened(browser, page, width, "light") as opened:
                assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
                assert opened.complaints == [] and opened.requests == [page.as_uri()]
                for figure in ("path", "ranking"):
                    assert opened.page.locator(f"#figure-{figure} .chart svg path").count() > 3


def test_a_start_and_fixed_columns_by_name(run: Run, iris: Path) -> None:
    asked = ("features", iris, "--target", "species", "--json", "--quiet")
    found = run(*asked, "--start", "sepal_width", "--fixed", "sepal_length").json
    assert found["path"][0]["features"] == ["sepal_length", "sepal_width"]
    assert all("sepal_length" in step["features"] for step in found["path"])
    back = run(*asked, "--search", "floating", "--fixed", "sepal_length", "--n", "2").json
    assert "sepal_length" in back["features"] and len(back["features"]) == 2
    for options, said in (
        (
            ("--start", "width"),
            "--start names 'width', which is not a feature; choose among 'sepal_length'",
        ),
        (
            ("--fixed", "sepal_length", "--fixed", "sepal_width", "--n", "1"),
            "--n 1 is less than the 2 fixed features",
        ),
        (("--search", "rank", "--n", "2"), "A ranking lists all columns"),
        (("--search", "rank", "--start", "sepal_width"), "A ranking lists all columns"),
    ):
        done = run(*asked, *options)
        assert (done.code, done.out) == (2, "") and said in done.err


def test_columns_of_noise_are_not_recommended(run: Run, iris: Path, tmp_path: Path) -> None:
    """The best of what tells nothing is called the best, and that it is worth nothing."""
    noise = np.random.default_rng(0).normal(size=(40, 6))
    rows = [[*map(str, row), "ab"[i % 2]] for i, row in enumerate(noise.tolist())]
    said = run("features", write_csv(tmp_path / "noise.csv", [*"stuvwx", "class"], rows)).text
    assert "not clearly better than always predicting the most frequent class" in " ".join(said.split())
    assert "not clearly better" not in run("features", iris, "--target", "species").text
