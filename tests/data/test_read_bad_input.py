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
from tests.raised import raises

PARQUET = io.BytesIO()
pq.write_table(pa.table({"a": list(range(1000))}), PARQUET)
ARROW = io.BytesIO()
feather.write_feather(pa.table({"a": list(range(1000))}), ARROW)
GZ = gzip.compress(b"a,b\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(5000)))
LONG = "".join(f"{i},{i % 7}\n" for i in range(70_000))


def one_sentence(message: str) -> bool:
    return "\n" not in message and message.endswith((".", "?")) and len(message) < 300


FILES: list[tuple[str, bytes, str]] = [
    ("empty.csv", b"", "empty.csv is empty"),
    ("empty.csv.gz", gzip.compress(b""), "empty.csv.gz is empty"),
    ("blank.csv", b"\n  \n\n", "blank.csv is empty"),
    ("empty.jsonl", b"\n", "empty.jsonl is empty"),
    ("header.csv", b"a,b\n", "header.csv has columns but no rows"),
    ("header.csv", b"a,b", "header.csv has columns but no rows"),
    ("twice.csv", b"a,b,a\n1,2,3\n", "more than one column named 'a'"),
    ("unnamed.csv", b"a,,column_2\n1,2,3\n", "more than one column named 'column_2'"),
    ("short.csv", b"a,b\n1,2\n3\n4,5\n", "Line 3 of short.csv has 1 field, and the header has 2"),
    ("long.csv", b"a,b\n1,2\n\n3,4,5\n", "Line 4 of long.csv has 3 fields, and the header has 2"),
    ("lines.csv", b'a,b\n"x\ny",2\n3\n', "Line 4 of lines.csv has 1 field"),
    ("far.csv", b"a,b\n" + LONG.encode() + b"1,2,3\n", "Line 70002 of far.csv has 3 fields"),
    (
        "latin.csv",
        "a,b\ncaf\xe9,2\n".encode("latin-1"),
        "byte 7 is 0xe9; save it as UTF-8 (it may be Latin-1)",
    ),
    ("latin.csv", "caf\xe9,b\n1,2\n".encode("latin-1"), "byte 3 is 0xe9"),
    (
        "windows.csv",
        "a,b\n\u201cx\u201d,2\n".encode("cp1252"),
        "byte 4 is 0x93; save it as UTF-8 (it may be Windows-1252)",
    ),
    ("later.csv", b"a,b\n" + LONG.encode() + LONG.encode() + b"\xe9,2\n", "is 0xe9"),
    ("wide.csv", "a,b\n1,2\n".encode("utf-16"), "starts like UTF-16"),
    ("zero.csv", b"a,b\n1,\x00\n", "byte 6 is zero"),
    ("garbage.csv", bytes(range(256)) * 8, "garbage.csv is not a text file"),
    ("quote.csv", b'a,b\n1,2\n3,"4\n5,6\n', "A quote opened in line 3 of quote.csv"),
    ("inside.csv", b'a,b\n1,2\n3,"4" and 5\n', "continues after its closing quote"),
    ("cut.csv.gz", GZ[:-2000], "cut.csv.gz is damaged or cut short"),
    ("wrong.csv.gz", b"a,b\n1,2\n", "wrong.csv.gz is damaged or cut short"),
    ("wrong.csv.zst", b"a,b\n1,2\n", "wrong.csv.zst is damaged or cut short"),
    ("cut.parquet", PARQUET.getvalue()[:-200], "cut.parquet is not a whole Parquet file"),
    ("wrong.parquet", b"a,b\n1,2\n", "wrong.parquet is not a whole Parquet file"),
    ("cut.feather", ARROW.getvalue()[:-300], "cut.feather is not a whole Arrow file"),
    ("wrong.arrow", b"a,b\n1,2\n", "wrong.arrow is not a whole Arrow file"),
    ("list.jsonl", b'{"a": 1}\n[1, 2]\n', "Line 2 of list.jsonl is not an object but [1, 2]"),
    ("broken.jsonl", b'{"a": 1}\n{"a": \n{"a": 2}\n', "Line 2 of broken.jsonl is not JSON"),
    ("number.jsonl", b"1\n2\n", "Line 1 of number.jsonl is not an object but 1"),
    ("broken.json", b'[{"a": 1}, {"a": ]', "broken.json is not JSON: line 1"),
    ("numbers.json", b"[1, 2]", "Entry 1 of numbers.json is not an object"),
    ("table.xlsx", b"PK", "The ending of table.xlsx does not say how to read it; known are .csv"),
    ("table", b"a,b\n", "The ending of table does not say how to read it"),
    (
        "late.csv",
        b"a,b\n" + LONG.encode() + b"many,2\n",
        "Column 'a' holds numbers, but line 70002 of late.csv has 'many'",
    ),
    ("key.csv", b"a,b\n" + LONG.encode() + b"007,2\n", "line 70002 of key.csv has '007'"),
    (
        "stray.csv",
        b"age,b\n" + b"".join(b"%d,x\n" % i for i in range(100)) + b"abc,y\n",
        "Column 'age' holds numbers, but line 102 of stray.csv has 'abc'",
    ),
    ("nested.jsonl", b'{"a": [1, 2], "b": 1}\n', "Column 'a' of nested.jsonl holds values of type"),
]


@pytest.mark.parametrize("small", [2**18, 0], ids=["small", "large"])
@pytest.mark.parametrize("name, content, expected", FILES, ids=[f"{n}-{e[:20]}" for n, _, e in FILES])
def test_bad_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, expected: str, small: int
) -> None:
    monkeypatch.setattr("assay.data.sources.csv.SMALL", small)
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises((ValueError, OSError)) as caught:
        read(path)
    assert expected in str(caught.value)
    assert one_sentence(str(caught.value))


