"""A folder of class-named folders of texts, read as a table of two columns: `text` and `class`.

reviews/
  praise/  one.txt  two.txt  more/three.txt
  blame/   four.txt
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from assay.data.sources.stream import BATCH_ROWS, Stream
from assay.notes import Note

if TYPE_CHECKING:
    import pyarrow as pa

TEXT, CLASS = "text", "class"
# A batch ends after this many characters even if rows are left, so that books need no more memory than notes.
BATCH_CHARACTERS = 1 << 24


class FolderStream(Stream):
    """The texts below the class folders of `path`, one a row; classes and files in the order of their names.

    Every extension is read, folders inside a class folder too; hidden files and folders are not, nor are files beside
    the class folders. A text is UTF-8, or else Latin-1, which every sequence of bytes is. A file that is no text or
    cannot be read is skipped, and counted in `note`. A folder without class folders holds texts to be predicted: it
    has no column `class`, and nothing can be learned from it (`unlearnable` says so).

    Parameters
    ----------
    path : str or path
        The folder that holds the class folders; to learn from there are at least two, and each has a text.
    """

    texts = (TEXT,)
    texts_reason = Note("D220")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.name = self.path.name or self.path.resolve().name or str(self.path)
        self.classes = _class_folders(self.path)
        self.labelled = bool(self.classes)
        self.names = (TEXT, CLASS) if self.labelled else (TEXT,)
        self.target = CLASS if self.labelled else None
        self.skipped: dict[Path, Note] = {}  # what the last pass could not read, and why
        for folder in self.classes:
            if next(_files(folder), None) is None:
                raise ValueError(Note("D054", folder=str(folder)))

    @property
    def unlearnable(self) -> str:
        """Why nothing can be learned from the folder; nothing if that can be tried."""
        if not self.labelled:
            return Note("D227", folder=str(self.path))
        if len(self.classes) == 1:
            return Note("D228", folder=str(self.path), subfolder=self.classes[0].name)
        return ""

    @property
    def note(self) -> str:
        """How many files the last pass skipped, and the first of them; nothing if there are none."""
        if not self.skipped:
            return ""
        file, reason = next(iter(self.skipped.items()))
        values = {"source": self.name, "file": str(file.relative_to(self.path)), "reason": reason}
        if len(self.skipped) == 1:
            return Note("D225", values=values)
        return Note("D226", values=values, skipped=len(self.skipped))

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Texts and their classes, at most `rows` at a time, and fewer where texts are long."""
        texts: list[str] = []
        labels: list[str] = []
        characters = 0
        self.skipped = {}
        for folder, text in self._texts():
            texts.append(text)
            labels.append(folder.name)
            characters += len(text)
            if len(texts) >= rows or characters >= BATCH_CHARACTERS:
                yield self._batch(texts, labels)
                texts, labels, characters = [], [], 0
        if texts:
            yield self._batch(texts, labels)

    def _texts(self) -> Iterator[tuple[Path, str]]:
        """Every text that can be read, with its folder; the others are noted."""
        for folder in self.classes or [self.path]:
            n_texts = 0
            for file in _files(folder):
                try:
                    text = _read(file)
                except _NoTextError as error:
                    self.skipped[file] = error.args[0]
                    continue
                n_texts += 1
                yield folder, text
            if not n_texts and self.skipped:
                file, reason = next(item for item in self.skipped.items() if folder in item[0].parents)
                raise ValueError(Note("D055", folder=str(folder), file=file.name, reason=reason))

    def place(self, row: int) -> str:
        """The file that row number `row`, counted from 0, was read from."""
        files = (file for folder in self.classes or [self.path] for file in _files(folder))
        file = next(islice((file for file in files if file not in self.skipped), row, None))
        return f"file {file.relative_to(self.path)}"

    def _batch(self, texts: list[str], labels: list[str]) -> pa.RecordBatch:
        import pyarrow as pa

        columns = [pa.array(texts, pa.large_string()), pa.array(labels, pa.string())]
        return pa.RecordBatch.from_arrays(columns[: len(self.names)], list(self.names))


class _NoTextError(Exception):
    """Why a file is no text, as the end of a sentence that begins with its name."""


def _class_folders(path: Path) -> list[Path]:
    if not path.exists():
        raise FileNotFoundError(Note("D046", path=str(path)))
    if not path.is_dir():
        raise NotADirectoryError(Note("D047", path=str(path)))
    entries = _entries(path)
    folders = [entry for entry in entries if entry.is_dir()]
    if not entries:
        raise ValueError(Note("D048", path=str(path)))
    for folder in folders:
        if any("\ud800" <= letter <= "\udfff" for letter in folder.name):
            raise ValueError(Note("D051", folder=str(folder)))
    return folders


def _files(folder: Path) -> Iterator[Path]:
    """What is below a folder, depth first in the order of names; links to folders are not followed."""
    for entry in _entries(folder):
        if not entry.is_dir():
            yield entry
        elif not entry.is_symlink():
            yield from _files(entry)


def _entries(folder: Path) -> list[Path]:
    """What a folder holds but for hidden things, by code points of names: the same order on every machine."""
    try:
        return sorted(
            (entry for entry in folder.iterdir() if not entry.name.startswith(".")), key=lambda e: e.name
        )
    except OSError as error:
        raise OSError(Note("D052", folder=str(folder), reason=error.strerror or str(error))) from error


def _read(file: Path) -> str:
    if not file.is_file():
        raise _NoTextError(Note("D049"))
    try:
        content = file.read_bytes()
    except OSError as error:
        raise _NoTextError(Note("D053", reason=error.strerror or str(error))) from None
    if b"\0" in content:
        raise _NoTextError(Note("D050", byte=content.index(0) + 1))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
