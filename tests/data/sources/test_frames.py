"""Frames, arrays and other objects in memory become the same table."""

from __future__ import annotations

import datetime
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from assay.data import Table, read
from tests.raised import raises

COLUMNS: dict[str, list[Any]] = {
    "n": [1.5, None, 2.5, 4.0],
    "c": ["b", "a", None, "c"],
    "t": [True, False, True, None],
    "d": [datetime.date(1970, 1, 2), None, datetime.date(1970, 1, 11), datetime.date(1969, 12, 31)],
}
ARROW = pa.table(COLUMNS)


def pandas_frame() -> pd.DataFrame:
    frame = pd.DataFrame(COLUMNS, index=[7, 7, 8, 9])
    return frame.astype({"c": "category", "t": "boolean", "d": "datetime64[ns]"})


SOURCES = {
    "dictionary": lambda: COLUMNS,
    "arrow": lambda: ARROW,
    "batch": lambda: ARROW.to_batches()[0],
    "reader": lambda: pa.RecordBatchReader.from_batches(ARROW.schema, ARROW.to_batches(max_chunksize=2)),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars categories": lambda: pl.DataFrame(COLUMNS).with_columns(pl.col("c").cast(pl.Categorical)),
    "pandas": pandas_frame,
    "pandas objects": lambda: pd.DataFrame(COLUMNS).astype({"c": object, "t": object}),
    "views": lambda: ARROW.set_column(1, "c", ARROW["c"].cast(pa.string_view())),
    "table": lambda: read(COLUMNS),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_one_table_from_every_kind(kind: str) -> None:
    table = read(SOURCES[kind]())
    assert [(c.name, c.type, c.levels, c.missing) for c in table.schema] == [
        ("n", "numeric", (), 1),
        ("c", "categorical", ("a", "b", "c"), 1),
        ("t", "binary", (False, True), 1),
        ("d", "date", (), 1),
    ]
    np.testing.assert_array_equal(table["n"], [1.5, np.nan, 2.5, 4.0])
    assert table["c"].tolist() == [1, 0, -1, 2]
    assert table["t"].tolist() == [1, 0, 1, -1]
    np.testing.assert_array_equal(table["d"], [1.0, np.nan, 10.0, -1.0])


def test_arrays_have_numbered_columns() -> None:
    table = read(np.array([[1.5, 2.0], [np.nan, 3.5], [2.5, 4.5]]))
    assert table.schema.names == ("x0", "x1")
    np.testing.assert_array_equal(table["x0"], [1.5, np.nan, 2.5])
    structured = np.array([(1.5, "a"), (2.5, "b")], dtype=[("n", float), ("w", "U1")])
    assert read(structured).labels("w").tolist() == ["a", "b"]


def test_a_pair_has_its_labels_as_target() -> None:
    X, y = np.arange(8.0).reshape(4, 2), np.array([2, 0, 2, 1])
    for labels in (y, y.tolist(), pd.Series(y)):
        table = read((X, labels))
        assert table.schema.names == ("x0", "x1", "target")
        assert table.labels("target").tolist() == [2, 0, 2, 1]
    assert read((pd.DataFrame(X, columns=["a", "b"]), y)).schema.names == ("a", "b", "target")


def test_names_become_text_and_the_index_is_ignored() -> None:
    frame = pd.DataFrame({0: [1.5, 2.5], ("a", 1): ["x", "y"]}, index=["r", "s"])
    assert read(frame).schema.names == ("0", "('a', 1)")


def test_nullable_whole_numbers() -> None:
    frame = pd.DataFrame(
        {"x": pd.array([1, None, 3] * 40, dtype="Int64"), "y": np.arange(120, dtype=np.uint8) % 5}
    )
    table = read(frame)
    assert table.schema["x"].levels == (1, 3) and table.schema["x"].missing == 40
    assert table.schema["y"].levels == (0, 1, 2, 3, 4)


def test_moments_keep_their_hours() -> None:
    stamps = pd.to_datetime(["1970-01-01 12:00", "1970-01-02 06:00"])
    zoned = stamps.tz_localize("Europe/Rome")
    table = read(pd.DataFrame({"d": stamps, "z": zoned, "span": stamps - stamps[0]}))
    np.testing.assert_allclose(table["d"], [0.5, 1.25])
    np.testing.assert_allclose(table["z"], [0.5 - 1 / 24, 1.25 - 1 / 24])
    np.testing.assert_allclose(table["span"], [0.0, 0.75])


def test_a_table_stays_itself() -> None:
    table = read(COLUMNS)
    assert read(table) is table
    assert read(table, drop=["n"]).schema.names == ("c", "t", "d")
    assert read(table, target="c").schema["c"].reason == "the target"


def test_decimals_keep_their_digits() -> None:
    table = read(
        pa.table({"x": [Decimal("1.50"), None, Decimal("2.25")], "k": [Decimal(10**20), Decimal(3), None]})
    )
    np.testing.assert_array_equal(table["x"], [1.5, np.nan, 2.25])
    assert table.schema["k"].levels == (str(10**20), "3")


def test_slices_and_selections() -> None:
    table = read(COLUMNS)
    part = table.slice(1, 3)
    assert part.n_rows == 2 and part["c"].tolist() == [0, -1]
    assert isinstance(part, Table) and table.take([3, 0])["c"].tolist() == [2, 1]


def test_scikit_learn_is_never_imported() -> None:
    code = (
        "import sys; import assay; from assay.data import read, scan;"
        "read({'a': [1, 2], 'b': ['x', 'y']}); assay.read; assert 'sklearn' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_labels_keep_the_type_of_numbers() -> None:
    for given in ([0.0, 1.0, 2.0] * 5, [0, 1, 2] * 5):
        X = np.arange(30.0).reshape(15, 2)
        for source in ((X, np.array(given)), pd.DataFrame({"target": given}), {"target": np.array(given)}):
            labels = read(source, target="target").labels("target")
            assert labels.tolist() == given and {type(label) for label in labels.tolist()} == {type(given[0])}


@pytest.mark.parametrize("kind", ["pandas", "categories", "polars", "arrow", "dictionary", "pair", "table"])
def test_text_labels_that_look_like_numbers_stay_text(kind: str) -> None:
    columns: dict[str, list[Any]] = {"x": [0.5, 1.5, 2.5, 3.5, 9.5], "y": ["0", "1", "1", "0", None]}
    frame = pd.DataFrame(columns)
    sources: dict[str, Any] = {
        "pandas": frame,
        "categories": frame.astype({"y": "category"}),
        "polars": pl.DataFrame(columns),
        "arrow": pa.table(columns),
        "dictionary": columns,
        "pair": (frame[["x"]], np.array(columns["y"], dtype=object)),
        "table": read(columns, target="y"),
    }
    target = "target" if kind == "pair" else "y"
    table = read(sources[kind], target=target)
    assert table.schema[target].levels == ("0", "1") and table[target].tolist() == [0, 1, 1, 0, -1]


def test_labels_of_a_file_of_text_are_numbers_where_they_look_like_numbers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [0.5, 1.5, 2.5], "y": ["0", "1", "1"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    assert read(tmp_path / "t.csv", target="y").schema["y"].levels == (0, 1)
    assert read(tmp_path / "t.parquet", target="y").schema["y"].levels == ("0", "1")


def test_numbers_in_text_are_still_no_classes() -> None:
    with raises("D094", subject="y", distinct=90):
        read({"y": [f"{i}.5" for i in range(90)]}, target="y")
    keys = [f"0{i}" for i in range(100, 160)]
    assert read({"y": keys}, target="y").schema["y"].levels == tuple(keys)


def test_a_series_is_a_table_of_one_column() -> None:
    for series in (pd.Series([1.5, 2.5], name="n"), pl.Series("n", [1.5, 2.5])):
        assert read(series).schema.names == ("n",) and read(series)["n"].tolist() == [1.5, 2.5]
    for series in (pd.Series(["a", "b"]), pl.Series(["a", "b"]), pa.chunked_array([["a"], ["b"]])):
        assert read(series).schema.names == ("x0",) and read(series).labels("x0").tolist() == ["a", "b"]


def test_sparse_columns_are_read_and_sparse_matrices_refused() -> None:
    dense = {"n": [0.0, 0.0, 1.5, np.nan], "k": [0, 0, 3, 4], "w": ["x", "y", "x", "x"]}
    sparse = {name: pd.arrays.SparseArray(values) for name, values in dense.items()}
    for source in (pd.DataFrame(sparse), {name: pd.Series(values) for name, values in sparse.items()}):
        table = read(source)
        np.testing.assert_array_equal(table["n"], dense["n"])
        np.testing.assert_array_equal(table["k"], dense["k"])
        assert table.labels("w").tolist() == dense["w"]
    pair = read((pd.DataFrame(sparse), pd.Series(pd.arrays.SparseArray([0, 0, 1, 1]))))
    assert pair.labels("target").tolist() == [0, 0, 1, 1]
    with raises("D034"):
        read((scipy.sparse.eye(4), [0, 0, 1, 1]))
