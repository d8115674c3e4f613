"""Delimited files: dialects, places, names, compression, and the two ways to read them."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from assay.data import read, scan
from assay.data.sources.csv import threads
from tests.raised import raises

ROWS = [("1.5", "x"), ("2.5", "y"), ("3.5", "z")]


@pytest.fixture(params=[2**18, 0], ids=["small", "large"], autouse=True)
def both_readers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.data.sources.csv.SMALL", request.param)


def check(path: Path) -> None:
    table = read(path)
    assert table.schema.names == ("a", "b")
    assert table["a"].tolist() == [1.5, 2.5, 3.5]
    assert table.labels("b").tolist() == ["x", "y", "z"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"], ids=["plain", "mark", "blank"])
def test_dialects(tmp_path: Path, delimiter: str, end: str, start: str) -> None:
    lines = [delimiter.join(row) for row in [("a", "b"), *ROWS]]
    (tmp_path / "t.csv").write_bytes((start.replace("\n", end) + end.join(lines) + end).encode())
    check(tmp_path / "t.csv")


@pytest.mark.parametrize(
    "text", ['"a","b"\n1.5,"x"\n"2.5",y\n3.5, "z"\n', "a , b\n1.5 , x\n 2.5,y \n\t3.5,z\n"]
)
def test_quotes_and_blanks(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.txt").write_text(text)
    check(tmp_path / "t.txt")


@pytest.mark.parametrize("suffix", [".csv", ".CSV", ".tsv", ".txt"])
@pytest.mark.parametrize("compression", [None, "gzip", "zstd"])
def test_endings(tmp_path: Path, suffix: str, compression: str | None) -> None:
    path = tmp_path / f"t{suffix}{ {None: '', 'gzip': '.gz', 'zstd': '.zst'}[compression] }"
    delimiter = "\t" if suffix == ".tsv" else ","
    text = "\n".join(delimiter.join(row) for row in [("a", "b"), *ROWS]).encode()
    with pa.output_stream(str(path), compression=compression) as stream:
        stream.write(text)
    check(path)


@pytest.mark.parametrize(
    "name",
    ["a[1].csv", "b*.csv", "c?.csv", "it's.csv", 'q".csv', "é ü.csv", "{x,y}.csv", "$1.csv", "%20.csv"],
)
def test_names_are_literal(tmp_path: Path, name: str) -> None:
    for other in ("a1.csv", "bb.csv", "cc.csv", "x.csv", "y.csv"):
        (tmp_path / other).write_text("wrong\n0\n")
    (tmp_path / name).write_text("a,b\n" + "\n".join(map(",".join, ROWS)))
    check(tmp_path / name)


def test_a_relative_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("~t.csv").write_text("a,b\n" + "\n".join(map(",".join, ROWS)))
    check(Path("~t.csv"))
    assert read("~t.csv").n_rows == 3


def test_lines_inside_quotes(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a,b\n1,"two\nlines"\n2,"a ""word"", so"\n')
    assert read(tmp_path / "t.csv").labels("b").tolist() == ["two\nlines", 'a "word", so']


def test_lines_that_end_in_different_ways(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b'a,b\n1.5,x\r\n2.5,y\n3.5,"z"\r\n')
    check(tmp_path / "t.csv")


def test_large_files_are_read_by_duckdb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.data.sources.csv.SMALL", 0)
    monkeypatch.setattr("assay.data.sources.csv.read_with_csv_module", None)
    (tmp_path / "t.csv").write_text('a;b\n1.5;x\n2.5;"y"\n3.5; z\n')
    check(tmp_path / "t.csv")


def test_very_long_values(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{n},{'word ' * 10**6}{n}\n" for n in range(2)))
    assert [len(text) for text in read(tmp_path / "t.csv", types={"b": "text"})["b"].to_pylist()] == [
        5 * 10**6 + 1
    ] * 2


def test_tabs_with_loose_quotes(tmp_path: Path) -> None:
    lines = ['spam\t"Free" entry', 'ham\tsay "hi', 'ham\t"', "ham\t'tis"]
    (tmp_path / "t.tsv").write_text("label\ttext\n" + "\n".join(lines) + "\n")
    table = read(tmp_path / "t.tsv", types={"text": "text"})
    assert table["text"].to_pylist() == [line.split("\t")[1] for line in lines]


def test_a_column_without_a_name_is_numbered(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(",a\n" + "".join(f"{i},{i / 4}\n" for i in range(30)))
    schema = read(tmp_path / "t.csv").schema
    assert [(c.name, c.type) for c in schema] == [("column_1", "identifier"), ("a", "numeric")]


def test_names_that_differ_in_case(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,A\n1.5,x\n2.5,y\n3.5,z\n")
    assert read(tmp_path / "t.csv").schema.names == ("a", "A")


def test_one_column(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a\n1.5\n\n"NA"\n2.5\n')
    np.testing.assert_array_equal(read(tmp_path / "t.csv")["a"], [1.5, np.nan, np.nan, 2.5])


def test_places_count_lines(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('\na,b\n"x\ny",1\n\nz,2\nw,many\n')
    with raises("D235", place="line 7", source="t.csv", value="many"):
        read(tmp_path / "t.csv", types={"b": "numeric"})


def test_many_columns(tmp_path: Path) -> None:
    names = ",".join(f"v{i}" for i in range(3000))
    (tmp_path / "t.csv").write_text(names + "\n" + (",".join(["0.5"] * 3000) + "\n") * 3)
    assert read(tmp_path / "t.csv").shape == (3, 3000)


def test_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_THREADS", "3")
    assert threads() == 3
    monkeypatch.delenv("ASSAY_THREADS")
    assert 1 <= threads() <= (os.cpu_count() or 1)


@pytest.mark.parametrize("count", ["1", "2"])
def test_order_is_kept_for_any_number_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: str
) -> None:
    monkeypatch.setenv("ASSAY_THREADS", count)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"i,half\n" + b"".join(b"%d,%.1f\n" % (i, i / 2) for i in range(200_000))))
    source = scan(path, types={"i": "numeric"})
    blocks = [block["i"] for block in source.blocks(30_000)]
    assert [len(block) for block in blocks] == [30_000] * 6 + [20_000]
    np.testing.assert_array_equal(np.concatenate(blocks), np.arange(200_000))


def test_one_column_takes_the_delimiter_that_splits_no_row(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a\n,x\n"y;z"\n')
    assert read(tmp_path / "t.csv").labels("a").tolist() == [",x", "y;z"]
