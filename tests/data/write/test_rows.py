"""Rows of results in every format, block by block."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import pyarrow.parquet as pq
import pytest

from assay.data.write.rows import Block, format_of, write_rows
from tests.raised import raises

LABELS = ["a", 'say "no"', "é,ü", "line\nbreak"]
NUMBERS = [0.1, 1e-300, 1.0, 1 / 3]


def blocks() -> Iterator[Block]:
    yield {"predicted": LABELS[:3], "P(a)": NUMBERS[:3]}
    yield {"predicted": LABELS[3:], "P(a)": NUMBERS[3:]}


def written(form: str) -> io.BytesIO:
    file = io.BytesIO()
    assert write_rows(file, blocks(), form) == 4
    return io.BytesIO(file.getvalue())


def test_csv_gives_every_value_back() -> None:
    text = written("csv").getvalue().decode("utf-8")
    header, *rows = list(csv.reader(io.StringIO(text, newline="")))
    assert header == ["predicted", "P(a)"]
    assert [row[0] for row in rows] == LABELS
    assert [float(row[1]) for row in rows] == NUMBERS


def test_json_lines_give_every_value_back() -> None:
    rows: list[dict[str, Any]] = [json.loads(line) for line in written("jsonl").read().decode().splitlines()]
    assert [row["predicted"] for row in rows] == LABELS
    assert [row["P(a)"] for row in rows] == NUMBERS


def test_parquet_gives_every_value_back() -> None:
    assert pq.read_table(written("parquet")).to_pydict() == {"predicted": LABELS, "P(a)": NUMBERS}


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_no_rows_are_a_file_too(form: str) -> None:
    file = io.BytesIO()
    assert write_rows(file, iter([{"predicted": []}]), form) == 0
    if form == "csv":
        assert file.getvalue() == b"predicted\n"


@pytest.mark.parametrize(
    ("path", "asked", "form"),
    [
        (None, None, "csv"),
        ("x.csv", None, "csv"),
        ("x.jsonl", None, "jsonl"),
        ("x.PARQUET", None, "parquet"),
        ("x.dat", None, "csv"),
        ("x.csv", "JSONL", "jsonl"),
        (None, "jsonl", "jsonl"),
    ],
)
def test_the_format_is_asked_for_or_told_by_the_name(path: str | None, asked: str | None, form: str) -> None:
    assert format_of(path, asked) == form


@pytest.mark.parametrize(("path", "asked"), [("x.csv", "xlsx"), (None, "parquet")])
def test_wrong_formats_are_one_sentence(path: str | None, asked: str) -> None:
    with raises("D087" if path else "D088"):
        format_of(path, asked)
