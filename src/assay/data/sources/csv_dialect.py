"""How a delimited file is written: its delimiter, its quotes, its header."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from assay.data.sources.compressed import CHUNK, File
from assay.notes import Note

if TYPE_CHECKING:
    from _csv import Reader

DELIMITERS = (",", "\t", ";", "|")
SAMPLE_RECORDS = 200


@dataclass(frozen=True)
class CsvDialect:
    """What a reader has to know: the delimiter, whether quotes mean anything, blank lines on top, the header."""

    delimiter: str
    quoted: bool
    skip: int
    header: tuple[str, ...]

    def records(self, text: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
        """Line and fields of every record after the header; a quote in the wrong place is `csv.Error`."""
        for _ in range(self.skip):
            next(text, None)
        reader = _reader(text, self.delimiter, self.quoted)
        next(reader, None)
        line = self.skip + reader.line_num + 1
        for fields in reader:
            if fields or len(self.header) == 1:
                yield line, fields or [""]
            line = self.skip + reader.line_num + 1


def _reader(text: Iterable[str], delimiter: str, quoted: bool) -> Reader:
    """Python's reader of delimited text; blanks before a quote do not hide it."""
    blanks = delimiter != "\t"
    if quoted:
        return csv.reader(text, delimiter=delimiter, strict=True, skipinitialspace=blanks)
    return csv.reader(text, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True, skipinitialspace=blanks)


def find_dialect(file: File, tabs: bool) -> CsvDialect:
    """The dialect of a file from its first megabyte; `tabs` if its name says that tabs delimit."""
    text = _first_text(file)
    lines = text.splitlines(keepends=True)
    skip = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if skip == len(lines):
        raise ValueError(Note("D007", file=file.name))
    text = "".join(lines[skip:])
    candidates = [
        (_score(text, delimiter, quoted), delimiter, quoted) for delimiter, quoted in _choices(tabs)
    ]
    (_, _, header), delimiter, quoted = max(candidates, key=lambda candidate: candidate[0][:2])
    return CsvDialect(delimiter, quoted, skip, tuple(name.strip() for name in header))


def _choices(tabs: bool) -> list[tuple[str, bool]]:
    """In order of preference; only files with tabs are often written without any meaning of quotes."""
    if tabs:
        return [("\t", True), ("\t", False)]
    return [*((delimiter, True) for delimiter in DELIMITERS), ("\t", False)]


def _first_text(file: File) -> str:
    head = file.head()
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError(Note("D008", file=file.name))
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    text = file.check_part(decoder, head, 0, final=False)
    if len(head) < CHUNK:
        return text
    # The last line may have been cut; a quoted value that was cut is left to the reader.
    return text[: max(text.rfind("\n"), text.rfind("\r")) + 1] or text


def _score(text: str, delimiter: str, quoted: bool) -> tuple[float, int, list[str]]:
    """Share of the records that have as many fields as the header, number of fields, header."""
    reader = _reader(io.StringIO(text, newline=""), delimiter, quoted)
    header: list[str] = []
    agree = records = 0
    try:
        header = next(reader)
        # Only tabs leave it open whether quotes mean anything, and the first quote may come late.
        for record in reader if delimiter == "\t" else islice(reader, SAMPLE_RECORDS):
            if record or len(header) == 1:
                records += 1
                agree += len(record or [""]) == len(header)
    except csv.Error:
        # A quote that never ends swallows all lines: worse than any other reading of the file.
        records += 1
    # A delimiter that splits the header goes before any that does not: the table has one column only at need.
    return (len(header) > 1) + agree / max(1, records), len(header), header
