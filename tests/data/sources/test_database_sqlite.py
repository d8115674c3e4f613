"""What only SQLite has: values of any type in any column, and files that are no databases."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from assay.data import read
from assay.data.sources.database import DatabaseStream
from assay.data.sources.sql_dialects import SQLite
from tests.raised import raises

Make = Callable[..., str]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Runs statements on a new database file, the last one with rows; returns its address."""

    def run(*statements: str, rows: list[tuple[Any, ...]] | None = None, name: str = "test.db") -> str:
        connection = sqlite3.connect(tmp_path / name)
        with connection:
            for statement in statements[:-1] if rows else statements:
                connection.execute(statement)
            if rows:
                connection.executemany(statements[-1], rows)
        connection.close()
        return f"sqlite:///{tmp_path / name}"

    return run


def whole(address: str, query: str | None = None, size: int = 65536) -> pa.Table:
    return pa.Table.from_batches(list(DatabaseStream(address, query).batches(size)))


@pytest.mark.parametrize(
    ("early", "late", "kind", "values"),
    [
        (None, 7, pa.int64(), [None, 7]),
        (None, 2.5, pa.float64(), [None, 2.5]),
        (None, "x", pa.string(), [None, "x"]),
        (1, 2.5, pa.float64(), [1.0, 2.5]),
        (1, "x", pa.string(), ["1", "x"]),
        (2.5, "x", pa.string(), ["2.5", "x"]),
        ("x", 1, pa.string(), ["x", "1"]),
        (b"\xff\x00", "x", pa.string(), ["FF00", "x"]),
        (None, None, pa.string(), [None, None]),
        (2**62, -(2**62), pa.int64(), [2**62, -(2**62)]),
        (float("inf"), 1, pa.float64(), [float("inf"), 1.0]),
    ],
)
def test_a_column_is_what_all_its_values_are(
    make: Make, monkeypatch: pytest.MonkeyPatch, early: Any, late: Any, kind: pa.DataType, values: list[Any]
) -> None:
    # The driver itself decides by the first batch, and fails at the late value.
    monkeypatch.setattr(SQLite, "batch_rows", 10)
    address = make("CREATE TABLE t (a)", "INSERT INTO t VALUES (?)", rows=[(early,)] * 50 + [(late,)] * 50)
    column = whole(address).column("a")
    assert column.type == kind
    assert column.to_pylist() == [values[0]] * 50 + [values[1]] * 50


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_every_row_is_there_once_whatever_the_size_of_batches(make: Make, size: int) -> None:
    address = make("CREATE TABLE t (a)", "INSERT INTO t VALUES (?)", rows=[(i,) for i in range(20)])
    sizes = [batch.num_rows for batch in DatabaseStream(address).batches(size)]
    assert max(sizes) <= size
    assert min(sizes) > 0
    assert whole(address, size=size).column("a").to_pylist() == list(range(20))


def test_tables_and_views_of_any_name(make: Make) -> None:
    address = make(
        'CREATE TABLE "a b; --" AS SELECT 1 AS x',
        'CREATE TABLE "q" AS SELECT 2 AS x',
        "CREATE VIEW selection AS SELECT 3 AS x",
        "CREATE TABLE numbered (x INTEGER PRIMARY KEY AUTOINCREMENT)",
        "INSERT INTO numbered VALUES (4)",
    )
    queries = {
        '"a b; --"': 1,
        "q": 2,
        "Q": 2,
        "main.q": 2,
        "SELECT * FROM q": 2,
        "select*from(selection)": 3,
        "selection": 3,
        "numbered": 4,
    }
    assert {query: whole(address, query).column("x")[0].as_py() for query in queries} == queries
    with raises("D016", tables=["a b; --", "numbered", "q", "selection"]):
        DatabaseStream(address)


