"""Tables and queries of databases: the same table from PostgreSQL, from SQLite and from a file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from assay.data import Table, read, scan
from assay.data.sources.database import DatabaseStream, choose_relation
from assay.data.sources.database_address import parse_address
from assay.data.sources.sql_dialects import Relation
from assay.notes import note_of
from tests.data.people import N_ROWS, Row, as_csv, into_postgres, into_sqlite, people
from tests.postgres import Server
from tests.raised import Expected, raises
from tests.realdata import ROOT

# A table has no order of its own: PostgreSQL fills gaps on earlier pages while rows are still being loaded.
ORDERED = "SELECT * FROM people ORDER BY person_id"
BOTH = pytest.mark.parametrize("kind", ["sqlite", "postgresql"])


@pytest.fixture(scope="session")
def rows() -> list[Row]:
    return people()


@pytest.fixture(scope="session")
def file(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("people") / "people.csv"
    path.write_text(as_csv(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def addresses(
    rows: list[Row], tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Callable[[str], str]:
    """The address of the database that holds the table, made when first asked for."""
    made: dict[str, str] = {}

    def address(kind: str) -> str:
        if kind not in made:
            if kind == "sqlite":
                made[kind] = into_sqlite(tmp_path_factory.mktemp("people") / "people.db", rows)
            else:
                server: Server = request.getfixturevalue("server")
                made[kind] = into_postgres(server, "people", rows)
        return made[kind]

    return address


def whole(address: str, query: str | None = None, size: int = 65536) -> pa.Table:
    return pa.Table.from_batches(list(DatabaseStream(address, query).batches(size)))


def assert_same(ours: Table, theirs: Table) -> None:
    assert ours.schema.names == theirs.schema.names
    for name, column in zip(ours.schema.names, theirs.schema, strict=True):
        assert ours.schema[name].type == column.type, name
        assert ours.schema[name].missing == column.missing, name
        if isinstance(ours[name], np.ndarray):
            np.testing.assert_array_equal(ours[name], theirs[name], err_msg=name)
        else:
            assert ours[name].to_pylist() == theirs[name].to_pylist(), name


@BOTH
def test_a_table_is_the_same_from_a_database_and_from_a_file(
    addresses: Callable[[str], str], file: Path, kind: str
) -> None:
    address = addresses(kind)
    table = read(address, query=ORDERED, target="bought")
    expected = read(file, target="bought")
    assert table.n_rows == N_ROWS
    assert_same(table, expected)
    for name in ("city", "bought"):
        assert table.schema[name].levels == expected.schema[name].levels
    assert expected.schema["spent"].type == "numeric"
    assert expected.schema["joined"].type == "date"
    assert np.isnan(table["height"][:3000]).all()


@BOTH
def test_a_table_is_the_same_in_blocks(addresses: Callable[[str], str], file: Path, kind: str) -> None:
    source = scan(addresses(kind), query=f"{ORDERED};", target="bought")
    expected = list(scan(file, target="bought").blocks(7000))
    blocks = list(source.blocks(7000))
    assert [block.n_rows for block in blocks] == [7000, 7000, 6000]
    for ours, theirs in zip(blocks, expected, strict=True):
        assert_same(ours, theirs)


@BOTH
def test_rows_to_predict_are_read_as_the_first_ones_were(
    addresses: Callable[[str], str], file: Path, kind: str
) -> None:
    expected = read(file, target="bought", drop=["member"])  # true and false in the file, 1 and 0 in SQLite
    columns = "city, age, spent, person_id, height, joined"
    query = f"SELECT {columns}, 1 AS extra FROM people WHERE age > 60 ORDER BY person_id"
    table = read(addresses(kind), query=query, target="bought", schema=expected.schema)
    assert table.schema.names == tuple(name for name in expected.schema.names if name != "bought")
    older = expected.take(np.flatnonzero(expected["age"] > 60)).without("bought")
    assert_same(table, Table(table.schema, older.columns))


@BOTH
def test_batches(addresses: Callable[[str], str], rows: list[Row], kind: str) -> None:
    stream = DatabaseStream(addresses(kind), "select person_id, height from people order by 1")
    assert stream.names == ("person_id", "height")
    assert stream.target is None
    assert stream.place(4) == "row 5"
    sizes = [batch.num_rows for batch in stream.batches(999)]
    assert sum(sizes) == N_ROWS
    assert max(sizes) <= 999
    first, second = (pa.Table.from_batches(list(stream.batches(size))) for size in (999, 65536))
    assert first.equals(second)
    assert first.column("height").to_pylist() == [row[2] for row in rows]


@BOTH
def test_types_of_columns(addresses: Callable[[str], str], kind: str) -> None:
    schema = whole(addresses(kind)).schema
    assert pa.types.is_integer(schema.field("age").type)
    assert schema.field("height").type == pa.float64()
    assert schema.field("spent").type == pa.float64()
    assert schema.field("city").type == pa.string()


@BOTH
@pytest.mark.parametrize("query", [None, "", "people", "PEOPLE", '"people"', " people "])
def test_the_only_table_needs_no_name(addresses: Callable[[str], str], kind: str, query: str | None) -> None:
    stream = DatabaseStream(addresses(kind), query)
    assert stream.name.endswith("(table people)")
    assert len(stream.names) == 8


@BOTH
def test_a_query_without_rows_gives_nothing_to_learn_from(addresses: Callable[[str], str], kind: str) -> None:
    with raises("D056"):
        read(addresses(kind), query="SELECT age, city FROM people WHERE age > 1000")


@BOTH
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("peopel", Expected("D237", wanted="peopel", near=["people"])),
        ("wares", Expected("D011", wanted="wares", tables=["people"])),
        ("other.people", Expected("D237", wanted="other.people", near=["people"])),
        ("SELECT age, city AS age FROM people", Expected("D045", columns=["age"])),
    ],
)
def test_questions_that_have_no_answer(
    addresses: Callable[[str], str], kind: str, query: str, expected: Expected
) -> None:
    with raises(expected) as caught:
        whole(addresses(kind), query)
    assert "\n" not in str(caught.value)
    assert "sesame" not in str(caught.value)


@BOTH
@pytest.mark.parametrize(
    ("query", "part"),  # of the query, which the database names
    [
        ('people"; DROP TABLE people', "people"),
        ("selec * from people", "selec"),
        ("SELECT agee FROM people", "agee"),
        ("SELECT * FROM nothing", "nothing"),
        ("SELECT 1; SELECT 2", ""),
    ],
)
def test_queries_that_the_database_rejects(
    addresses: Callable[[str], str], kind: str, query: str, part: str
) -> None:
    address = addresses(kind)
    with raises("D014", shown=parse_address(address).shown) as caught:
        whole(address, query)
    assert part in note_of(caught.value).values["reason"]
    text = str(caught.value)
    assert "\n" not in text
    assert "sesame" not in text


@BOTH
@pytest.mark.parametrize(
    "query",
    ["DELETE FROM people", "DROP TABLE people", "DELETE FROM people RETURNING age", "CREATE TABLE t (i int)"],
)
def test_nothing_is_changed(addresses: Callable[[str], str], kind: str, query: str) -> None:
    if kind == "sqlite":  # its file is opened for reading
        code = "D009"
    else:  # PostgreSQL is asked for the columns first
        code = "D014" if "RETURNING" in query else "D017"
    with raises(code, (ValueError, OSError)):
        whole(addresses(kind), query)
    assert whole(addresses(kind), "SELECT count(*) AS n FROM people").column("n").to_pylist() == [N_ROWS]


@BOTH
def test_a_query_may_end_in_a_comment_and_be_as_long_as_it_likes(
    addresses: Callable[[str], str], kind: str
) -> None:
    table = whole(
        addresses(kind),
        """-- the young, oldest first
        with young as (select age, spent from people where age < 21)
        select age, spent / 2 as half from young -- in francs
        order by age desc, half desc
        limit 5; """,
    )
    ages, halves = (table.column(name).to_pylist() for name in ("age", "half"))
    assert ages == sorted(ages, reverse=True)
    assert len(halves) == 5
    assert all(half is None or isinstance(half, float) for half in halves)


@BOTH
def test_names_of_any_kind(addresses: Callable[[str], str], kind: str) -> None:
    table = whole(addresses(kind), """SELECT age AS "a""b {0} %s", city AS "select", 1 AS "q" FROM people""")
    assert table.column_names == ['a"b {0} %s', "select", "q"]
    assert set(table.column("q").to_pylist()) == {1}


MEMORY = """
import resource, sys
from assay.data.sources.database import DatabaseStream
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
address, query = sys.argv[1:]
stream = DatabaseStream(address, query + " LIMIT 20000")
for batch in stream.batches():
    pass