OBJECTS: list[tuple[Any, str]] = [
    (7, "A int is not a table"),
    (None, "A NoneType is not a table"),
    ({}, "the dictionary has no columns"),
    ({"a": [1, 2], "b": [1]}, "Column 'b' has 1 values and column 'a' has 2"),
    ({"a": "text"}, "Column 'a' is not a list of values"),
    ({"a": [[1], [2]]}, "Column 'a' has 2 dimensions"),
    ({"a": []}, "the dictionary has columns but no rows"),
    ({"a": [1, "x"]}, "Column 'a' mixes types: row 2 holds 'x' (str)"),
    ({"a": [object()]}, "Column 'a' holds object values"),
    (pd.DataFrame({"a": ["x", 5.0, "y"]}), "Column 'a' mixes types: row 2 holds 5.0 (float)"),
    (pd.DataFrame([[1, 2]], columns=["a", "a"]), "more than one column named 'a'"),
    (pd.DataFrame([[1, 2]], columns=[1, "1"]), "more than one column named '1'"),
    (pd.DataFrame({"a": []}), "the frame has columns but no rows"),
    (pd.DataFrame({"a": [{"x": 1}]}), "Column 'a' of the frame holds values of type struct"),
    (pl.DataFrame({"a": [[1, 2], [3]]}), "Column 'a' of the frame holds values of type"),
    (np.zeros(3), "An array of shape (3,) is not a table"),
    (np.zeros((2, 0)), "the array has no columns"),
    ((np.zeros((3, 2)), [1, 2]), "X has 3 rows and y has 2 labels"),
    ("http://example.org/a.csv", "http:// addresses are not read; download"),
    ("s3://bucket/a.csv", "s3:// addresses are not read"),
]


@pytest.mark.parametrize("source, expected", OBJECTS, ids=[e[:30] for _, e in OBJECTS])
def test_bad_object(source: Any, expected: str) -> None:
    with pytest.raises(ValueError) as caught:
        read(source)
    assert expected in str(caught.value)
    assert one_sentence(str(caught.value))


TABLE = {
    "age": [31, 40, 25, 60],
    "income": ["low", "high", "low", "low"],
    "zip": ["01234", "99999", "ab", "01234"],
}
OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"target": "incom"}, "There is no column 'incom'; did you mean 'income'?"),
    ({"target": "zzz"}, "There is no column 'zzz'; the columns are 'age', 'income', 'zip'."),
    ({"drop": ["agee"]}, "did you mean 'age'?"),
    ({"types": {"zap": "text"}}, "did you mean 'zip'?"),
    (
        {"types": {"zip": "number"}},
        "Column 'zip' cannot be of type 'number'; use one of numeric, categorical",
    ),
    ({"types": {"zip": "numeric"}}, "Column 'zip' holds numbers, but row 3 of the dictionary has 'ab'"),
    ({"types": {"zip": "date"}}, "Column 'zip' holds dates, but row 1 of the dictionary has '01234'"),
    ({"types": {"zip": "binary"}}, "Column 'zip' cannot be binary"),
    ({"types": {"income": "constant"}}, "Column 'income' cannot be constant"),
    ({"target": "age", "drop": ["age"]}, "Column 'age' is the target and cannot be dropped"),
    ({"drop": ["age", "income", "zip"]}, "No column of the dictionary is left"),
    ({"query": "select 1"}, "query= is for databases"),
]


@pytest.mark.parametrize("options, expected", OPTIONS, ids=[e[:40] for _, e in OPTIONS])
def test_bad_option(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(ValueError) as caught:
        read(TABLE, **options)
    assert expected in str(caught.value)
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
