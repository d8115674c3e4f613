"""Descriptions: figures by hand, blocks like one table, JSON, real tables, and bounded memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from assay.commands.describe import job as module
from assay.commands.describe.job import describe
from assay.commands.describe.result import DescribeResult
from assay.notes.numbers import date_text
from tests.commands.tables import category, joined, numbers, text
from tests.raised import raises
from tests.realdata import data_path, load_csv

FRAME = pd.DataFrame(
    {
        "size": [1.5, 2.5, np.nan, 8.0, 9.5, 7.0],
        "colour": ["red", "red", "blue", None, "green", "blue"],
        "seen": pd.to_datetime(["2020-01-01", "2020-01-03", None, "2020-01-02", "2020-01-05", "2020-01-04"]),
        "kind": ["cat", "cat", "cat", "dog", "dog", None],
    }
)
TYPES = {"colour": "categorical"}


def test_figures_by_hand() -> None:
    description = describe(FRAME, "kind", types=TYPES)
    size = description["size"]
    assert description.n_rows == 6
    assert (size.type, size.missing) == ("numeric", 1)
    assert size.numbers is not None
    assert size.numbers.mean == pytest.approx(5.7)
    assert (size.numbers.min, size.numbers.median, size.numbers.max) == (1.5, 7.0, 9.5)
    assert size.numbers.deviation == pytest.approx(np.std([1.5, 2.5, 8.0, 9.5, 7.0]))
    assert size.by_class == (pytest.approx(2.0), pytest.approx(8.75))
    assert size.reason


def test_levels_and_their_shares_by_class() -> None:
    colour = describe(FRAME, "kind", types=TYPES)["colour"]
    assert [(s.level, s.rows, s.share) for s in colour.levels] == [
        ("blue", 2, 0.4),
        ("red", 2, 0.4),
        ("green", 1, 0.2),
    ]
    assert colour.by_class == (pytest.approx((1 / 3, 2 / 3, 0.0)), (0.0, 0.0, 1.0))
    assert (colour.missing, colour.distinct) == (1, 3)


def test_classes_dates_and_rows_without_a_label() -> None:
    description = describe(FRAME, "kind", types=TYPES)
    assert [(c.label, c.rows, c.share) for c in description.classes] == [("cat", 3, 0.6), ("dog", 2, 0.4)]
    assert (description.target, description.unlabelled) == ("kind", 1)
    seen = description["seen"]
    assert seen.type == "date" and seen.numbers is not None
    assert [date_text(seen.numbers.min), date_text(seen.numbers.max)] == ["2020-01-01", "2020-01-05"]
    assert description["kind"].by_class == ()
    assert "Rows for each column, smallest class" in {f.title for f in description.findings}
    with pytest.raises(KeyError):
        description["none"]


def test_without_a_target_there_are_no_classes_and_no_findings() -> None:
    description = describe(FRAME, types=TYPES, drop=["seen"])
    assert [column.name for column in description.columns] == ["size", "colour", "kind"]
    assert (description.target, description.classes, description.findings) == (None, (), ())
    assert all(column.by_class == () for column in description.columns)


@pytest.mark.parametrize("target", [None, "kind"])
def test_json_gives_it_back(target: str | None) -> None:
    description = describe(FRAME, target, types=TYPES)
    data = description.to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert DescribeResult.from_json(data) == description


def test_sources_that_name_their_target(tmp_path: Path) -> None:
    X, y = np.sqrt(np.arange(60.0)).reshape(30, 2), np.array(["u", "v", "v"] * 10)
    description = describe((X, y))
    assert (description.target, [c.rows for c in description.classes]) == ("target", [10, 20])
    for name in ("bad", "good"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.txt").write_text(f"{name} words")
    description = describe(tmp_path)
    assert (description.target, [c.label for c in description.classes]) == ("class", ["bad", "good"])


def test_a_table_keeps_its_types() -> None:
    table = joined(
        numbers(x=[1, 2, 1, 2], kind=[0, 1, 0, 1]),
        category("c", list("abca")),
        text("t", ["a", None, "b", "c"]),
    )
    description = describe(table, "kind")
    assert [column.type for column in description.columns] == ["numeric", "binary", "categorical", "text"]
    assert [c.label for c in description.classes] == [0, 1]
    assert (description["x"].by_class, description["t"].missing) == ((1.0, 2.0), 1)


def test_the_target_cannot_be_dropped() -> None:
    with raises("P003", target="kind"):
        describe(FRAME, "kind", drop=["kind"])
    with raises("D102", name="kin", near=["kind"]):
        describe(FRAME, "kin")


def test_many_classes_are_counted_and_columns_not_shown_by_class() -> None:
    labels = [f"k{i % 25}" for i in range(200)]
    description = describe({"x": np.sqrt(np.arange(200.0)), "label": labels}, "label")
    assert len(description.classes) == 25
    assert description["x"].by_class == ()


def test_a_column_without_values_is_not_called_constant() -> None:
    description = describe({"empty": [None, "", "?"], "same": ["a", "a", None]})
    assert [(column.name, column.type) for column in description.columns] == [
        ("empty", "no values"),
        ("same", "binary"),
    ]
    assert DescribeResult.from_json(description.to_json()) == description


def test_two_readings_and_labels_that_look_alike_are_warned_of() -> None:
    rows = {"x": ["1,234", "5,678", "9,012"] * 10, "y": ["Yes", "yes", "no"] * 9 + ["yes", "no", "nno"]}
    doubt, levels = describe(rows).findings
    assert (levels.title, levels.column) == ("Categories that look alike", "y")
    assert (
        doubt.warn
        and doubt.column == "x"
        and doubt.note.code == "D222"
        and doubt.note.values["meaning"] == "thousands"
    )
    found = describe(rows, "y").findings
    assert [finding.title for finding in found[:3]] == [
        "Can be read in two ways",
        "Labels that look alike",
        "Labels of a single row",
    ]
    assert "'Yes' (9) and 'yes' (10)" in found[1].sentence and "'nno'" in found[2].sentence
    assert all(finding.warn for finding in found[:3])


def test_columns_that_are_all_missing_or_huge() -> None:
    source = {"a": [None] * 4, "b": [1e308, -1e308, 0.5, None], "kind": ["u", "v"] * 2}
    description = describe(source, "kind", types={"b": "numeric"})
    assert description["a"].missing == 4
    assert description["b"].numbers is not None
    json.dumps(description.to_json(), allow_nan=False)


def test_long_tables_are_sampled_for_medians_and_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAMPLE_ROWS", 500)
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=5000), rng.integers(0, 2, 5000)
    description = describe(
        {"x": x, "leak": 1.5 * y + 0.1 * rng.random(5000), "kind": np.array(["u", "v"])[y]}, "kind"
    )
    assert "500 rows of 5 000 rows" in description.notes[0]
    assert description.findings[0].column == "leak"
    figures = description["x"].numbers
    assert figures is not None
    assert figures.mean == pytest.approx(x.mean())
    assert figures.median == pytest.approx(np.median(x), abs=0.15)
    assert (figures.min, figures.max) == (x.min(), x.max())


def test_memory_does_not_grow_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python's own allocations, NumPy's among them, for a file three times as long."""
    monkeypatch.setattr(module, "SAMPLE_ROWS", 1000)
    rng = np.random.default_rng(0)
    peaks = []
    for rows in (100_000, 300_000):
        path = tmp_path / f"{rows}.csv"
        frame = pd.DataFrame(rng.normal(size=(rows, 3)).round(4), columns=list("abc"))
        frame.assign(kind=rng.choice(["u", "v"], rows)).to_csv(path, index=False)
        tracemalloc.start()
        assert describe(path, "kind").n_rows == rows
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_titanic_as_pandas_counts_it() -> None:
    frame = load_csv("titanic3")
    description = describe(data_path("titanic3.csv.gz"), "survived")
    age = description["age"]
    assert age.numbers is not None
    assert age.numbers.mean == pytest.approx(frame["age"].mean())
    assert age.numbers.median == frame["age"].median()
    assert age.by_class == pytest.approx(tuple(frame.groupby("survived")["age"].mean()))
    assert age.missing == frame["age"].isna().sum()
    shares = frame["embarked"].value_counts(normalize=True)
    assert {s.level: s.share for s in description["embarked"].levels} == pytest.approx(shares.to_dict())
    assert {f.column for f in description.findings if f.warn and f.column} == {
        "boat",
        "body",
        "cabin",
        "home.dest",
        "ticket",
    }


