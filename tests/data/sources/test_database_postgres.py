"""What only a server has: passwords, schemas, many types, connections to close. And the test server itself."""

from __future__ import annotations

import datetime
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from assay.data.sources.database import DatabaseStream
from tests import postgres
from tests.postgres import PASSWORD, Server, find_binaries
from tests.raised import raises

MANY = "SELECT i, repeat('x', 1000) AS t FROM generate_series(1, 100000) AS i"


def whole(address: str, query: str | None = None) -> pa.Table:
    return pa.Table.from_batches(list(DatabaseStream(address, query).batches()))


@pytest.fixture(autouse=True)
def quiet(server: Server) -> Iterator[None]:
    """No test may leave a connection behind."""
    yield
    for _ in range(100):  # the server notices that a client is gone a moment after it has gone
        if server.connections() == 0:
            return
        time.sleep(0.05)
    pytest.fail("a connection was left open")


def test_every_type_arrives_as_a_number_a_date_a_truth_or_a_text(server: Server) -> None:
    server.run("CREATE TYPE mood AS ENUM ('sad', 'glad'); CREATE DOMAIN share AS numeric(5, 4)")
    values = {
        "7::smallint": 7,
        "7::bigint": 7,
        "1.5::real": 1.5,
        "12.25::numeric(10,2)": 12.25,
        "'0.125'::share": 0.125,
        "12.5::money": 12.5,
        "true": True,
        "'2020-02-29'::date": datetime.date(2020, 2, 29),
        "'2020-02-29 12:30:00'::timestamp": datetime.datetime(2020, 2, 29, 12, 30),
        "'12:30:00'::time": "12:30:00",
        "'1 day'::interval": "1 day",
        "'x'::char(4)": "x",
        "'x'::varchar(4)": "x",
        "'glad'::mood": "glad",
        "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "'10.0.0.1'::inet": "10.0.0.1/32",
        "'{\"a\": 1}'::jsonb": '{"a": 1}',
        "'[1,2]'::json": "[1,2]",
        "ARRAY[1.5, 2]": "{1.5,2}",
        "ARRAY['a', 'b']": "{a,b}",
        "'[1,3)'::int4range": "[1,3)",
        "'\\xff00'::bytea": "\\xff00",
        "NULL": None,
    }
    columns = ", ".join(f"{value} AS c{i}" for i, value in enumerate(values))
    table = whole(server.address(), f"SELECT {columns}")
    row = table.to_pylist()[0]
    assert {value: row[f"c{i}"] for i, value in enumerate(values)} == values
    empty = ", ".join(f"NULL::{kind}" for kind in ("numeric", "money", "bytea", "int[]", "jsonb"))
    assert (
        list(
            whole(server.address(), f"SELECT * FROM (SELECT {empty}) AS q(a,b,c,d,e)").to_pylist()[0].values()
        )
        == [None] * 5
    )


def test_numbers_out_of_range_are_an_error(server: Server) -> None:
    with raises("D014"):
        whole(server.address(), "SELECT '1e400'::numeric AS n")
    table = whole(server.address(), "SELECT 'NaN'::numeric AS n")
    assert table.column("n").type == pa.float64()


def test_texts_of_a_database_in_another_encoding(server: Server) -> None:
    server.run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    server.run("CREATE TABLE t AS SELECT chr(233) || 'tude' AS word", database="latin")
    assert whole(server.address(database="latin")).column("word").to_pylist() == ["étude"]


def test_texts_that_are_no_texts(server: Server) -> None:
    server.run("CREATE DATABASE bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    server.run(
        "CREATE TABLE t (word text); SET client_encoding = 'SQL_ASCII'; INSERT INTO t VALUES (E'\\xff')",
        database="bytes",
    )
    with raises("D009", (ValueError, OSError)) as caught:
        whole(server.address(database="bytes"))
    assert "\n" not in str(caught.value)


def test_schemas_and_names(server: Server) -> None:
    address = server.create_database("schemas")
    with raises("D010"):
        DatabaseStream(address)
    server.run(
        'CREATE SCHEMA shop; CREATE SCHEMA "Old Shop"; CREATE TABLE shop.wares AS SELECT 1 AS a;'
        'CREATE TABLE "Old Shop"."wares; --" AS SELECT 2 AS a; CREATE TABLE "Mixed" AS SELECT 3 AS a;'
        "CREATE TABLE parts (a int) PARTITION BY LIST (a); CREATE TABLE part PARTITION OF parts FOR VALUES IN (4);"
        "INSERT INTO parts VALUES (4); CREATE VIEW seen AS SELECT 5 AS a",
        database="schemas",
    )
    names = {
        "shop.wares": 1,
        "wares": 1,
        '"Old Shop"."wares; --"': 2,
        "mixed": 3,
        "Mixed": 3,
        "public.Mixed": 3,
        "parts": 4,
        "seen": 5,
    }
    assert {name: whole(address, name).column("a")[0].as_py() for name in names} == names
    with raises("D016"):
        DatabaseStream(address)


