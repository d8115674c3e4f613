"""Delimited text files: read by DuckDB as text, line by line where they are small or DuckDB refuses them."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from assay.data.sources.compressed import File
from assay.data.sources.csv_dialect import CsvDialect, find_dialect
from assay.data.sources.stream import BATCH_ROWS, Stream, batch_rows, check_names, regroup
from assay.notes import Note

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

MEMORY = "150MB"
BUFFER = 2**23  # bytes of a file that a thread holds
LONGEST_FIELD = 2**30
SMALL = 2**18  # bytes


def connect() -> DuckDBPyConnection:
    """A DuckDB of our own that reads files and nothing else: no downloads, no extensions, bounded memory."""
    import duckdb

    connection = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "preserve_insertion_order": "true",
            "memory_limit": MEMORY,
            "threads": threads(),
        },
    )
    # It would go to standard output, where results go.
    connection.execute("SET enable_progress_bar = false")
    return connection


def threads() -> int:
    """Threads to read with: ASSAY_THREADS, or the processors this process may use."""
    text = os.environ.get("ASSAY_THREADS", "").strip()
    if text.isdecimal() and int(text) >= 1:
        return min(int(text), 64)
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 64)


def literal_path(file: File) -> str:
    """The path as DuckDB has to be given it, so that no character of it is a pattern."""
    return re.sub(r"([\[*?])", r"[\1]", str(file.path.resolve()))


class CsvStream(Stream):
    """A .csv, .tsv or .txt file; its delimiter and quotes are found out, its first line names the columns."""

    target: str | None = None
    untyped = True

    def __init__(self, file: File, *, tabs: bool = False) -> None:
        self.file = file
        self.name = file.name
        self.dialect = find_dialect(file, tabs)
        # Semicolons delimit where commas are decimal: that is why.
        self.decimal_comma = self.dialect.delimiter == ";"
        self.names = check_names(self.dialect.header, self.name)
        self.small = len(file.head(SMALL + 1)) <= SMALL

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        if self.small:
            # Starting DuckDB takes longer than reading such a file line by line.
            yield from read_with_csv_module(self.file, self.dialect, self.names, 0, rows)
            return
        import duckdb
        import pyarrow as pa

        given = 0
        rows = batch_rows(len(self.names), rows)
        connection = connect()
        try:
            with connection:
                # Cut anew: types come from the first batch, which must not depend on the number of threads.
                for batch in regroup(self._relation(connection).to_arrow_reader(rows), rows):
                    yield pa.RecordBatch.from_arrays(batch.columns, names=list(self.names))
                    given += batch.num_rows
            return
        except (duckdb.Error, pa.ArrowException, OSError):
            check(self.file, self.dialect)
        # Nothing is wrong with the file: DuckDB does not take lines that end in different ways, or very long ones.
        yield from read_with_csv_module(self.file, self.dialect, self.names, given, rows)

    def _relation(self, connection: DuckDBPyConnection) -> DuckDBPyRelation:
        quote = '"' if self.dialect.quoted else ""
        columns = ", ".join(f"'c{at}': 'VARCHAR'" for at in range(len(self.names)))
        return connection.sql(
            f"SELECT * FROM read_csv($path, auto_detect=false, header=true, delim=$delimiter, quote=$quote, "
            f"escape=$quote, skip={self.dialect.skip}, compression=$compression, strict_mode=true, "
            f"buffer_size={BUFFER}, columns={{{columns}}})",
            params={
                "path": literal_path(self.file),
                "delimiter": self.dialect.delimiter,
                "quote": quote,
                "compression": self.file.compression or "none",
            },
        )

    def place(self, row: int) -> str:
        with self.file.text() as text:
            for line, _ in islice(self.dialect.records(iter(text)), row, None):
                return f"line {line}"
        return f"row {row + 1}"


def rows_of(file: File, dialect: CsvDialect) -> Iterator[list[str]]:
    """The fields of every row, read line by line; raises the sentence for the first thing that is wrong."""
    expected = len(dialect.header)
    limit = csv.field_size_limit(LONGEST_FIELD)
    line = dialect.skip + 1
    try:
        with file.text() as text:
            for line, fields in dialect.records(iter(text)):
                if len(fields) != expected:
                    raise ValueError(
                        Note("D006", line=line, file=file.name, fields=len(fields), expected=expected)
                    )
                yield fields
                line += 1
    except csv.Error as error:
        raise ValueError(_quote_note(file, line, error)) from None
    except UnicodeDecodeError:
        file.check_text()
        raise
    finally:
        csv.field_size_limit(limit)


def _quote_note(file: File, line: int, error: csv.Error) -> Note:
    # Python's csv module tells its errors apart by their messages alone.
    unclosed = "unexpected end" in str(error)
    return Note("D233" if unclosed else "D234", line=line, file=file.name)


def check(file: File, dialect: CsvDialect) -> None:
    """Raise the sentence for the first thing that is wrong with a file, if anything is."""
    file.check_text()
    for _ in rows_of(file, dialect):
        pass


def read_with_csv_module(
    file: File, dialect: CsvDialect, names: tuple[str, ...], skip: int, rows: int
) -> Iterator[pa.RecordBatch]:
    """The batches by Python's own reader, from row `skip` on: for small files, and for what DuckDB does not take."""
    import pyarrow as pa

    records = islice(rows_of(file, dialect), skip, None)
    while part := list(islice(records, batch_rows(len(names), rows))):
        columns = [pa.array(column, pa.large_string()) for column in zip(*part, strict=True)]
        yield pa.RecordBatch.from_arrays(columns, names=list(names))
