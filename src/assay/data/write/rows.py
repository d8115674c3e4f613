"""Rows of results, block by block, as CSV, JSON lines or Parquet: memory holds a block, whatever the length."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePath
from typing import BinaryIO

from assay.notes import Note

Block = Mapping[str, Sequence[object]]  # plain Python values by column, columns of one length
_ENDINGS = {
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}


def format_of(path: str | None, asked: str | None) -> str:
    """The format to write: the one asked for, else what the file's name ends in, else CSV.

    Examples
    --------
    >>> format_of("out.jsonl", None), format_of(None, None)
    ('jsonl', 'csv')
    """
    if asked is not None and asked.lower() not in _WRITERS:
        raise ValueError(Note("D087", asked=asked))
    chosen = asked.lower() if asked else _ENDINGS.get(PurePath(path or "").suffix.lower(), "csv")
    if chosen == "parquet" and path is None:
        raise ValueError(Note("D088"))
    return chosen


def write_rows(file: BinaryIO, blocks: Iterable[Block], form: str) -> int:
    """Write all blocks, which have the same columns; returns the number of rows."""
    return _WRITERS[form](file, blocks)


def _csv(file: BinaryIO, blocks: Iterable[Block]) -> int:
    """Numbers in the fewest digits that give them back; UTF-8 whatever the locale."""
    count = 0
    for first, block in _numbered(blocks):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        if first:
            writer.writerow(block)
        writer.writerows(zip(*block.values(), strict=True))
        file.write(text.getvalue().encode("utf-8"))
        count += _length(block)
    return count


def _jsonl(file: BinaryIO, blocks: Iterable[Block]) -> int:
    count = 0
    for block in blocks:
        rows = zip(*block.values(), strict=True)
        lines = [json.dumps(dict(zip(block, row, strict=True)), ensure_ascii=False) + "\n" for row in rows]
        file.write("".join(lines).encode("utf-8"))
        count += len(lines)
    return count


def _parquet(file: BinaryIO, blocks: Iterable[Block]) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    coming = iter(blocks)
    start = next(coming, {})
    head = pa.table({name: list(values) for name, values in start.items()})
    count = 0
    with pq.ParquetWriter(file, head.schema) as writer:
        for block in chain([start], coming):
            columns = {name: list(values) for name, values in block.items()}
            writer.write_table(pa.table(columns, schema=head.schema))
            count += _length(block)
    return count


def _numbered(blocks: Iterable[Block]) -> Iterator[tuple[bool, Block]]:
    return ((i == 0, block) for i, block in enumerate(blocks))


def _length(block: Block) -> int:
    return len(next(iter(block.values()), ()))


_WRITERS: dict[str, Callable[[BinaryIO, Iterable[Block]], int]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "parquet": _parquet,
}


def deliver(blocks: Iterable[Block], out: str | None, form: str) -> int:
    """Write the blocks; returns the number of rows."""
    from assay.data.write.atomic import write_atomic
    from assay.data.write.rows import write_rows

    if out is None:
        sys.stdout.flush()
        written = write_rows(sys.stdout.buffer, blocks, form)
        sys.stdout.buffer.flush()
        return written
    counts: list[int] = []
    write_atomic(out, lambda file: counts.append(write_rows(file, blocks, form)))
    return counts[0]