before, size = peak(), 0
for batch in DatabaseStream(address, query).batches():
    size += batch.nbytes
print(size / 2**20, peak() - before)
"""
MANY = {
    "sqlite": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000) "
    "SELECT i, hex(zeroblob(500)) AS t FROM n",
    "postgresql": "SELECT i, repeat('x', 1000) AS t FROM generate_series(1, 120000) AS i",
}


@BOTH
def test_rows_are_streamed(addresses: Callable[[str], str], kind: str) -> None:
    pytest.importorskip("resource")
    command = [sys.executable, "-c", MEMORY, addresses(kind), MANY[kind]]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    read_mb, grown_mb = map(float, done.stdout.split())
    assert read_mb > 100
    assert grown_mb < 50


def test_relations_are_chosen_by_name() -> None:
    shop, old, items = Relation("public", "Shop"), Relation("old", "shop", False), Relation("public", "items")
    every = [shop, old, items]
    assert choose_relation(every, "Shop", "db") is shop
    assert choose_relation(every, "ITEMS", "db") is items
    assert choose_relation(every, "old.shop", "db") is old
    assert choose_relation(every, '"old"."shop"', "db") is old
    assert choose_relation([old, items], "shop", "db") is old
    with raises("D016", source="db", tables=["Shop", "old.shop", "items"]):
        choose_relation(every, "", "db")
    with raises("D012", wanted="shop", tables=["a.shop", "b.shop"]):
        choose_relation([Relation("a", "shop", False), Relation("b", "shop", False)], "shop", "db")
    with raises("D010", source="db"):
        choose_relation([], "shop", "db")
    with raises("D016"):
        choose_relation([Relation("main", f"t{i}") for i in range(20)], "", "db")
