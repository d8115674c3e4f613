"""Every bad input gets one sentence that names the file, the place and the value, and says what to do."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from assay.data import read, scan
from tests.raised import Expected, raises

PARQUET = io.BytesIO()
pq.write_table(pa.table({"a": list(range(1000))}), PARQUET)
ARROW = io.BytesIO()
feather.write_feather(pa.table({"a": list(range(1000))}), ARROW)
GZ = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(5000)))
LONG = "".join(f"{i},{i % 7}\n" for i in range(70_000))


def one_sentence(message: str) -> bool:
    return "\n" not in message and message.endswith((".", "?")) and len(message) < 300


FILES: list[tuple[str, bytes, Expected]] = [
    ("empty.csv", b"", Expected("D007", file="empty.csv")),
    ("empty.csv.gz", gzip.compress(b""), Expected("D007", file="empty.csv.gz")),
    ("blank.csv", b"\n  \n\n", Expected("D007", file="blank.csv")),
    ("empty.jsonl", b"\n", Expected("D007", file="empty.jsonl")),
    ("header.csv", b"a,b\n", Expected("D056", source="header.csv")),
    ("header.csv", b"a,b", Expected("D056", source="header.csv")),
    ("twice.csv", b"a,b,a\n1,2,3\n", Expected("D045", columns=["a"])),
    ("unnamed.csv", b"a,,column_2\n1,2,3\n", Expected("D045", columns=["column_2"])),
    ("short.csv", b"a,b\n1,2\n3\n4,5\n", Expected("D006", line=3, file="short.csv", fields=1, expected=2)),
    ("long.csv", b"a,b\n1,2\n\n3,4,5\n", Expected("D006", line=4, file="long.csv", fields=3, expected=2)),
    ("lines.csv", b'a,b\n"x\ny",2\n3\n', Expected("D006", line=4, file="lines.csv", fields=1)),
    (
        "far.csv",
        b"a,b\n" + LONG.encode() + b"1,2,3\n",
        Expected("D006", line=70002, file="far.csv", fields=3),
    ),
    (
        "latin.csv",
        "a,b\ncaf\xe9,2\n".encode("latin-1"),
        Expected("D004", byte=7, encoding="Latin-1"),
    ),
    ("latin.csv", "caf\xe9,b\n1,2\n".encode("latin-1"), Expected("D004", byte=3)),
    (
        "windows.csv",
        "a,b\n\u201cx\u201d,2\n".encode("cp1252"),
        Expected("D004", byte=4, encoding="Windows-1252"),
    ),
    ("later.csv", b"a,b\n" + LONG.encode() + LONG.encode() + b"\xe9,2\n", Expected("D004")),
    ("wide.csv", "a,b\n1,2\n".encode("utf-16"), Expected("D008")),
    ("zero.csv", b"a,b\n1,\x00\n", Expected("D001", byte=6)),
    ("garbage.csv", bytes(range(256)) * 8, Expected("D001", file="garbage.csv")),
    ("quote.csv", b'a,b\n1,2\n3,"4\n5,6\n', Expected("D233", line=3, file="quote.csv")),
    ("inside.csv", b'a,b\n1,2\n3,"4" and 5\n', Expected("D234")),
    ("cut.csv.gz", GZ[:-2000], Expected("D003", file="cut.csv.gz")),
    ("wrong.csv.gz", b"a,b\n1,2\n", Expected("D003", file="wrong.csv.gz")),
    ("wrong.csv.zst", b"a,b\n1,2\n", Expected("D003", file="wrong.csv.zst")),
    ("cut.parquet", PARQUET.getvalue()[:-200], Expected("D028", file="cut.parquet", format="Parquet")),
    ("wrong.parquet", b"a,b\n1,2\n", Expected("D028", file="wrong.parquet", format="Parquet")),
    ("cut.feather", ARROW.getvalue()[:-300], Expected("D028", file="cut.feather", format="Arrow")),
    ("wrong.arrow", b"a,b\n1,2\n", Expected("D028", file="wrong.arrow", format="Arrow")),
    ("list.jsonl", b'{"a": 1}\n[1, 2]\n', Expected("D039", line=2, file="list.jsonl", shown="[1, 2]")),
    ("broken.jsonl", b'{"a": 1}\n{"a": \n{"a": 2}\n', Expected("D043", line=2, file="broken.jsonl")),
    ("number.jsonl", b"1\n2\n", Expected("D039", line=1, file="number.jsonl", shown="1")),
    ("broken.json", b'[{"a": 1}, {"a": ]', Expected("D040", file="broken.json", line=1)),
    ("numbers.json", b"[1, 2]", Expected("D042", line=1, file="numbers.json")),
    ("table.xlsx", b"PK", Expected("D025", file="table.xlsx")),
    ("table", b"a,b\n", Expected("D025", file="table")),
    (
        "late.csv",
        b"a,b\n" + LONG.encode() + b"many,2\n",
        Expected("D235", expected="numbers", place="line 70002", source="late.csv", value="many"),
    ),
    (
        "key.csv",
        b"a,b\n" + LONG.encode() + b"007,2\n",
        Expected("D235", place="line 70002", source="key.csv", value="007"),
    ),
    (
        "stray.csv",
        b"age,b\n" + b"".join(b"%d,x\n" % i for i in range(100)) + b"abc,y\n",
        Expected("D235", expected="numbers", place="line 102", source="stray.csv", value="abc"),
    ),
    ("nested.jsonl", b'{"a": [1, 2], "b": 1}\n', Expected("D065", source="nested.jsonl")),
]


@pytest.mark.parametrize("small", [2**18, 0], ids=["small", "large"])
@pytest.mark.parametrize("name, content, expected", FILES, ids=[f"{n}-{e}" for n, _, e in FILES])
def test_bad_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, expected: Expected, small: int
) -> None:
    monkeypatch.setattr("assay.data.sources.csv.SMALL", small)
    path = tmp_path / name
    path.write_bytes(content)
    with raises(expected, (ValueError, OSError)) as caught:
        read(path)
    assert one_sentence(str(caught.value))


OBJECTS: list[tuple[Any, Expected]] = [
    (7, Expected("D058", kind="int")),
    (None, Expected("D058", kind="NoneType")),
    ({}, Expected("D044", source="the dictionary")),
    ({"a": [1, 2], "b": [1]}, Expected("D030", first="b", rows=1, other="a", others=2)),
    ({"a": "text"}, Expected("D031")),
    ({"a": [[1], [2]]}, Expected("D032", dimensions=2)),
    ({"a": []}, Expected("D056", source="the dictionary")),
    ({"a": [1, "x"]}, Expected("D038", row=2, value="x", type="str")),
    ({"a": [object()]}, Expected("D029", type="object")),
    (pd.DataFrame({"a": ["x", 5.0, "y"]}), Expected("D038", row=2, value=5.0, type="float")),
    (pd.DataFrame([[1, 2]], columns=["a", "a"]), Expected("D045", columns=["a"])),
    (pd.DataFrame([[1, 2]], columns=[1, "1"]), Expected("D045", columns=["1"])),
    (pd.DataFrame({"a": []}), Expected("D056", source="the frame")),
    (pd.DataFrame({"a": [{"x": 1}]}), Expected("D065", source="the frame")),
    (pl.DataFrame({"a": [[1, 2], [3]]}), Expected("D065", source="the frame")),
    (np.zeros(3), Expected("D033", shape=(3,))),
    (np.zeros((2, 0)), Expected("D044", source="the array")),
    ((np.zeros((3, 2)), [1, 2]), Expected("D036", rows=3, labels=2)),
    ("http://example.org/a.csv", Expected("D059", scheme="http")),
    ("s3://bucket/a.csv", Expected("D059", scheme="s3")),
]


@pytest.mark.parametrize("source, expected", OBJECTS, ids=[str(e) for _, e in OBJECTS])
def test_bad_object(source: Any, expected: Expected) -> None:
    with raises(expected) as caught:
        read(source)
    assert one_sentence(str(caught.value))


TABLE = {
    "age": [31, 40, 25, 60],
    "income": ["low", "high", "low", "low"],
    "zip": ["01234", "99999", "ab", "01234"],
}
OPTIONS: list[tuple[dict[str, Any], Expected]] = [
    ({"target": "incom"}, Expected("D102", kind="column", name="incom", near=["income"])),
    ({"target": "zzz"}, Expected("D101", kind="column", name="zzz", columns=["age", "income", "zip"])),
    ({"drop": ["agee"]}, Expected("D102", near=["age"])),
    ({"types": {"zap": "text"}}, Expected("D102", near=["zip"])),
    (
        {"types": {"zip": "number"}},
        Expected("D091", type="number"),
    ),
    (
        {"types": {"zip": "numeric"}},
        Expected("D235", expected="numbers", place="row 3", source="the dictionary", value="ab"),
    ),
    (
        {"types": {"zip": "date"}},
        Expected("D235", expected="dates", place="row 1", source="the dictionary", value="01234"),
    ),
    ({"types": {"zip": "binary"}}, Expected("D095", type="binary")),
    ({"types": {"income": "constant"}}, Expected("D095", type="constant")),
    ({"target": "age", "drop": ["age"]}, Expected("P003", target="age")),
    ({"drop": ["age", "income", "zip"]}, Expected("D062", source="the dictionary")),
    ({"query": "select 1"}, Expected("D057")),
]


@pytest.mark.parametrize("options, expected", OPTIONS, ids=[str(e) for _, e in OPTIONS])
def test_bad_option(options: dict[str, Any], expected: Expected) -> None:
    with raises(expected) as caught:
        read(TABLE, **options)
    assert one_sentence(str(caught.value))


def test_missing_file_with_the_nearest_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "adult.csv").write_text("a\n1\n")
    with raises("D236", FileNotFoundError, near="adult.csv"):
        read(tmp_path / "adlt.csv")
    with raises("D027", FileNotFoundError):
        read(tmp_path / "nowhere" / "adult.csv")
    with raises("D026", FileNotFoundError):
        read(tmp_path / ("x" * 5000))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")  # no file there has a similar name
    with raises("D026", FileNotFoundError):
        read("a\x00b.csv")


def test_query_on_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    with raises("D060"):
        read(tmp_path / "a.csv", query="select 1")


def test_a_number_of_rows_must_be_one() -> None:
    with raises("D064", rows=0):
        next(scan({"a": [1, 2]}).blocks(0))


@pytest.mark.parametrize("target", [np.arange(100) * 1.5, np.arange(200)], ids=["decimals", "whole"])
def test_a_quantity_is_no_target(target: np.ndarray) -> None:
    with raises("D094"):
        read({"price": target, "x": target}, target="price")


def test_a_type_that_a_later_value_contradicts_is_named_by_blocks_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + LONG)
    source = scan(path, types={"a": "numeric"})
    path.write_text("a,b\n" + LONG.replace("\n500,", "\nxyz,"))
    with raises("D089", subject="a", place="line 502", source="a.csv", value="xyz"):
        list(source.blocks(100))


def test_too_many_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.data.inference.value_counts.MOST_CATEGORIES", 5)
    with raises("D097", subject="a", most=5):
        read({"a": list("abcdefgh")}, types={"a": "categorical"})
