"""Files by the ending of their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, cast

from assay.data.sources.compressed import COMPRESSIONS, File
from assay.data.sources.stream import BATCH_ROWS, Stream, batch_rows, check_names, plain_place
from assay.notes import Note

if TYPE_CHECKING:
    import pyarrow as pa

DELIMITED = (".csv", ".tsv", ".tab", ".txt")
JSON_LINES = (".jsonl", ".ndjson", ".json")
BINARY = (".parquet", ".arrow", ".feather")


def open_path(text: str) -> Stream:
    """The stream of a file or folder."""
    path = Path(text)
    try:
        if path.is_dir():
            from assay.data.sources.text_folder import FolderStream

            return cast(Stream, FolderStream(path))
        is_file = path.is_file()
    except (OSError, ValueError):
        is_file = False
    if not is_file:
        raise _not_found(path)
    suffix, compression = path.suffix.lower(), None
    if suffix in COMPRESSIONS:
        compression = COMPRESSIONS[suffix]
        suffix = Path(path.stem).suffix.lower()
    return _open_file(File(path, compression), suffix)


def _open_file(file: File, suffix: str) -> Stream:
    if file.path.stat().st_size == 0:
        raise ValueError(Note("D007", file=file.name))
    if suffix in DELIMITED:
        from assay.data.sources.csv import CsvStream

        return CsvStream(file, tabs=suffix in (".tsv", ".tab"))
    if suffix in JSON_LINES:
        from assay.data.sources.json_lines import JsonStream

        return JsonStream(file)
    if suffix in BINARY and file.compression is None:
        return ParquetStream(file) if suffix == ".parquet" else IpcStream(file)
    raise ValueError(
        Note("D025", file=file.name, text_endings=[*DELIMITED, *JSON_LINES], binary_endings=list(BINARY))
    )


def _not_found(path: Path) -> FileNotFoundError:
    folder = path.parent
    try:
        others = [other.name for other in folder.iterdir()] if folder.is_dir() else None
    except OSError:
        others = []
    if others is None:
        return FileNotFoundError(Note("D027", folder=str(folder), file=path.name))
    near = get_close_matches(path.name, others, n=1, cutoff=0.5)
    if near:
        return FileNotFoundError(Note("D236", path=str(path), near=near[0]))
    return FileNotFoundError(Note("D026", path=str(path)))


class ParquetStream(Stream):
    """A Parquet file, read by row groups."""

    target: str | None = None

    def __init__(self, file: File) -> None:
        self.file, self.name = file, file.name
        with _translated(file, "Parquet"), self._open() as parquet:
            self.names = check_names(parquet.schema_arrow.names, self.name)

    def _open(self) -> pa.parquet.ParquetFile:
        import pyarrow.parquet as pq

        return pq.ParquetFile(str(self.file.path))

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        with _translated(self.file, "Parquet"), self._open() as parquet:
            for batch in parquet.iter_batches(batch_size=batch_rows(len(self.names), rows)):
                yield _renamed(batch, self.names)

    def place(self, row: int) -> str:
        return plain_place(row)


class IpcStream(Stream):
    """An Arrow file (Feather is the same format), or the streaming form of it."""

    target: str | None = None

    def __init__(self, file: File) -> None:
        self.file, self.name = file, file.name
        with _translated(file, "Arrow"):
            with self._reader() as reader:
                self.names = check_names(reader.schema.names, self.name)

    @contextmanager
    def _reader(self) -> Iterator[pa.ipc.RecordBatchFileReader | pa.ipc.RecordBatchStreamReader]:
        """A reader of either form; both know the columns before the first row."""
        import pyarrow as pa

        with pa.memory_map(str(self.file.path)) as source:
            filed = source.read(6) == b"ARROW1"
            source.seek(0)
            yield pa.ipc.open_file(source) if filed else pa.ipc.open_stream(source)

    def _raw(self) -> Iterator[pa.RecordBatch]:
        with self._reader() as reader:
            if hasattr(reader, "get_batch"):
                yield from (reader.get_batch(at) for at in range(reader.num_record_batches))
            else:
                yield from reader

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        with _translated(self.file, "Arrow"):
            for batch in self._raw():
                for start in range(0, batch.num_rows, rows):
                    yield _renamed(batch.slice(start, rows), self.names)

    def place(self, row: int) -> str:
        return plain_place(row)


def _renamed(batch: pa.RecordBatch, names: tuple[str, ...]) -> pa.RecordBatch:
    import pyarrow as pa

    return pa.RecordBatch.from_arrays(batch.columns, names=list(names))


@contextmanager
def _translated(file: File, what: str) -> Iterator[None]:
    """Arrow's errors in one sentence with the file's name."""
    import pyarrow as pa

    try:
        yield
    except PermissionError:
        raise PermissionError(Note("D002", file=file.name)) from None
    except (pa.ArrowException, OSError):
        raise ValueError(Note("D028", file=file.name, format=what)) from None