def test_computed_columns_keep_their_names(make: Make) -> None:
    address = make("CREATE TABLE t AS SELECT 1 AS a, 'x' AS b")
    table = whole(address, "SELECT a + 1 -- one more\n, upper(b), count(*) FROM t")
    assert [list(row.values()) for row in table.to_pylist()] == [[2, "X", 1]]
    assert table.column_names[1:] == ["upper(b)", "count(*)"]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT a FROM t ORDER BY a DESC",
        "SELECT a FROM (SELECT a FROM t) ORDER BY a DESC",
        "SELECT t.a FROM t JOIN t AS u ON t.a = u.a ORDER BY u.a DESC",
        "SELECT a FROM t WHERE a > 50 UNION ALL SELECT a FROM t WHERE a <= 50 ORDER BY a DESC",
        "WITH r AS (SELECT a FROM t) SELECT a FROM r GROUP BY a ORDER BY a DESC",
    ],
)
def test_the_order_asked_for_is_kept(make: Make, query: str) -> None:
    rows = [(i * 37 % 101,) for i in range(101)]
    address = make("CREATE TABLE t (a)", "INSERT INTO t VALUES (?)", rows=rows)
    assert whole(address, query).column("a").to_pylist() == list(range(100, -1, -1))


def test_a_text_that_is_not_utf8_is_an_error(make: Make) -> None:
    address = make("CREATE TABLE t AS SELECT CAST(x'ff41' AS TEXT) AS a")
    with raises("D015"):
        whole(address)


def test_files_that_are_no_databases(tmp_path: Path, make: Make) -> None:
    with raises("D024", FileNotFoundError):
        DatabaseStream(f"sqlite:///{tmp_path / 'absent.db'}")
    assert not (tmp_path / "absent.db").exists()
    (tmp_path / "text.db").write_text("a,b\n1,2\n" * 1000)
    with raises("D013"):
        DatabaseStream(f"sqlite:///{tmp_path / 'text.db'}")
    (tmp_path / "empty.db").touch()
    with raises("D010"):
        DatabaseStream(f"sqlite:///{tmp_path / 'empty.db'}")
    address = make("CREATE TABLE t (a, b)")
    with raises("D056"):
        read(address)


@pytest.mark.parametrize("damaged", [slice(8192, None), slice(100, 300)], ids=["rows", "schema"])
@pytest.mark.parametrize("query", [None, "SELECT a FROM t"])
def test_a_damaged_database_is_an_error(
    tmp_path: Path, make: Make, damaged: slice, query: str | None
) -> None:
    address = make("CREATE TABLE t (a)", "INSERT INTO t VALUES (?)", rows=[("x" * 100,)] * 1000)
    file = tmp_path / "test.db"
    content = bytearray(file.read_bytes())
    content[damaged] = b"\xa5" * len(content[damaged])
    file.write_bytes(bytes(content))
    with raises("D009", OSError, reason="database disk image is malformed"):
        whole(address, query)


LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_locked_database_is_an_error_not_a_wait_for_ever(tmp_path: Path, make: Make) -> None:
    address = make("CREATE TABLE t AS SELECT 1 AS a")
    # Another process: locks of files do not hold within one.
    command = [sys.executable, "-c", LOCK, str(tmp_path / "test.db")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        with raises("D009", OSError, reason="database is locked"):
            whole(address)
        other.communicate()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are listed on Linux only")
def test_the_file_is_closed_after_every_pass(tmp_path: Path, make: Make) -> None:
    def is_open() -> bool:
        fds = Path("/proc/self/fd")
        return any(os.readlink(fd).endswith("test.db") for fd in fds.iterdir() if fd.is_symlink())

    address = make("CREATE TABLE t (a)", "INSERT INTO t VALUES (?)", rows=[(i,) for i in range(1000)])
    stream = DatabaseStream(address)
    assert not is_open()
    batches = stream.batches(10)
    next(batches)
    assert is_open()
    batches.close()
    assert not is_open()
    with raises("D014", reason="no such column: b"):
        DatabaseStream(address, "SELECT b FROM t")
    assert not is_open()


def test_the_command_that_installs_a_driver(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    address = make("CREATE TABLE t AS SELECT 1 AS a")
    for name in ("adbc_driver_sqlite", "adbc_driver_postgresql"):
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.setitem(sys.modules, f"{name}.dbapi", None)
    with raises(
        "D018", ImportError, package="adbc-driver-sqlite", install="pip install 'assay-ml[database]'"
    ):
        DatabaseStream(address)
    with raises("D018", ImportError, package="adbc-driver-postgresql"):
        DatabaseStream("postgresql://localhost/none")
