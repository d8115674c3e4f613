"""Random tables survive a journey through a file; random bytes give a table or one sentence."""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assay.data import MISSING, Schema, Table, read, scan
from assay.data.convert import MISSING_MARKERS
from assay.data.missing_values import ABSENT

WORD = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters='"'), min_size=1, max_size=6)
NAMES = st.lists(st.from_regex(r"[a-z]{1,4}", fullmatch=True), min_size=1, max_size=5, unique=True)
MARKED = {marker.lower() for marker in MISSING_MARKERS}
QUICK = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])

Cells = list[list[str]]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], Cells]:
    """Names and rows of text; the first column is words so that no row is empty."""
    names = draw(NAMES)
    cell = st.one_of(
        WORD,
        st.sampled_from(
            ["", "NA", " n/a ", "?", "x,y", "a;b", "p|q", "t\tu", "two\nlines", 'say "so"', " blank "]
        ),
        st.integers(-(10**18), 10**18).map(str),
        st.floats(allow_nan=False, allow_infinity=False).map(repr),
    )
    rows = draw(st.lists(st.tuples(*(cell for _ in names)).map(list), min_size=1, max_size=12))
    return names, rows


@pytest.fixture(params=["small", "large"], autouse=True)
def small_files_are_large_too(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read line by line, others by DuckDB: both readers get every test."""
    if request.param == "large":
        monkeypatch.setattr("assay.data.sources.csv.SMALL", 0)


def write(path: Path, names: list[str], rows: Cells, **dialect: Any) -> Path:
    text = io.StringIO(newline="")
    writer = csv.writer(text, **dialect)
    writer.writerow(names)
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode())
    return path


def expected(cell: str) -> str | None:
    text = cell.strip()
    return None if text.lower() in MARKED else text


def values(table: Table, name: str) -> list[Any]:
    """A column as text, None where there is no value."""
    column = table.schema[name]
    if column.type in ("categorical", "binary"):
        levels = [None if level == ABSENT else level for level in column.levels]
        return [None if code == MISSING else levels[code] for code in table[name]]
    if column.type in ("numeric", "date"):
        return [None if np.isnan(value) else value for value in table[name]]
    return list(table[name].to_pylist())


def same(found: Any, cell: str | None) -> bool:
    if found is None or cell is None:
        return found is None and cell is None
    return found == cell if isinstance(found, str) else float(found) == float(cell)


@QUICK
@given(
    tables(),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
)
def test_a_table_survives_any_dialect(
    tmp_path: Path, table: tuple[list[str], Cells], delimiter: str, end: str, quoting: Any
) -> None:
    names, rows = table
    path = write(tmp_path / "a.csv", names, rows, delimiter=delimiter, lineterminator=end, quoting=quoting)
    found = read(path, types=dict.fromkeys(names, "text"))
    for at, name in enumerate(names):
        assert [str(value) if value is not None else None for value in values(found, name)] == [
            expected(row[at]) for row in rows
        ]


@QUICK
@given(tables())
def test_inferred_types_change_no_value(tmp_path: Path, table: tuple[list[str], Cells]) -> None:
    names, rows = table
    found = read(write(tmp_path / "a.csv", names, rows))
    for at, name in enumerate(names):
        pairs = zip(values(found, name), [expected(row[at]) for row in rows], strict=True)
        assert all(same(value, cell) for value, cell in pairs), (name, found.schema[name])


@QUICK
@given(tables())
def test_blocks_put_together_are_the_table(tmp_path: Path, table: tuple[list[str], Cells]) -> None:
    names, rows = table
    path = write(tmp_path / "a.csv", names, rows)
    whole, source = read(path), scan(path)
    assert source.schema == whole.schema and source.n_rows == whole.n_rows == len(rows)
    blocks = list(source.blocks(3))
    assert [block.n_rows for block in blocks[:-1]] == [3] * (len(blocks) - 1)
    for name in names:
        assert sum((values(block, name) for block in blocks), []) == values(whole, name)


def without_notes(schema: Schema) -> Schema:
    """The schema without notes, which name a line of a file and a row of a frame."""
    return Schema(tuple(replace(column, note="") for column in schema))


@QUICK
@given(tables())
def test_a_frame_and_its_file_are_one_table(tmp_path: Path, table: tuple[list[str], Cells]) -> None:
    names, rows = table
    frame = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    from_file, from_frame = read(write(tmp_path / "a.csv", names, rows)), read(frame)
    assert without_notes(from_file.schema) == without_notes(from_frame.schema)
    for name in names:
        assert values(from_file, name) == values(from_frame, name)


@QUICK
@given(tables())
def test_a_table_fits_its_own_schema(tmp_path: Path, table: tuple[list[str], Cells]) -> None:
    names, rows = table
    path = write(tmp_path / "a.csv", names, rows)
    found = read(path)
    for again in (read(path, schema=found.schema), read(found, schema=found.schema)):
        assert again.schema == found.schema
        for name in names:
            assert values(again, name) == values(found, name)


CSV_BYTES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                b",",
                b"\n",
                b"\r\n",
                b'"',
                b'""',
                b"1",
                b"2.5",
                b"x",
                b" ",
                b";",
                b"\t",
                b"|",
                b"\r",
                b"NA",
                b"\xef\xbb\xbf",
            ]
        ),
        st.binary(max_size=3),
    ),
    max_size=40,
).map(b"".join)


def table_or_sentence(path: Path) -> None:
    try:
        table = read(path)
    except (ValueError, OSError) as error:
        message = str(error)
        assert message and "\n" not in message and len(message) < 400, message
        assert "duckdb" not in message.lower() and "arrow" not in message.lower(), message
    else:
        assert table.n_rows > 0


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(CSV_BYTES, st.sampled_from(["a.csv", "a.tsv", "a.csv.gz"]))
@example(b"a,b\n1,2\r\n3,4\n", "a.csv")
def test_any_bytes_give_a_table_or_one_sentence(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    table_or_sentence(path)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=60),
    st.sampled_from(["a.parquet", "a.arrow", "a.jsonl", "a.json", "a.csv.gz", "a.csv.zst"]),
)
def test_any_bytes_in_any_file_give_one_sentence(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    try:
        table = read(path)
    except (ValueError, OSError) as error:
        assert "\n" not in str(error) and len(str(error)) < 400
    else:
        assert table.n_rows > 0


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_the_last_line_may_lack_its_end(tmp_path: Path, end: bytes) -> None:
    (tmp_path / "a.csv").write_bytes(end.join([b"a,b", b"1,x", b"2,y"]))
    assert values(read(tmp_path / "a.csv", types={"a": "numeric"}), "a") == [1.0, 2.0]
