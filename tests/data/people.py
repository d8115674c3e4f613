"""A table as databases hold them, as CSV, in SQLite and in PostgreSQL."""

from __future__ import annotations

import csv
import io
import sqlite3
from pathlib import Path

import numpy as np

from tests.postgres import Server

N_ROWS = 20_000
COLUMNS = {
    "person_id": "integer",
    "age": "smallint",
    "height": "double precision",
    "city": "text",
    "member": "boolean",
    "joined": "date",
    "spent": "numeric(10,2)",
    "bought": "varchar(3)",
}
Row = tuple[object, ...]


def people(n_rows: int = N_ROWS) -> list[Row]:
    """Rows with every common type; one value in ten is missing, and the first 3000 heights are."""
    random = np.random.default_rng(3)
    cities = np.array(["Bern", "Genève", "St. Gallen", "'s-Hertogenbosch", 'the "old" town'])
    days = np.datetime64("2019-01-01") + random.integers(0, 1500, n_rows)
    columns = [
        np.arange(1, n_rows + 1).tolist(),
        random.integers(18, 90, n_rows).tolist(),
        random.normal(1.7, 0.1, n_rows).round(3).tolist(),
        cities[random.integers(0, len(cities), n_rows)].tolist(),
        [bool(value) for value in random.integers(0, 2, n_rows)],
        [str(day) for day in days],
        [f"{value:.2f}" for value in random.gamma(2.0, 50.0, n_rows)],
        np.array(["no", "yes"])[random.integers(0, 2, n_rows)].tolist(),
    ]
    absent = random.random((n_rows, len(columns))) < 0.1
    absent[:, [0, -1]] = False
    absent[:3000, 2] = True
    rows = zip(*columns, strict=True)
    return [
        tuple(None if gone else value for value, gone in zip(row, gaps, strict=True))
        for row, gaps in zip(rows, absent.tolist(), strict=True)
    ]


def as_csv(rows: list[Row]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    spelled = {True: "true", False: "false", None: ""}
    for row in rows:
        writer.writerow(
            [spelled[value] if value is None or isinstance(value, bool) else value for value in row]
        )
    return text.getvalue()


def _create(name: str) -> str:
    return f"CREATE TABLE {name} ({', '.join(' '.join(column) for column in COLUMNS.items())})"


def into_sqlite(path: Path, rows: list[Row], name: str = "people") -> str:
    """A database file with this one table; returns its address."""
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(_create(name))
        connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(COLUMNS))})", rows)
    connection.close()
    return f"sqlite:///{path}"


def into_postgres(server: Server, database: str, rows: list[Row], name: str = "people") -> str:
    """A new database with this one table; returns its address."""
    address = server.create_database(database)
    server.run(_create(name), database=database)
    server.run(f"\\copy {name} from stdin with (format csv, header)", stdin=as_csv(rows), database=database)
    return address
