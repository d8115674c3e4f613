"""Ratings from lists, matrices and whatever else holds them; what is wrong with them is one sentence."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from assay import Ratings, read_ratings
from assay.notes import Note
from tests.raised import Expected, raises

WANTED = {"Ann": {"Alien": 5.0, "Up": 2.5}, "Bob": {"Up": 4.0}}
LIST = "user,item,rating\nAnn,Alien,5\nBob,Up,4\nAnn,Up,2.5\n"


def as_dictionary(ratings: Ratings) -> dict[str, dict[str, float]]:
    return {user: ratings.of_user(user) for user in ratings.users}


def written(folder: Path, text: str, name: str = "ratings.csv") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (LIST, {}),
        ("when,Film ID,stars,User\n1,Alien,5,Ann\n2,Up,4,Bob\n3,Up,2.5,Ann\n", {}),
        ("a;b;c\nAnn;Alien;5\nBob;Up;4\nAnn;Up;2.5\n", {}),
        (
            "x,who,what,how,t\n1,Ann,Alien,5,9\n1,Bob,Up,4,9\n1,Ann,Up,2.5,9\n",
            {"user": "who", "item": "what", "rating": "how"},
        ),
        ("user,Alien,Up\nAnn,5,2.5\nBob,,4\n", {"layout": "matrix"}),
        (",Alien,Up,Brazil,Heat\nAnn,5,2.5,99,-1\nBob,99,4,,99\n", {"missing": [99, -1]}),
        (
            "rater,rated,Alien,Up,Brazil,Heat\nAnn,2,5,2.5,99,99\nBob,1,99,4,99,99\n",
            {"missing": 99, "drop": ["rated"]},
        ),
    ],
)
def test_lists_and_matrices_of_files(tmp_path: Path, text: str, options: dict[str, Any]) -> None:
    assert as_dictionary(read_ratings(written(tmp_path, text), **options)) == WANTED


def test_what_is_in_memory(tmp_path: Path) -> None:
    rows = [(user, item, rating) for user, own in WANTED.items() for item, rating in own.items()]
    frame = pd.DataFrame(rows, columns=["user", "item", "rating"])
    pivot = frame.pivot(index="user", columns="item", values="rating")
    assert as_dictionary(read_ratings(frame)) == WANTED
    assert as_dictionary(read_ratings(pivot)) == WANTED
    assert as_dictionary(read_ratings(WANTED)) == WANTED
    matrix = np.array([[5, 2.5], [np.nan, 4]])
    numbered = {"0": {"0": 5.0, "1": 2.5}, "1": {"1": 4.0}}
    assert as_dictionary(read_ratings(matrix)) == numbered
    assert as_dictionary(read_ratings(np.array([[5, 2.5], [99, 4]]), missing=99)) == numbered
    assert as_dictionary(read_ratings(sparse.coo_matrix(([5, 2.5, 4], ([0, 0, 1], [0, 1, 1]))))) == numbered
    zero = read_ratings(sparse.csr_matrix((np.array([0.0, 2.0]), [1, 0], [0, 2])))
    assert as_dictionary(zero) == {"0": {"0": 2.0, "1": 0.0}}  # what is stored is a rating
    with sqlite3.connect(tmp_path / "ratings.db") as database:
        frame.to_sql("ratings", database, index=False)
    assert as_dictionary(read_ratings(f"sqlite://{tmp_path}/ratings.db", query="ratings")) == WANTED


@pytest.mark.parametrize(("policy", "wanted"), [("mean", 3.0), ("first", 5.0), ("last", 1.0)])
def test_duplicates_by_policy(tmp_path: Path, policy: str, wanted: float) -> None:
    path = written(tmp_path, "user,item,rating\nAnn,Up,5\nBob,Up,2\nAnn,Up,1\n")
    found = read_ratings(path, duplicates=policy)
    assert found.of_user("Ann") == {"Up": wanted}
    assert found.notes[0].startswith("1 rating repeats a user's rating of an item")
    with pytest.raises(ValueError) as caught:
        read_ratings(path)
    assert str(caught.value).startswith(
        "Line 4 of ratings.csv is the second rating of item 'Up' by user 'Ann', after line 2; remove one"
    )


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        (
            LIST.replace("4", "good"),
            {},
            Expected("D071", place="Line 3", source="ratings.csv", value="good", column="rating"),
        ),
        (LIST.replace("4", "inf"), {}, Expected("D071", place="Line 3", value="inf", column="rating")),
        (LIST.replace("Bob", ""), {}, Expected("D086", place="Line 3", column="user")),
        (
            "user,Alien,Up\nAnn,5,x\n",
            {"layout": "matrix"},
            Expected("D071", place="Line 2", value="x", column="Up"),
        ),
        (
            "user,Alien,Up\nAnn,5,1\nAnn,2,2\n",
            {"layout": "matrix"},
            Expected("D083", place="Line 3", user="Ann", earlier="line 2"),
        ),
        ("user,item,rating\n", {}, Expected("D069", source="ratings.csv")),
        ("user,item,rating\nAnn,Up,\n", {}, Expected("D069", source="ratings.csv")),
        ("user,rating\nAnn,1\n", {}, Expected("D085", source="ratings.csv")),
        (LIST, {"user": "who"}, Expected("D101", name="who")),
        (LIST, {"user": "item", "item": "item"}, Expected("D073")),
        (LIST, {"layout": "table"}, Expected("D072", layout="table")),
        (LIST, {"duplicates": "sum"}, Expected("D068", duplicates="sum")),
        (LIST, {"missing": "none"}, Expected("D081", missing="none")),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path, text: str, options: dict[str, Any], expected: Expected
) -> None:
    with raises(expected) as caught:
        read_ratings(written(tmp_path, text), **options)
    assert "\n" not in str(caught.value)


def test_bad_input_in_memory() -> None:
    for source, expected in [
        (np.array([1.0, 2.0]), Expected("D077", ndim=1)),
        (np.array([[1.0, np.inf]]), Expected("D078", row=0, column=1)),
        (np.array([["a", "b"]]), Expected("D084")),
        (np.array([[np.nan]]), Expected("D076")),
        (sparse.csr_matrix((2, 2)), Expected("D080")),
        ({"Ann": {"Up": None}}, Expected("D067", user="Ann", item="Up", value=None)),
    ]:
        with raises(expected):
            read_ratings(source)


def test_blank_ratings_of_a_list_are_left_out_and_told(tmp_path: Path) -> None:
    found = read_ratings(written(tmp_path, LIST + "Cid,Up,\n"))
    assert as_dictionary(found) == WANTED and found.notes == (Note("D232", lines=1),)


cells = st.one_of(
    st.sampled_from(["", "1", "4.5", "-2", "99", "x", '"a,b"', "nan", "1e400", " 3 "]), st.text(max_size=4)
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.lists(cells, min_size=3, max_size=3), max_size=6), st.sampled_from(["list", "matrix", "auto"])
)
def test_any_text_is_read_or_refused_in_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], layout: str
) -> None:
    text = "user,item,rating\n" + "\n".join(",".join(row) for row in rows) + "\n"
    path = tmp_path_factory.mktemp("fuzz") / "ratings.csv"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        found = read_ratings(path, layout=layout)
    except ValueError as error:
        assert str(error).strip() and "\n" not in str(error)
        return
    assert found.n_ratings == found.first[-1] == len(found.item) > 0
    assert np.isfinite(found.value).all() and (found.item < found.n_items).all()
    assert all(
        (np.diff(found.item[a:b]) > 0).all() for a, b in zip(found.first, found.first[1:], strict=False)
    )
