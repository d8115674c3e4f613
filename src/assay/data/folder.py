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

from assay.data.stream import BATCH_ROWS

if TYPE_CHECKING:
    import pyarrow as pa

TEXT, CLASS = "text", "class"
LAYOUT = "a folder of texts holds one folder a class, named after the class, with the texts inside"
# A batch ends after this many characters even if rows are left, so that books need no more memory than notes.
BATCH_CHARACTERS = 1 << 24


class FolderStream:
    """The texts below the class folders of `path`, one a row; classes and files in the order of their names.

    Any extension is read, folders inside a class folder too; hidden files and folders are not, nor are files beside
    the class folders. A text is UTF-8, or else Latin-1, which every sequence of bytes is.

    Parameters
    ----------
    path : str or path
        The folder that holds the class folders; there are at least two, and each has a file.
    """

    names = (TEXT, CLASS)
    target = CLASS

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.classes = _class_folders(self.path)
        for folder in self.classes:
            if next(_files(folder), None) is None:
                raise ValueError(f"The class folder {folder} has no texts; put files into it or remove it.")

    @property
    def name(self) -> str:
        return self.path.name or self.path.resolve().name or str(self.path)

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[pa.RecordBatch]:
        """Texts and their classes, at most `rows` at a time, and fewer where texts are long."""
        texts: list[str] = []
        labels: list[str] = []
        characters = 0
        for folder, file in self._rows():
            texts.append(_read(file))
            labels.append(folder.name)
            characters += len(texts[-1])
            if len(texts) >= rows or characters >= BATCH_CHARACTERS:
                yield _batch(texts, labels)
                texts, labels, characters = [], [], 0
        if texts:
            yield _batch(texts, labels)

    def place(self, row: int) -> str:
        """The file that row number `row`, counted from 0, was read from."""
        _, file = next(islice(self._rows(), row, None))
        return f"file {file.relative_to(self.path)}"

    def _rows(self) -> Iterator[tuple[Path, Path]]:
        return ((folder, file) for folder in self.classes for file in _files(folder))


def _class_folders(path: Path) -> list[Path]:
    if not path.exists():
        raise FileNotFoundError(f"There is no folder {path}.")
    if not path.is_dir():
        raise NotADirectoryError(f"{path} is a file, not a folder of texts: {LAYOUT}.")
    folders = [entry for entry in _entries(path) if entry.is_dir()]
    if not folders:
        raise ValueError(f"The folder {path} has no sub-folders: {LAYOUT}.")
    if len(folders) == 1:
        raise ValueError(
            f"The folder {path} has a single sub-folder, {folders[0].name!r}; two classes are needed."
        )
    for folder in folders:
        if any("\ud800" <= letter <= "\udfff" for letter in folder.name):
            raise ValueError(f"The name of the class folder {str(folder)!r} is not UTF-8; rename it.")
    return folders


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder, depth first in the order of names; links to folders are not followed."""
    for entry in _entries(folder):
        if entry.is_file():
            yield entry
        elif not entry.is_dir():
            raise OSError(
                f"{entry} cannot be read: it is neither a file nor a folder, or a link that leads nowhere."
            )
        elif not entry.is_symlink():
            yield from _files(entry)


def _entries(folder: Path) -> list[Path]:
    """What a folder holds but for hidden things, by code points of names: the same order on every machine."""
    try:
        return sorted(
            (entry for entry in folder.iterdir() if not entry.name.startswith(".")), key=lambda e: e.name
        )
    except OSError as error:
        raise _unreadable("folder", folder, error) from error


def _read(file: Path) -> str:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise _unreadable("file", file, error) from error
    if b"\0" in content:
        raise ValueError(
            f"{file} is not a text: byte {content.index(0) + 1} is NUL; remove it or save it as UTF-8."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _unreadable(kind: str, path: Path, error: OSError) -> OSError:
    return OSError(f"The {kind} {path} cannot be read: {error.strerror or error}; check its permissions.")


def _batch(texts: list[str], labels: list[str]) -> pa.RecordBatch:
    import pyarrow as pa

    columns = [pa.array(texts, pa.large_string()), pa.array(labels, pa.string())]
    return pa.RecordBatch.from_arrays(columns, [TEXT, CLASS])
