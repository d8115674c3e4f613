"""What every source becomes first: named columns, handed out as Arrow record batches, as often as asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from assay.notes import Note

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_ROWS = 65536
BATCH_CELLS = 300_000  # of wide files fewer rows are held as text at a time
CACHED_BYTES = 2**28


class Stream:
    """A source of rows before anyone has said what its columns mean.

    Attributes
    ----------
    name : str
        What messages call the source: a file name, "the frame", ...
    names : tuple of str
        Column names, unique and not empty (see `check_names`).
    target : str or None
        The column that holds the labels where the source itself says so (a folder of class folders); None otherwise.
    decimal_comma : bool
        Whether a comma in a number is rather a decimal one (see `detect_format`).
    untyped : bool
        Whether all it has is text, so that what looks like a number is one, in labels too.
    texts, texts_reason
        Columns that hold texts, however short, and why.
    """

    name: str
    names: tuple[str, ...]
    target: str | None = None
    decimal_comma: bool = False
    untyped: bool = False
    texts: tuple[str, ...] = ()
    texts_reason: str = ""

    @property
    def unlearnable(self) -> str:
        """A sentence about why nothing can be learned from it; empty: something can."""
        return ""

    @property
    def note(self) -> str:
        """A sentence about what the last pass had to leave out; empty: nothing."""
        return ""

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """All rows from the first one on, about `rows` at a time, with whatever Arrow types the source has."""
        raise NotImplementedError

    def place(self, row: int) -> str:
        """Where row number `row`, counted from 0, is found by a person: "line 7" of a file, "row 6" of a frame."""
        raise NotImplementedError


def plain_place(row: int) -> str:
    """`Stream.place` of a source without lines: rows counted from 1."""
    return f"row {row + 1}"


def check_names(names: Sequence[str], source: str) -> tuple[str, ...]:
    """Column names with `column_3` where the third has none, or the error for repeated names."""
    if not names:
        raise ValueError(Note("D044", source=source))
    filled = tuple(name if name.strip() else f"column_{at}" for at, name in enumerate(names, 1))
    repeated = [name for name, count in Counter(filled).items() if count > 1]
    if repeated:
        raise ValueError(Note("D045", source=source, columns=repeated))
    return filled


def batch_rows(n_columns: int, rows: int = BATCH_ROWS) -> int:
    """Rows to ask for at a time, so that wide tables stay within bounds too."""
    return max(1, min(rows, BATCH_CELLS // max(1, n_columns)))


def regroup(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of exactly `rows`, the last one shorter: what follows does not depend on how
    a reader happened to cut."""
    import pyarrow as pa

    held: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        while batch.num_rows:
            part = batch.slice(0, rows - count)
            held.append(part)
            count += part.num_rows
            batch = batch.slice(part.num_rows)
            if count == rows:
                yield held[0] if len(held) == 1 else pa.concat_batches(held)
                held, count = [], 0
    if held:
        yield held[0] if len(held) == 1 else pa.concat_batches(held)


class CachedStream(Stream):
    """A stream whose batches stay in memory after the first pass, unless they are too large for that."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.name, self.names, self.target = stream.name, stream.names, stream.target
        self.decimal_comma, self.untyped, self.texts = stream.decimal_comma, stream.untyped, stream.texts
        self._cached: list[pa.RecordBatch] | None = None

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        if self._cached is not None:
            yield from self._cached
            return
        cached: list[pa.RecordBatch] = []
        room = CACHED_BYTES
        for batch in self.stream.batches(rows):
            room -= batch.nbytes
            if room >= 0:
                cached.append(batch)
            else:
                cached.clear()
            yield batch
        if room >= 0:
            self._cached = cached

    @property
    def unlearnable(self) -> str:
        return self.stream.unlearnable

    @property
    def note(self) -> str:
        return self.stream.note

    def place(self, row: int) -> str:
        return self.stream.place(row)