@pytest.mark.parametrize("name", ["sms_spam", "review_polarity", "enron1_spam"])
def test_texts_are_described(name: str) -> None:
    frame = pd.read_csv(data_path(f"{name}.tsv.gz"), sep="\t", quoting=3, keep_default_na=False)
    description = describe(frame, "label")
    assert [c.rows for c in description.classes] == frame["label"].value_counts().sort_index().tolist()
    copies = frame["text"].str.strip().duplicated().mean()
    warned = [(finding.title, finding.observed) for finding in description.findings if finding.warn]
    assert warned == ([("repeated texts", pytest.approx(copies))] if copies >= 0.01 else [])


def test_levels_that_differ_in_case_alone_are_warned_of_with_and_without_a_target() -> None:
    table = {"town": ["Bern", "bern", "Basel", "Basel"] * 5, "size": list(range(20)), "kind": ["a", "A"] * 10}
    plain, aimed = describe(table), describe(table, "kind")
    named = [finding.column for finding in plain.findings if finding.title == "Categories that look alike"]
    assert named == ["town", "kind"]
    titles = [(finding.title, finding.column) for finding in aimed.findings if "look alike" in finding.title]
    assert titles == [("Categories that look alike", "town"), ("Labels that look alike", "kind")]
    (said,) = (finding.sentence for finding in plain.findings if finding.column == "town")
    assert "'Bern' (5) and 'bern' (5)" in said
