"""JSON, one object a line or a list of objects: read by DuckDB, checked by Python where DuckDB refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from assay.data.csv import connect, literal_path
from assay.data.raw import File
from assay.data.stream import BATCH_ROWS, batch_rows, check_names

if TYPE_CHECKING:
    import pyarrow as pa


class JsonStream:
    """A .jsonl, .ndjson or .json file; its columns are all names that occur in any object."""

    target: str | None = None

    def __init__(self, file: File) -> None:
        self.file = file
        self.name = file.name
        start = file.head(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
        if not start:
            raise ValueError(f"{file.name} is empty.")
        self._form = "array" if start.startswith(b"[") else "newline_delimited"
        self._columns = self._find_columns()
        self.names = check_names(tuple(self._columns), self.name)

    def _find_columns(self) -> dict[str, str]:
        """Names and DuckDB's types, from all of the file: a type that fits the first rows only is of no use."""
        import duckdb

        try:
            with connect() as connection:
                relation = connection.sql(
                    "SELECT * FROM read_json($path, format=$form, records=true, compression=$compression, "
                    "auto_detect=true, sample_size=-1, maximum_depth=2, map_inference_threshold=-1, "
                    "maximum_object_size=268435456)",
                    params=self._params(),
                )
                return dict(zip(relation.columns, map(str, relation.types), strict=True))
        except duckdb.Error:
            self._check()
            raise ValueError(f"{self.name} could not be read as JSON, one object a line.") from None

    def _params(self) -> dict[str, str]:
        return {
            "path": literal_path(self.file),
            "form": self._form,
            "compression": self.file.compression or "none",
        }

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        import duckdb
        import pyarrow as pa

        try:
            with connect() as connection:
                relation = connection.sql(
                    "SELECT * FROM read_json($path, format=$form, records=true, compression=$compression, "
                    f"auto_detect=false, columns={self._column_types()}, maximum_object_size=268435456)",
                    params=self._params(),
                )
                for batch in relation.to_arrow_reader(batch_rows(len(self.names), rows)):
                    yield pa.RecordBatch.from_arrays(batch.columns, names=list(self.names))
        except (duckdb.Error, pa.ArrowException, OSError):
            self._check()
            raise ValueError(f"{self.name} could not be read as JSON, one object a line.") from None

    def _column_types(self) -> str:
        def quoted(text: str) -> str:
            return "'" + text.replace("'", "''") + "'"

        return (
            "{" + ", ".join(f"{quoted(name)}: {quoted(kind)}" for name, kind in self._columns.items()) + "}"
        )

    def place(self, row: int) -> str:
        return f"line {row + 1}" if self._form == "newline_delimited" else f"row {row + 1}"

    def _check(self) -> None:
        """Read the file line by line and raise the sentence for the first line that is no object."""
        self.file.check_text()
        with self.file.text() as text:
            if self._form == "array":
                _check_array(self.file, text.read())
                return
            for number, line in enumerate(text, 1):
                if line.strip():
                    _check_object(self.file, number, line)


def _check_object(file: File, number: int, line: str) -> None:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise ValueError(f"Line {number} of {file.name} is not JSON; write one object a line.") from None
    if not isinstance(value, dict):
        shown = line.strip() if len(line) <= 40 else line[:37] + "..."
        raise ValueError(
            f"Line {number} of {file.name} is not an object but {shown}; write one object a line."
        )


def _check_array(file: File, text: str) -> None:
    try:
        values: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{file.name} is not JSON: line {error.lineno}, column {error.colno}.") from None
    for number, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise ValueError(f"Entry {number} of {file.name} is not an object; write a list of objects.")
