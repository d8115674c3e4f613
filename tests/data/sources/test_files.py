"""Files with types of their own: Parquet, Arrow and JSON lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from assay.data import Table, read, scan
from tests.raised import raises

ROWS: list[dict[str, Any]] = [
    {"n": 1.5, "c": "b", "t": True, "i": 3},
    {"n": None, "c": "a", "t": False, "i": 1},
    {"n": 2.5, "c": None, "t": True, "i": 2},
]
ARROW = pa.Table.from_pylist(ROWS)


def check(table: Table) -> None:
    np.testing.assert_array_equal(table["n"], [1.5, np.nan, 2.5])
    assert table.schema["c"].levels == ("a", "b") and table["c"].tolist() == [1, 0, -1]
    assert table.schema["t"].levels == (False, True) and table["t"].tolist() == [1, 0, 1]
    assert table["i"].tolist() == [3.0, 1.0, 2.0]


def write(path: Path) -> Path:
    lines = "\n".join(map(json.dumps, ROWS))
    if path.suffix == ".parquet":
        pq.write_table(ARROW, path, row_group_size=2)
    elif path.name == "t.feather":
        feather.write_feather(ARROW, str(path), chunksize=2)
    elif path.name == "stream.arrow":
        with pa.ipc.new_stream(str(path), ARROW.schema) as writer:
            writer.write_table(ARROW, max_chunksize=2)
    elif path.name == "file.arrow":
        with pa.ipc.new_file(str(path), ARROW.schema) as writer:
            writer.write_table(ARROW, max_chunksize=2)
    elif path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines.encode()))
    else:
        path.write_text(
            json.dumps(ROWS) if path.name == "list.json" else "\ufeff\n" + lines + "\n\n", encoding="utf-8"
        )
    return path


NAMES = [
    "t.parquet",
    "t.feather",
    "stream.arrow",
    "file.arrow",
    "t.jsonl",
    "t.ndjson",
    "t.json",
    "list.json",
    "t.jsonl.gz",
]


@pytest.mark.parametrize("name", NAMES)
def test_types_of_the_file_are_kept(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name)
    check(read(path))
    source = scan(path)
    assert source.n_rows == 3 and [block.n_rows for block in source.blocks(2)] == [2, 1]


def test_json_values_of_different_kinds_are_text(tmp_path: Path) -> None:
    rows = [{"a": 1, "A": "x"}, {"a": "one"}, {"A": "00087", "a": True}, {"big": 10**30}]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
    table = read(tmp_path / "t.jsonl", types={"a": "text", "big": "text", "A": "text"})
    assert table["a"].to_pylist() == ["1", "one", "true", None]
    assert table["A"].to_pylist() == ["x", None, "00087", None]
    assert table["big"].to_pylist() == [None, None, None, str(10**30)]


def test_a_json_column_of_lists_can_be_dropped(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": [1], "b": 1.5}\n{"a": [2, 3], "b": 2.5}\n')
    assert read(tmp_path / "t.jsonl", drop=["a"]).schema.names == ("b",)


def test_a_contradiction_in_json_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": "x"}\n\n{"a": "y"}\n')
    with raises("D235", subject="a", place="line 1", source="t.jsonl", value="x"):
        read(tmp_path / "t.jsonl", types={"a": "numeric"})


def test_lone_surrogates_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": "x\\\\ud800"}\n{"a": "y"}\n'.replace("\\\\", "\\"))
    assert read(tmp_path / "t.jsonl").schema["a"].levels == ("x?", "y")
