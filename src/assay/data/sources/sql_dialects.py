"""What differs between databases: how to open them, which tables they have, and which types their columns arrive as.

A dialect never changes anything: PostgreSQL reads inside a read-only transaction, SQLite opens its file read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import pyarrow as pa
    from adbc_driver_manager.dbapi import Connection, Cursor


@dataclass(frozen=True)
class Relation:
    """A table or view; `visible` if its name alone, without the schema's, reaches it."""

    schema: str
    name: str
    visible: bool = True

    @property
    def shown(self) -> str:
        return self.name if self.visible else f"{self.schema}.{self.name}"

    @property
    def sql(self) -> str:
        return f"{quoted(self.schema)}.{quoted(self.name)}"


class SqlDialect(Protocol):
    """How to talk to one kind of database; `cursor` is a cursor of its ADBC driver."""

    driver: str

    def begin(self, cursor: Cursor) -> None:
        """Make the session read-only and its answers repeatable."""

    def relations(self, cursor: Cursor) -> list[Relation]:
        """Every table and view a user may mean."""

    def columns(self, cursor: Cursor, sql: str) -> pa.Schema:
        """What the query gives, found without reading its rows."""

    def typed(self, cursor: Cursor, sql: str, names: Sequence[str], schema: pa.Schema) -> tuple[str, int]:
        """The query with columns that Arrow can carry, and how many rows at its beginning are not data."""

    def limit_batches(self, cursor: Cursor, rows: int) -> None:
        """Let the next statement hand out batches that fit into memory."""

    def is_readable(self, connection: Connection) -> bool:
        """Whether the database answers another query, so that a failure was that of the query before."""


class PostgreSQL:
    """NUMERIC arrives as text and is cast to double precision; what Arrow has no type for is cast to text."""

    driver = "adbc_driver_postgresql"
    # Type names of the server; all others go by the Arrow type that the driver has for them.
    casts = {"numeric": "double precision", "money": "numeric::double precision", "bpchar": "text"}

    def begin(self, cursor: Cursor) -> None:
        cursor.execute("SET TRANSACTION READ ONLY")
        # A scan may otherwise join another one half-way, and workers deliver rows as they come: every pass over
        # the rows of a table has to see them in the same order.
        cursor.execute("SET LOCAL synchronize_seqscans = off")
        cursor.execute("SET LOCAL max_parallel_workers_per_gather = 0")
        cursor.execute(
            "SET LOCAL client_encoding = 'UTF8'"
        )  # otherwise texts come in the database's own encoding

    def relations(self, cursor: Cursor) -> list[Relation]:
        cursor.execute(
            "SELECT n.nspname::text, c.relname::text, pg_table_is_visible(c.oid) "
            "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND NOT c.relispartition "
            "AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' ORDER BY 1, 2"
        )
        return [Relation(*row) for row in cursor.fetchall()]

    def columns(self, cursor: Cursor, sql: str) -> pa.Schema:
        return cursor.adbc_execute_schema(sql)

    def typed(self, cursor: Cursor, sql: str, names: Sequence[str], schema: pa.Schema) -> tuple[str, int]:
        casts = [self._cast(field) for field in schema]
        if not any(casts):
            return sql, 0
        columns = [
            f"{quoted(name)}::{cast} AS {quoted(name)}" if cast else quoted(name)
            for name, cast in zip(names, casts, strict=True)
        ]
        return f"SELECT {', '.join(columns)} FROM (\n{sql}\n) AS q", 0

    def _cast(self, field: pa.Field) -> str | None:
        import pyarrow as pa

        known = {value.decode() for value in (field.metadata or {}).values()} & set(self.casts)
        if known:
            return self.casts[known.pop()]
        if getattr(field.type, "type_name", None) == "numeric":
            return self.casts["numeric"]
        tests = (
            *(pa.types.is_boolean, pa.types.is_integer, pa.types.is_floating),
            *(pa.types.is_string, pa.types.is_date, pa.types.is_timestamp),
        )
        return None if any(test(field.type) for test in tests) else "text"

    def limit_batches(self, cursor: Cursor, rows: int) -> None:
        """The driver ends a batch after 16 MB."""

    def is_readable(self, connection: Connection) -> bool:
        """Its driver has errors of other classes where the server fails."""
        return True


class SQLite:
    """Values have types here, not columns: a pass finds what each column needs, and a first row says it to the driver.

    The driver itself takes a column for what its first batch holds and fails at a later value of another type.
    """

    driver = "adbc_driver_sqlite"
    batch_rows = 8192
    # By what the values of a column are at most: nothing, whole numbers, numbers, texts, bytes. A value and the cast.
    kinds = (
        ("''", "CAST({0} AS TEXT)"),
        ("0", "{0}"),
        ("0.5", "CAST({0} AS REAL)"),
        ("''", "CAST({0} AS TEXT)"),
        ("''", "CASE typeof({0}) WHEN 'blob' THEN hex({0}) ELSE CAST({0} AS TEXT) END"),
    )

    def begin(self, cursor: Cursor) -> None:
        """The address has asked for a read-only file already."""

    def relations(self, cursor: Cursor) -> list[Relation]:
        cursor.execute(
            "SELECT 'main', name FROM sqlite_master "
            "WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite^_%' ESCAPE '^' ORDER BY name"
        )
        return [Relation(*row) for row in cursor.fetchall()]

    def columns(self, cursor: Cursor, sql: str) -> pa.Schema:
        # The query as it is: inside another one SQLite would rename repeated columns.
        self.limit_batches(cursor, 1)
        cursor.execute(sql)
        return cursor.fetch_record_batch().schema

    def typed(self, cursor: Cursor, sql: str, names: Sequence[str], schema: pa.Schema) -> tuple[str, int]:
        # Columns are known by position: a computed one may be called otherwise inside another query.
        rows = quoted("assay's rows")  # no table of the query is called so
        places = [f"c{position}" for position in range(len(names))]
        query = f"WITH {rows}({', '.join(places)}) AS (\n{sql}\n)"
        rank = "CASE typeof({0}) WHEN 'integer' THEN 1 WHEN 'real' THEN 2 WHEN 'text' THEN 3 WHEN 'blob' THEN 4 END"
        highest = ", ".join(f"coalesce(max({rank.format(place)}), 0)" for place in places)
        cursor.execute(f"{query} SELECT {highest} FROM {rows}")
        kinds = [self.kinds[kind] for kind in cursor.fetchone() or ()]
        first = ", ".join(f"{value} AS {quoted(name)}" for name, (value, _) in zip(names, kinds, strict=True))
        rest = ", ".join(cast.format(place) for place, (_, cast) in zip(places, kinds, strict=True))
        return f"{query} SELECT {first} UNION ALL SELECT {rest} FROM {rows}", 1

    def limit_batches(self, cursor: Cursor, rows: int) -> None:
        cursor.adbc_statement.set_options(
            **{"adbc.sqlite.query.batch_rows": str(max(1, min(rows, self.batch_rows)))}
        )

    def is_readable(self, connection: Connection) -> bool:
        """Its driver reports a locked or damaged file like a mistake in the query, without a code: a query tells."""
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM sqlite_master")
        except connection.Error:
            return False
        return True


def quoted(name: str) -> str:
    """A name as an SQL identifier, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'
