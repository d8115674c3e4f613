"""A table or a query of a database, read as a stream of record batches through ADBC."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, cast

from assay.data.sources.database_address import Address, parse_address
from assay.data.sources.sql_dialects import PostgreSQL, Relation, SqlDialect, SQLite
from assay.data.sources.stream import BATCH_ROWS, Stream, check_names, plain_place
from assay.notes import Note

if TYPE_CHECKING:
    import pyarrow as pa
    from adbc_driver_manager.dbapi import Connection, Cursor

QUERY_CANCELED = "57014"  # SQLSTATE
INSTALL = "pip install 'assay-ml[database]'"
_NAME = r'(?:"(?:[^"]|"")+"|[^\s".]+)'
_TABLE = re.compile(rf"(?:({_NAME})\.)?({_NAME})")
_QUERY = re.compile(r"(select|with|values)\b", re.IGNORECASE)


class DatabaseStream(Stream):
    """The rows that a query gives, or those of a table. Nothing in the database is ever changed.

    Every pass opens a connection of its own and closes it at the end, wherever that is. Rows come in the order in
    which the database gives them: the same in every pass over an unchanged table, but only ORDER BY promises one.

    Parameters
    ----------
    address : str
        ``postgresql://user:password@host:port/database`` or ``sqlite:///file``.
    query : str, optional
        SQL, or the name of a table or view, with or without its schema's. Without it the database must have a
        single table.
    """

    target = None

    def __init__(self, address: str, query: str | None = None) -> None:
        self._address = parse_address(address)
        self._dialect: SqlDialect = PostgreSQL() if self._address.kind == "postgresql" else SQLite()
        with self._cursor() as cursor:
            wanted = (query or "").strip()
            if _is_sql(wanted):
                sql, what = wanted.rstrip("; \t\n"), "query"
            else:
                relation = choose_relation(self._dialect.relations(cursor), wanted, self._address.shown)
                sql, what = f"SELECT * FROM {relation.sql}", f"table {relation.shown}"
            self.name = f"{self._address.shown} ({what})"
            schema = self._dialect.columns(cursor, sql)
            if not schema.names:
                raise ValueError(Note("D017", source=self.name))
            self.names = check_names(schema.names, self.name)
            self._sql, self._skip = self._dialect.typed(cursor, sql, self.names, schema)

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """All rows, at most `rows` at a time, streamed."""
        skip = self._skip
        with self._cursor() as cursor:
            self._dialect.limit_batches(cursor, rows)
            cursor.execute(self._sql)
            for batch in cursor.fetch_record_batch():
                _check_texts(batch, self._address)
                for start in range(skip, batch.num_rows, rows):
                    yield batch.slice(start, rows)
                skip = 0

    def place(self, row: int) -> str:
        return plain_place(row)

    @contextmanager
    def _cursor(self) -> Iterator[Cursor]:
        """A cursor that only reads; what goes wrong while it is open is said in our words."""
        connection = self._connect()
        try:
            cursor = connection.cursor()
            try:
                self._dialect.begin(cursor)
                yield cursor
            except Exception as error:
                explained = _explain(error, self._address, partial(self._dialect.is_readable, connection))
                raise explained from (None if explained is error else error)
            finally:
                cursor.close()
        finally:
            connection.close()

    def _connect(self) -> Connection:
        package = self._dialect.driver
        try:
            driver = import_module(f"{package}.dbapi")
        except ImportError as error:
            wanted = package.replace("_", "-")
            raise ImportError(
                Note("D018", database=self._address.kind, package=wanted, install=INSTALL)
            ) from error
        try:
            return cast("Connection", driver.connect(self._address.uri))
        except driver.Error as error:
            reason = self._address.clean(_first_line(error)).rstrip(".")
            raise ConnectionError(Note("D019", shown=self._address.shown, reason=reason)) from None


def choose_relation(relations: Sequence[Relation], wanted: str, source: str) -> Relation:
    """The table that is meant: by its name, spelled exactly or but for case, or the only one if none is named."""
    shown = [relation.shown for relation in relations]
    if not relations:
        raise ValueError(Note("D010", source=source))
    if not wanted:
        if len(relations) > 1:
            raise ValueError(Note("D016", source=source, tables=shown))
        return relations[0]
    matches = _matches(relations, wanted)
    if not matches:
        lower = {name.lower(): name for name in shown}
        near = [lower[key] for key in get_close_matches(wanted.lower(), list(lower), n=3, cutoff=0.5)]
        if near:
            raise ValueError(Note("D237", wanted=wanted, source=source, near=near))
        raise ValueError(Note("D011", wanted=wanted, source=source, tables=shown))
    if len(matches) > 1:
        tables = [f"{relation.schema}.{relation.name}" for relation in matches]
        raise ValueError(Note("D012", source=source, wanted=wanted, tables=tables))
    return matches[0]


def _matches(relations: Sequence[Relation], wanted: str) -> list[Relation]:
    """The relations of that name, those that match exactly or are visible before the others."""
    parts = _TABLE.fullmatch(wanted)
    if parts is None:
        return []
    schema, name = (_unquoted(part) if part else None for part in parts.groups())
    for fold in (str, str.lower):
        alike = [r for r in relations if fold(r.name) == fold(str(name))]
        if schema is not None:
            alike = [r for r in alike if fold(r.schema) == fold(schema)]
        if alike:
            return [r for r in alike if r.visible] or alike
    return []


def _is_sql(query: str) -> bool:
    """Whether it is a statement and not the name of a table; a quoted name may have spaces in it."""
    return bool(query) and (bool(_QUERY.match(query)) or not _TABLE.fullmatch(query))


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _check_texts(batch: pa.RecordBatch, address: Address) -> None:
    """Drivers build sound arrays, but hand texts on as they are."""
    import pyarrow as pa

    try:
        batch.validate(full=True)
    except pa.ArrowInvalid:
        raise ValueError(Note("D015", shown=address.shown)) from None


def _explain(error: Exception, address: Address, is_readable: Callable[[], bool]) -> BaseException:
    """The error of a driver, or of the stream that it fills, as one sentence; any other as it is."""
    import pyarrow as pa
    from adbc_driver_manager import DataError, Error, ProgrammingError

    # SQLite's driver cannot cancel, and complains afterwards.
    if isinstance(error.__cause__, KeyboardInterrupt):
        return KeyboardInterrupt()
    # A stream reports what its driver meets half-way as a bare OSError; ours have words of their own already.
    if not isinstance(error, Error | pa.ArrowException) and type(error) is not OSError:
        return error
    reason = address.clean(_first_line(error)).rstrip(".")
    # While the driver waits, Ctrl-C is its to handle: it cancels the statement, and that is all we hear of it.
    if getattr(error, "sqlstate", None) == QUERY_CANCELED:
        return KeyboardInterrupt()
    # SQLite's driver gives no code and no SQLSTATE, nor does the stream of PostgreSQL's: the message is all there is.
    if "due to user request" in reason or reason.endswith("interrupted"):
        return KeyboardInterrupt()
    if isinstance(error, ProgrammingError | DataError) and is_readable():
        return ValueError(Note("D014", shown=address.shown, reason=reason))
    return OSError(Note("D009", shown=address.shown, reason=reason))


def _first_line(error: Exception) -> str:
    """What the server says, in one line: without the driver's preamble, its echo of the query and its pointers."""
    for key, value in getattr(error, "details", None) or ():
        if key == "PG_DIAG_MESSAGE_PRIMARY" or key == b"PG_DIAG_MESSAGE_PRIMARY":
            return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    line = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    line = re.sub(r"^[A-Z_]+: ", "", line)
    return re.sub(r"^(\[\w+\] )?(Failed to \w+( query)?: |Execution error \[\w+\]: )?(ERROR: +)?", "", line)
