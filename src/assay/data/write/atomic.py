"""Files are written whole or not at all: beside their place first, then moved into it.

A reader, a second run or a power cut therefore finds the old file or the new one, never a part of one. A folder that
cannot be written to or a full disk gives one sentence and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from assay.notes import Note

SPARE = ".assay-{}.part"  # a file that is not complete yet
_CODES = {
    errno.ENOSPC: "F710",
    errno.EDQUOT: "F711",
    errno.EFBIG: "F712",
    errno.EACCES: "F713",
    errno.EPERM: "F713",
    errno.EROFS: "F714",
    errno.ENAMETOOLONG: "F715",
    errno.EIO: "F716",
    errno.EISDIR: "F717",
}


def write_atomic(path: str | os.PathLike[str], writer: Callable[[BinaryIO], object]) -> Path:
    """Let `writer` fill a file; it takes the place of `path` only when it is complete and on the disk.

    What the writer raises passes through, apart from errors of the file system, which become one sentence. A pipe
    or a device (``/dev/stdout``) is written to as it is.
    """
    target = Path(path)
    with _in_words(target):
        place = _place(target)
        if place.exists() and not place.is_file():
            _write_special(place, writer)
            return target
        spare = _create_beside(place)
        try:
            with spare[1] as file:
                writer(file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(spare[0], place)
        except BaseException:  # Ctrl-C as well: nothing half-written stays
            with contextlib.suppress(OSError):
                os.unlink(spare[0])
            raise
        _settle(place.parent)
    return target


def write_bytes(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write a whole file of bytes, atomically."""
    return write_atomic(path, lambda file: file.write(data))


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a whole file of UTF-8 text, atomically; line ends are kept as they are."""
    return write_bytes(path, text.encode("utf-8"))


def check_writable(path: str | os.PathLike[str]) -> Path:
    """The path, if a file can be written there; otherwise the sentence that writing would end with.

    For the beginning of long work. It tries: permissions alone do not tell of read-only disks or of root.
    """
    target = Path(path)
    with _in_words(target):
        place = _place(target)
        if not place.exists() or place.is_file():
            spare, file = _create_beside(place)
            file.close()
            os.unlink(spare)
    return target


def clear_spares(*folders: Path) -> None:
    """Remove what a process that was killed in the middle of writing left beside its files."""
    for folder in folders:
        for spare in folder.glob(SPARE.format("*")):
            with contextlib.suppress(OSError):
                spare.unlink()


def _place(target: Path) -> Path:
    """Where the file will lie: links are followed, so that a linked file is replaced and not its link."""
    place = Path(os.path.realpath(target))
    if place.is_dir():
        raise IsADirectoryError(errno.EISDIR, "", str(target))
    if not place.parent.exists():
        raise FileNotFoundError(errno.ENOENT, "", str(target))
    if not place.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "", str(target))
    return place


def _create_beside(place: Path) -> tuple[str, BinaryIO]:
    """A new empty file in the same folder, with the permissions of the file it will replace."""
    # A name of its own length: a long name of the target must not make this one too long.
    spare = str(place.parent / SPARE.format(secrets.token_hex(8)))
    handle = os.open(spare, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        if place.exists():
            with contextlib.suppress(OSError, AttributeError):
                os.fchmod(handle, stat.S_IMODE(place.stat().st_mode))
        elif len(os.fsencode(place.name)) > 255:
            raise OSError(errno.ENAMETOOLONG, "", str(place))
        return spare, os.fdopen(handle, "w+b")
    except BaseException:
        os.close(handle)
        os.unlink(spare)
        raise


def _write_special(place: Path, writer: Callable[[BinaryIO], object]) -> None:
    """Into a pipe or a device, which cannot be replaced and in which one cannot go back."""
    buffer = io.BytesIO()
    writer(buffer)
    with open(place, "wb") as file:
        file.write(buffer.getbuffer())


def _settle(folder: Path) -> None:
    """Put the folder's entry on the disk too; not every system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _in_words(target: Path) -> Iterator[None]:
    """Errors of the file system as one sentence, of the same class and with the same errno."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # in words already
            raise
        worded = type(error)(_note(error, target))
        worded.errno = error.errno
        raise worded from None


def _note(error: OSError, target: Path) -> Note:
    """Why a file cannot be written, and what to do."""
    number, folder = error.errno or 0, str(target.parent)
    if number == errno.ENOENT and not target.parent.exists():
        return Note("F718", str(target), folder=folder)
    if number == errno.ENOTDIR:
        return Note("F719", str(target), folder=folder)
    if number in _CODES:
        return Note(_CODES[number], str(target))
    return Note("F307", str(target), reason=os.strerror(number).lower())
