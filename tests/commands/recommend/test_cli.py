"""`assay recommend`: items with reasons, errors of every way, one sentence for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay import Recommender, rating_errors
from tests.commands.conftest import Run, write_csv

FILMS = {
    "Ann": {"Alien": 5, "Brazil": 4, "Heat": 2, "Up": 1},
    "Bob": {"Alien": 1, "Brazil": 3, "Heat": 3},
    "Cid": {"Alien": 4, "Brazil": 1, "Heat": 4, "Up": 5},
    "Dan": {"Alien": 1, "Brazil": 2, "Up": 5},
    "42": {"Alien": 4, "Brazil": 3},
}


@pytest.fixture
def films(tmp_path: Path) -> str:
    rows = [(user, item, rating) for user, own in FILMS.items() for item, rating in own.items()]
    write_csv(tmp_path / "films.csv", ["user", "item", "rating"], rows)
    return "films.csv"


def test_items_with_reasons(run: Run, films: str) -> None:
    done = run("recommend", films, "--user", "42", "--similarity", "euclidean")
    assert (done.code, done.err) == (0, "")
    found = Recommender(similarity="euclidean").fit(FILMS).recommend("42")
    lines = done.out.splitlines()
    for item in found:
        line = next(each for each in lines if each.startswith(f"  {item.item} "))
        assert f"{item.rating:.3f}" in line and item.reason in line
    assert "16 ratings of 4 items by 5 users in films.csv." in done.text and "For 42" in done.text


def test_json_has_the_critics_and_the_errors(run: Run, films: str) -> None:
    figures = run("recommend", films, "--user", 42, "-n", 1, "--evaluate", "--plan", "loo", "--json").json
    found = Recommender().fit(FILMS).recommend("42", 1)[0]
    assert figures["user"] == "42" and figures["ratings"] == 16
    (item,) = figures["recommendations"]
    assert (item["item"], item["rating"], item["reason"]) == (found.item, found.rating, found.reason)
    assert [each["critic"] for each in item["critics"]] == [voice.critic for voice in found.critics]
    errors = rating_errors(FILMS, "leave_one_out").errors
    assert [each["rmse"] for each in figures["errors"]] == [error.rmse.value for error in errors]
    assert figures["errors"][0]["rmse_interval"] == [*errors[0].rmse.interval]
    assert [each["chosen"] for each in figures["errors"]].count(True) == 1


def test_errors_of_every_way_and_which_is_best(run: Run, films: str) -> None:
    done = run("recommend", films, "--evaluate", "--plan", "3", "--seed", "1", "--prediction", "nearest")
    errors = rating_errors(FILMS, 3, random_state=1).errors
    assert "Errors on held-out ratings, 3-fold" in done.text
    for error in errors:
        assert f"{error.rmse.value:.4f}" in done.text
    assert f"--prediction {errors[0].prediction}" in done.text
    assert "For 42" not in done.text


def test_matrices_missing_codes_and_named_columns(run: Run, tmp_path: Path) -> None:
    write_csv(tmp_path / "m.csv", ["n", "a", "b", "c"], [[3, 5, 4, 2], [3, 1, 3, 3], [2, 4, 3, 99]])
    figures = run(
        "recommend", "m.csv", "--matrix", "--drop", "n", "--missing", 99, "--user", 3, "--json",
        "--similarity", "euclidean", "--neighbors", 0,
    ).json  # fmt: skip
    assert [each["item"] for each in figures["recommendations"]] == ["c"]
    write_csv(tmp_path / "l.csv", ["t", "what", "who", "mark"], [[1, "A", "Ann", 3], [2, "B", "Bob", 4]])
    columns = ("--user-column", "who", "--item-column", "what", "--rating-column", "mark")
    done = run("recommend", "l.csv", *columns, "--user", "Ann")
    assert "Mean of 1 rating: 4." in done.text and "Note D712: No user" in done.text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Name a user with --user, or ask for the errors of all prediction methods with --evaluate."),
        (("--user", "Zoe"), "There is no user 'Zoe' among the ratings; there are 'Ann', 'Bob', 'Cid', ..."),
        (("--user", "Ann", "--similarity", "cosine"), "similarity"),
        (("--evaluate", "--plan", "x"), "--plan x is unknown; give a number of folds, 2 or more, or loo."),
        (("--evaluate", "--plan", "99"), "There are 16 ratings, too few for 99 folds"),
        (("--user", "Ann", "--user-column", "who"), "who"),
        (("--user", "Ann", "--duplicates", "sum"), "sum"),
    ],
)
def test_bad_input_is_one_sentence(run: Run, films: str, arguments: tuple[str, ...], sentence: str) -> None:
    done = run("recommend", films, *arguments)
    assert done.code == 2 and done.out == ""
    assert sentence in done.err and done.err.count("\n") == 1


def test_lines_of_files_are_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("user,item,rating\nAnn,Up,5\nBob,Up,good\n")
    done = run("recommend", "bad.csv", "--user", "Ann")
    assert done.code == 2 and "Line 3 of bad.csv has 'good' in column 'rating'" in done.err
    (tmp_path / "twice.csv").write_text("user,item,rating\nAnn,Up,5\nAnn,Up,4\n")
    done = run("recommend", "twice.csv", "--user", "Ann")
    assert done.code == 2 and "Line 3 of twice.csv is the second rating" in done.err
    assert "--duplicates (mean, first or last)" in done.err