def test_the_password_is_in_no_message(server: Server) -> None:
    stream = DatabaseStream(server.address(), "SELECT 1 AS one")
    assert stream.name == f"postgresql://assay@127.0.0.1:{server.port}/assay (query)"
    wrong = "not-the-password"
    for address in (
        server.address(password=wrong),
        server.address(user="nobody", password=wrong),
        server.address(database="nowhere"),
        server.address().replace(str(server.port), "1"),
        f"postgresql://ann:{wrong}@nowhere.invalid/db",
        f"postgresql://ann:{wrong}@127.0.0.1:{server.port}/db?sslmode=strange",
    ):
        with raises("D019", ConnectionError) as caught:
            DatabaseStream(address)
        text = str(caught.value)
        assert "\n" not in text
        assert wrong not in text
        assert PASSWORD not in text


def test_a_socket_and_options_work_too(server: Server) -> None:
    address = f"postgres:///assay?host={server.folder}&port={server.port}&user=assay"
    assert whole(address, "VALUES (1), (2)").to_pylist() == [{"column1": 1}, {"column1": 2}]


def test_the_session_only_reads_and_repeats_itself(server: Server) -> None:
    settings = {
        "transaction_read_only": "on",
        "synchronize_seqscans": "off",
        "max_parallel_workers_per_gather": "0",
        "client_encoding": "UTF8",
    }
    columns = ", ".join(f"current_setting('{name}') AS {name}" for name in settings)
    assert whole(server.address(), f"SELECT {columns}").to_pylist() == [settings]


def test_a_pass_begins_at_the_first_row_though_another_stopped_half_way(server: Server) -> None:
    # Without care PostgreSQL would begin where the last scan of a large table was.
    address = server.create_database("large")
    server.run(f"CREATE TABLE large AS {MANY}", database="large")
    stream = DatabaseStream(address)
    interrupted = stream.batches(1000)
    first = next(interrupted)
    for _ in range(30):
        next(interrupted)
    second = next(stream.batches(1000))
    assert first.column("i")[0].as_py() == 1
    assert second.equals(first)
    interrupted.close()


def test_stopping_early_closes_the_connection_at_once(server: Server) -> None:
    stream = DatabaseStream(server.address(), MANY)
    assert server.connections() == 0, "nothing stays open between passes"
    batches = stream.batches(1000)
    next(batches)
    assert server.connections() == 1
    batches.close()
    for _ in stream.batches(1000):
        break


def test_errors_half_way(server: Server) -> None:
    batches = DatabaseStream(
        server.address(), MANY.replace("SELECT i", "SELECT 1 / (60000 - i) AS i")
    ).batches()
    with raises("D009", OSError, reason="division by zero"):
        list(batches)
    batches = DatabaseStream(server.address(), MANY).batches()
    next(batches)
    server.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE 'COPY%'"
    )
    with raises("D009", OSError) as caught:
        list(batches)
    assert "\n" not in str(caught.value)


def test_a_cancelled_query_is_an_interruption(server: Server) -> None:
    # What the driver makes of Ctrl-C; it does not say so itself.
    batches = DatabaseStream(server.address(), MANY).batches()
    next(batches)
    server.run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY%'")
    with pytest.raises(KeyboardInterrupt):
        list(batches)


def test_the_test_server_goes_away_whatever_happens() -> None:
    with pytest.raises(RuntimeError, match="in between"), Server.start() as other:
        assert other.run("SELECT 1") == "1"
        raise RuntimeError("in between")
    assert not other.folder.exists()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", other.port)) != 0
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert str(other.folder) not in listed


def test_no_binaries_are_a_skip_or_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "BINARIES", tmp_path)
    monkeypatch.delenv("ASSAY_REQUIRE", raising=False)
    with pytest.raises(pytest.skip.Exception, match="postgres: .*absent"):
        find_binaries()
    monkeypatch.setenv("ASSAY_REQUIRE", "postgres")
    with pytest.raises(pytest.fail.Exception, match="ASSAY_REQUIRE lists postgres, but .*absent"):
        find_binaries()
    for version in ("9.6", "15", "16"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "initdb").touch()
    assert find_binaries() == tmp_path / "16" / "bin"
