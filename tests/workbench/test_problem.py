"""Posing a problem: what becomes a class, which rows stay, and one sentence for everything that is no problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.data import Column, Schema, Table
from assay.notes import as_note
from assay.workbench.problem import Problem, guess_target, read_problem
from tests.commands.tables import category, joined, numbers, text
from tests.noted import noted
from tests.raised import raises
from tests.realdata import data_path

N = 40


def table(labels: Any = None, *others: Any) -> Table:
    """A number, and a target called kind."""
    target = category("kind", ["a", "b"] * (N // 2)) if labels is None else labels
    return joined(numbers(x=np.arange(len(target[1]))), target, *others)


def refusal(source: Any, target: str | None = "kind", **options: Any) -> str:
    with pytest.raises(ValueError) as caught:
        read_problem(source, target, **options)
    message = str(caught.value)
    assert message.endswith((".", "?")) and "\n" not in message
    return message


def test_the_parts_of_a_problem() -> None:
    problem = read_problem(table(), "kind")
    assert isinstance(problem, Problem)
    assert problem.features.schema.names == ("x",)
    assert problem.table.schema.names == ("x", "kind")
    assert (problem.target, problem.target_column.levels) == ("kind", ("a", "b"))
    assert problem.codes.dtype == np.int32
    assert problem.classes[problem.codes].tolist() == ["a", "b"] * (N // 2)
    assert (problem.n_rows, problem.n_classes, problem.n_dropped, problem.notes) == (N, 2, 0, ())


def test_rows_without_a_label_are_left_out_and_counted() -> None:
    labels = ["a", "b", None, "a"] * 10
    problem = read_problem(table(category("kind", labels)), "kind")
    assert problem.n_dropped == 10
    assert problem.target_column.missing == 10
    assert problem.features["x"].tolist() == [i for i in range(N) if i % 4 != 2]
    assert problem.table.labels("kind").tolist() == [label for label in labels if label]
    (note,) = map(as_note, problem.notes)
    assert (note.code, note.subject, note.values) == ("P133", "kind", {"dropped": 10, "rows": 40})


def test_classes_are_sorted_and_only_those_that_occur() -> None:
    column = Column("kind", "categorical", (10, 9, 7, 2))
    codes = np.array([0, 1, 3, 1] * 10, dtype=np.int32)
    problem = read_problem(table((column, codes)), "kind")
    assert problem.classes.tolist() == [2, 9, 10]
    assert problem.classes.dtype.kind == "i"
    assert problem.classes[problem.codes].tolist() == [10, 9, 2, 9] * 10
    assert problem.table.labels("kind").tolist() == [10, 9, 2, 9] * 10


def test_few_whole_numbers_are_classes_and_stay_numbers() -> None:
    problem = read_problem(numbers(x=np.arange(N), kind=np.arange(N) % 3), "kind")
    assert problem.classes.tolist() == [0, 1, 2]
    assert problem.target_column.type == "categorical"


def test_mixed_labels_are_sorted_numbers_first() -> None:
    column = Column("kind", "categorical", ("b", 2, "a", 1.5))
    problem = read_problem(table((column, np.arange(N, dtype=np.int32) % 4)), "kind")
    assert problem.classes.tolist() == [1.5, 2, "a", "b"]


@pytest.mark.parametrize("name", ["class", "Target", "LABEL", "y"])
def test_the_target_is_guessed_by_its_name(name: str) -> None:
    source = joined(numbers(x=np.arange(N)), category(name, ["a", "b"] * 20))
    assert read_problem(source).target == name


def test_a_guess_is_made_only_if_one_name_fits() -> None:
    assert guess_target(["a", "y"]) == "y"
    with raises("P720", candidates=["y", "Class"]):
        guess_target(["y", "Class"])
    with raises("P007", columns=["a", "b"]):
        guess_target(["a", "b"])


def test_small_classes_are_named_in_a_note() -> None:
    problem = read_problem(table(category("kind", ["a"] * 30 + ["b"] * 9 + ["c"] * 2)), "kind")
    (note,) = map(as_note, problem.notes)
    assert (note.code, note.values["classes"]) == ("P134", ["'c' (2)", "'b' (9)"])


def test_labels_that_look_alike_and_labels_of_one_row_are_named() -> None:
    kinds = ["Yes"] * 20 + ["yes "] * 20 + ["no"] * 20 + ["very  no"] * 12 + ["Very no"] * 12 + ["mabye"]
    alike, single = map(as_note, read_problem({"x": np.arange(85) / 7, "kind": kinds}, "kind").notes)
    assert alike.code == "P130"
    assert sorted(alike.values["alike"]) == [
        "'Very no' (12) and 'very  no' (12)",
        "'Yes' (20) and 'yes' (20)",
    ]
    assert (single.code, single.values) == ("P132", {"labels": ["mabye"]})


@pytest.mark.parametrize("target", ["class", None])
def test_labels_of_a_frame_keep_their_type(target: str | None) -> None:
    for labels in ([0.0, 1.0, 2.0], [0, 1, 2], [True, False, True]):
        rows = {"x": np.arange(30) / 7, "class": labels * 10}
        for source in (rows, pd.DataFrame(rows), pa.table(rows)):
            classes = read_problem(source, target).classes.tolist()
            assert classes == sorted(set(labels)) and {type(c) for c in classes} == {type(labels[0])}


def test_labels_apart_need_no_note() -> None:
    assert read_problem({"x": np.arange(60) / 7, "kind": ["yes", "no", "No idea"] * 20}, "kind").notes == ()


def test_values_that_can_be_read_in_two_ways_are_noted() -> None:
    rows = {"x": [f"{1 + i},{100 + i}" for i in range(9)] * 5, "kind": ["a", "b", "c"] * 15}
    (note,) = read_problem(rows, "kind").notes
    assert (as_note(note).code, as_note(note).values["type"]) == ("D222", "numeric:1234,5")


def test_a_column_without_values_is_not_called_constant() -> None:
    rows = {"empty": [None] * 30, "same": ["s"] * 30, "kind": ["a", "b", "c"] * 10}
    assert "'empty' (no values), 'same' (constant)" in refusal(rows, "kind")


@pytest.mark.parametrize("days", [["2024-01-31", "2023-05-01"], ["31.01.2024", "01.05.2023"]])
def test_a_target_of_dates_is_refused(days: list[str]) -> None:
    rows = {"x": np.arange(40) / 7, "day": days * 20}
    assert "holds dates, which are not classes; make a column of periods" in refusal(rows, "day")
    assert read_problem(rows, "day", types={"day": "categorical"}).n_classes == 2


def test_a_target_that_is_not_there() -> None:
    assert "did you mean 'kind'?" in refusal(table(), "kid")
    assert "the columns are 'x', 'kind'." in refusal(table(), "quite else")


def test_a_target_that_is_dropped_too() -> None:
    assert "cannot be dropped" in refusal(table(), drop=["kind"])


def test_dropping_columns() -> None:
    source = table(None, text("t", ["a"] * N))
    assert read_problem(source, "kind", drop=["t"]).features.schema.names == ("x",)
    assert "did you mean 't'" in refusal(source, drop=["tt"])


def test_one_class_or_none() -> None:
    assert "has the value 'a' in every row" in refusal(table(category("kind", ["a"] * N)))
    assert "has no value in any row" in refusal(table(category("kind", [None] * N)))
    assert "has the value 'a' in every row" in refusal(table(text("kind", ["a"] * N, "constant")))


@pytest.mark.parametrize("distinct", [N, 21])
def test_as_many_classes_as_rows_or_nearly(distinct: int) -> None:
    message = refusal(table(category("kind", [f"n{i % distinct}" for i in range(N)])))
    assert f"{distinct} different values in 40 rows and looks like an identifier" in message
    ids = text("kind", [f"n{i % distinct}" for i in range(N)], "identifier")
    assert "looks like an identifier" in refusal(table(ids))


def test_half_as_many_classes_as_rows_are_allowed() -> None:
    assert read_problem(table(category("kind", [f"n{i % 20}" for i in range(N)])), "kind").n_classes == 20
    assert read_problem(table(category("kind", ["a", "b", "b"])), "kind").n_classes == 2


@pytest.mark.parametrize("values", [np.arange(100), np.arange(100) % 25 / 7])
def test_numbers_with_many_values_are_not_cut_by_guess(values: np.ndarray) -> None:
    message = refusal(numbers(x=np.arange(100), kind=values))
    assert f"numeric with {len(set(values))} different values" in message
    assert "bins" in message and "pandas.cut" in message


def test_dates_are_no_classes() -> None:
    source = Table(Schema((Column("kind", "date"),)), {"kind": np.arange(4.0)})
    assert "holds dates" in refusal(source)


def test_ten_thousand_classes() -> None:
    labels = category("kind", [0]), np.repeat(np.arange(10_000, dtype=np.int32), 3)
    column = Column("kind", "categorical", tuple(range(10_000)))
    assert "10000 classes" in refusal(table((column, labels[1])))


def test_ten_thousand_categories_are_no_column_to_predict_from() -> None:
    column = Column("place", "categorical", tuple(range(10_000)))
    source = joined((column, np.arange(N, dtype=np.int32)), category("kind", ["a", "b"] * 20))
    assert "'place' (more than 255 categories)" in refusal(source)


def test_no_column_left() -> None:
    source = joined(
        text("id", [f"{i}" for i in range(N)], "identifier"),
        text("same", ["a"] * N, "constant"),
        category("kind", ["a", "b"] * 20),
    )
    message = refusal(source)
    assert "No column is left to predict 'kind' from: 'id' (identifier), 'same' (constant);" in message
    assert "no column besides the target" in refusal(joined(category("kind", ["a", "b"] * 20)))


@given(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=8, max_size=60), st.permutations("abc"))
def test_labels_survive_any_order_of_levels(labels: list[str | None], order: list[str]) -> None:
    if len({label for label in labels if label}) < 2 or 2 * 3 > sum(label is not None for label in labels):
        return
    codes = np.array([-1 if label is None else order.index(label) for label in labels], dtype=np.int32)
    problem = read_problem(table((Column("kind", "categorical", tuple(order)), codes)), "kind")
    assert problem.classes[problem.codes].tolist() == [label for label in labels if label is not None]
    assert problem.classes.tolist() == sorted(set(problem.classes.tolist()))
    assert problem.n_dropped == labels.count(None)


def test_files_frames_and_pairs(tmp_path: Path) -> None:
    rows = "".join(f"{i**0.5},{'yes' if i % 3 else 'no'}\n" for i in range(30))
    path = tmp_path / "t.csv"
    path.write_text("size,label\n" + rows)
    from_file = read_problem(path)
    X, y = np.sqrt(np.arange(30.0))[:, None], np.array(["yes" if i % 3 else "no" for i in range(30)])
    from_pair = read_problem((X, y))
    assert (from_file.target, from_pair.target) == ("label", "target")
    np.testing.assert_array_equal(from_file.codes, from_pair.codes)
    assert from_file.classes.tolist() == from_pair.classes.tolist() == ["no", "yes"]
    named = read_problem((pd.DataFrame({"label": X[:, 0]}), y))
    assert (named.target, named.features.schema.names) == ("target", ("label",))
    assert "did you mean 'label'?" in refusal(path, "lable")
    assert "bins" in refusal((X, np.linspace(0, 1, 30)), "target")


def test_typed_labels_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"{i / 7},{i % 3}\n" for i in range(30)))
    for problem in (read_problem(path), read_problem(path, "y")):
        assert problem.classes.tolist() == [0, 1, 2]
        assert problem.classes.dtype.kind == "i"


def test_a_folder_of_texts_is_a_problem_of_its_own(tmp_path: Path) -> None:
    for name in ("bad", "good"):
        (tmp_path / name).mkdir()
        for i in range(5):
            (tmp_path / name / f"{i}.txt").write_text(
                f"some {name} words, number {i}, and then some more of them"
            )
    problem = read_problem(tmp_path)
    assert problem.target == "class" and problem.classes.tolist() == ["bad", "good"]
    assert [column.type for column in problem.features.schema] == ["text"]


def test_titanic() -> None:
    problem = read_problem(data_path("titanic3.csv.gz"), "survived")
    assert problem.n_rows == 1309
    assert problem.classes.tolist() == [0, 1]
    assert np.bincount(problem.codes).tolist() == [809, 500]


def test_adult() -> None:
    problem = read_problem(data_path("adult.csv.gz"), "income", drop=["split"])
    assert problem.classes.tolist() == ["<=50K", ">50K"]
    assert np.bincount(problem.codes).tolist() == [37155, 11687]
    assert len(problem.features.schema) == 14


def test_three_hundred_constant_columns() -> None:
    constants = [text(f"c{j}", ["0"] * N, "constant") for j in range(300)]
    message = refusal(joined(*constants, category("kind", ["a", "b"] * 20)))
    assert "'c0' (constant), " in message and "and 292 more" in message


def test_many_whole_numbers_look_like_a_quantity() -> None:
    x = np.random.default_rng(0).normal(size=600)
    rings = read_problem({"x": x, "rings": 1 + np.arange(600) % 30}, "rings")
    assert noted(rings.notes, "P157", subject="rings", distinct=30)
    codes_of_places = np.array([1000 + k * k * 7 for k in range(30)])[np.arange(600) % 30]
    for target in (1 + np.arange(600) % 10, codes_of_places):
        assert not noted(read_problem({"x": x, "rings": target}, "rings").notes, "P157")
