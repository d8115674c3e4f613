"""The bytes of a file, decompressed, and what can be wrong with them."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from assay.notes import Note

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
CHUNK = 2**20


@dataclass(frozen=True)
class File:
    """A file on disk: where it is, what messages call it, how it is compressed."""

    path: Path
    compression: str | None = None

    @property
    def name(self) -> str:
        return self.path.name

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The decompressed bytes as a readable stream; damage is an error that names the file."""
        import pyarrow as pa

        try:
            with pa.input_stream(str(self.path), compression=self.compression) as stream:
                yield stream
        except PermissionError:
            raise PermissionError(Note("D002", file=self.name)) from None
        except (OSError, pa.ArrowException) as error:
            if isinstance(error, FileNotFoundError) or self.compression is None:
                raise OSError(Note("D005", file=self.name)) from None
            raise ValueError(Note("D003", file=self.name)) from None

    def head(self, size: int = CHUNK) -> bytes:
        """The first bytes."""
        with self.open() as stream:
            parts = []
            while size > 0 and (part := stream.read(size)):
                parts.append(part)
                size -= len(part)
        return b"".join(parts)

    def check_text(self) -> None:
        """Read all of it: raises if it is not UTF-8 text."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        offset = 0
        with self.open() as stream:
            while True:
                part = stream.read(CHUNK)
                self.check_part(decoder, part, offset, final=not part)
                if not part:
                    return
                offset += len(part)

    def check_part(self, decoder: codecs.IncrementalDecoder, part: bytes, offset: int, final: bool) -> str:
        """The text of the bytes at `offset`, or the error that says where they are none."""
        pending = len(decoder.getstate()[0])
        if b"\x00" in part:
            at = offset + part.index(b"\x00")
            raise ValueError(Note("D001", file=self.name, byte=at))
        try:
            return decoder.decode(part, final)
        except UnicodeDecodeError as error:
            at = offset - pending + error.start
            raise ValueError(
                Note(
                    "D004",
                    file=self.name,
                    byte=at,
                    value=error.object[error.start],
                    encoding=self._guess_encoding(),
                )
            ) from None

    def _guess_encoding(self) -> str:
        sample = self.head(2**16)
        if any(0x80 <= byte < 0xA0 for byte in sample):
            return "Windows-1252"
        return "Latin-1"

    @contextmanager
    def text(self) -> Iterator[io.TextIOWrapper]:
        """The decoded text, its line ends as they are."""
        with self.open() as stream:
            yield io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
