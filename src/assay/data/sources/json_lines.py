"""JSON, one object a line or a list of objects.

Python's own reader: DuckDB takes names that differ in case for the same one, and types values by their look.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from types import NoneType
from typing import TYPE_CHECKING, cast

from assay.data.sources.compressed import File
from assay.data.sources.stream import BATCH_ROWS, Stream, batch_rows, check_names
from assay.notes import Note
from assay.types import Json

if TYPE_CHECKING:
    import pyarrow as pa

LARGEST = 2**63 - 1
KINDS: Mapping[type, str] = {NoneType: "none", bool: "truth", int: "whole", float: "real", str: "text"}


class JsonStream(Stream):
    """A .jsonl, .ndjson or .json file; its columns are all names that occur in any object."""

    target: str | None = None

    def __init__(self, file: File) -> None:
        self.file = file
        self.name = file.name
        start = file.head(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
        if not start:
            raise ValueError(Note("D007", file=file.name))
        self._listed = start.startswith(b"[")
        self._kinds = self._find_kinds()
        self.names = check_names(tuple(self._kinds), self.name)

    def _find_kinds(self) -> dict[str, set[str]]:
        """The kinds of values of every name, from all of the file."""
        kinds: dict[str, set[str]] = {}
        for _, entry in self._objects():
            for name, value in entry.items():
                kinds.setdefault(name, set()).add(_kind(value))
        return kinds

    def _objects(self) -> Iterator[tuple[int, dict[str, Json]]]:
        """Line (or position in the list) and content of every object."""
        try:
            with self.file.text() as text:
                yield from _listed(self.file, text.read()) if self._listed else _lines(self.file, text)
        except UnicodeDecodeError:
            self.file.check_text()
            raise

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        entries = (entry for _, entry in self._objects())
        while part := list(islice(entries, batch_rows(len(self.names), rows))):
            arrays = [_array([entry.get(key) for entry in part], kinds) for key, kinds in self._kinds.items()]
            yield pa.RecordBatch.from_arrays(arrays, names=list(self.names))

    def place(self, row: int) -> str:
        for number, _ in islice(self._objects(), row, None):
            return f"entry {number}" if self._listed else f"line {number}"
        return f"row {row + 1}"


def _lines(file: File, text: Iterator[str]) -> Iterator[tuple[int, dict[str, Json]]]:
    for number, line in enumerate(text, 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            raise ValueError(Note("D043", line=number, file=file.name)) from None
        if not isinstance(entry, dict):
            shown = line.strip() if len(line) <= 40 else line[:37] + "..."
            raise ValueError(Note("D039", line=number, file=file.name, shown=shown))
        yield number, entry


def _listed(file: File, text: str) -> Iterator[tuple[int, dict[str, Json]]]:
    try:
        entries = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(Note("D040", file=file.name, line=error.lineno, column=error.colno)) from None
    except RecursionError:
        raise ValueError(Note("D041", file=file.name)) from None
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict):
            raise ValueError(Note("D042", line=number, file=file.name))
        yield number, entry


def _kind(value: Json) -> str:
    if type(value) is int and abs(value) > LARGEST:
        return "text"
    return KINDS.get(type(value), "nested")


def _array(values: list[Json], kinds: set[str]) -> pa.Array:
    """One column; values of different kinds are all written as text."""
    import pyarrow as pa

    kinds = kinds - {"none"}
    if "nested" in kinds:
        return pa.array([[] for _ in values], pa.list_(pa.null()))
    if kinds == {"truth"}:
        return pa.array(values, pa.bool_())
    if kinds == {"whole"}:
        return pa.array(values, pa.int64())
    if kinds and kinds <= {"whole", "real"}:
        return pa.array(
            [None if value is None else float(cast(float, value)) for value in values], pa.float64()
        )
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    return pa.array([None if text is None else _encodable(text) for text in texts], pa.large_string())


def _encodable(text: str) -> str:
    r"""The text with lone surrogates, which JSON can spell (\ud800) and UTF-8 cannot, replaced."""
    return text.encode("utf-8", "replace").decode("utf-8")
