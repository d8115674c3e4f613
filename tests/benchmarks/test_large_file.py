"""The generated file is what it is said to be: of the size asked for, readable, and nowhere repeated."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

import assay
from benchmarks import large_file


def test_size_rows_and_columns(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    n_rows = large_file.write(path, 100_000)
    with path.open(newline="") as file:
        header, *lines = csv.reader(file)
    assert header == [*(f"x{i}" for i in range(20)), "y"]
    assert len(lines) == n_rows == 100_000 // large_file.ROW
    assert abs(path.stat().st_size - 100_000) <= large_file.ROW
    assert {line[-1] for line in lines} == {"ash", "elm", "oak"}


def test_blocks_differ_and_the_classes_can_be_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    n_rows = large_file.write(path, (large_file.BLOCK_ROWS + 500) * large_file.ROW)
    table = assay.read(path, target="y")
    assert table.n_rows == n_rows == large_file.BLOCK_ROWS + 500
    assert [column.type for column in table.schema] == ["numeric"] * 20 + ["categorical"]
    first = table["x0"]
    assert len(np.unique(first[:500])) > 490
    assert not np.any(first[large_file.BLOCK_ROWS :] == first[:500])
    means = [first[table["y"] == k].mean() for k in range(3)]
    assert np.ptp(means) > 1.0
    assert 40.0 < first.mean() < 60.0


def test_cells_are_decimal_numbers() -> None:
    cells = large_file._cells(np.array([[0, 12_345_678, 99_999_999]], dtype=np.uint32))
    assert cells.tobytes() == b"00.000000,12.345678,99.999999,"
