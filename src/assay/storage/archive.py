"""A zip of ``model.json`` and plain members, written the same bytes every time and read with suspicion.

Reading believes nothing: the directory is limited before it is parsed, every member must be listed with its length
and SHA-256, lengths are counted while reading, and totals and compression ratios have limits. Checksums show damage,
not authorship.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from assay.notes import Note
from assay.storage.damaged_file import DamagedFileError, RefusedFileError, required
from assay.storage.strict_json import parse
from assay.types import Json, JsonObject

HEADER = "model.json"
MOST_MEMBERS = 50_000  # a model of 100 classes, one against one, has 4950 parts
LONGEST_HEADER = 16 * 2**20  # bytes of model.json
DEFAULT_LIMIT = 2**30  # bytes of all members together, unpacked
LARGEST_LIMIT = 2**32 - 2**20  # beyond it a zip needs the 64-bit format, which is refused
HIGHEST_RATIO = 100  # unpacked to packed; members that would exceed it are stored as they are
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\.(json|npy|skops)")
_EPOCH = (1980, 1, 1, 0, 0, 0)
_END = struct.Struct("<4s4H2LH")  # end of the central directory, without a comment


def limit() -> int:
    """Most bytes that a model may take unpacked: ``ASSAY_MODEL_LIMIT``, by default 1 GiB."""
    text = os.environ.get("ASSAY_MODEL_LIMIT", "").strip()
    if not text:
        return DEFAULT_LIMIT
    if not text.isdigit() or len(text) > 12 or not 0 < int(text) <= LARGEST_LIMIT:
        raise ValueError(Note("F001", text=text[:40], largest=LARGEST_LIMIT))
    return int(text)


# -- writing ----------------------------------------------------------------------------------------------


def write(
    file: BinaryIO, header: JsonObject, layouts: Mapping[str, JsonObject], members: Mapping[str, bytes]
) -> None:
    """Write the archive; the header gets the list of members with layouts, lengths and checksums."""
    listed: dict[str, Json] = {
        name: {
            **layouts.get(name, {}),
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        for name, data in members.items()
    }
    text = json.dumps({**header, "members": listed}, ensure_ascii=False, allow_nan=False, indent=1)
    total = len(text.encode()) + sum(len(data) for data in members.values())
    if total > limit() or len(text.encode()) > LONGEST_HEADER or len(members) >= MOST_MEMBERS:
        raise ValueError(
            Note(
                "F002",
                size=total,
                members=len(members) + 1,
                limit=limit(),
                header_limit=LONGEST_HEADER,
                member_limit=MOST_MEMBERS,
            )
        )
    pack(file, {HEADER: text.encode(), **members})


def pack(file: BinaryIO, members: Mapping[str, bytes]) -> None:
    """Write members in the order given: the same members give the same bytes."""
    with zipfile.ZipFile(file, "w", allowZip64=False) as archive:
        for name, data in members.items():
            _write_member(archive, name, data)


def _write_member(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.create_system, info.external_attr = 3, (stat.S_IFREG | 0o644) << 16
    # What is an archive itself is packed inside; elsewhere packing has to help, and not to look like a bomb.
    packed = len(data) if name.endswith(".skops") else len(zlib.compress(data, 6))
    worthwhile = packed < 0.9 * len(data) and packed * HIGHEST_RATIO > 2 * len(data)
    info.compress_type = zipfile.ZIP_DEFLATED if worthwhile else zipfile.ZIP_STORED
    archive.writestr(info, data, compresslevel=6)


# -- reading ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Archive:
    """An open archive whose directory was found sound; members are read by name."""

    zip: zipfile.ZipFile
    sizes: Mapping[str, int]

    def header(self) -> dict[str, Json]:
        """``model.json`` as plain values; its list of members must be the members."""
        if HEADER not in self.sizes:
            raise DamagedFileError(f"there is no {HEADER} in it")
        if self.sizes[HEADER] > LONGEST_HEADER:
            raise DamagedFileError(
                f"{HEADER} takes {self.sizes[HEADER]} bytes, more than the {LONGEST_HEADER} it may"
            )
        return required(parse(self.content(HEADER), HEADER), dict, f"{HEADER} does not describe a model")

    def listed(self, members: Json) -> Mapping[str, JsonObject]:
        """The list of members by name: each is listed with its length, and everything listed is there."""
        damage = f"{HEADER} has no list of members"
        entries = {
            name: required(about, dict, damage) for name, about in required(members, dict, damage).items()
        }
        present = set(self.sizes) - {HEADER}
        for name in sorted(present - set(entries)):
            raise DamagedFileError(f"member {name!r} is not listed in {HEADER}")
        for name in sorted(set(entries) - present):
            raise DamagedFileError(f"member {name[:80]!r} is listed in {HEADER} but missing")
        for name, about in entries.items():
            if about.get("bytes") != self.sizes[name]:
                raise DamagedFileError(f"member {name!r} is not as long as {HEADER} says")
        return entries

    def read(self, name: str, about: JsonObject) -> bytes:
        """A member whose checksum agrees with the list."""
        data = self.content(name)
        if hashlib.sha256(data).hexdigest() != about.get("sha256"):
            raise DamagedFileError(f"the checksum of member {name!r} is wrong")
        return data

    def content(self, name: str) -> bytes:
        """A member, as long as the directory says."""
        size = self.sizes[name]
        with self.zip.open(name) as file:
            data = file.read(size + 1)  # one more than said: a member that goes on is found out
            if len(data) != size or file.read(1):
                raise DamagedFileError(f"member {name!r} is not as long as the directory says")
        return data


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[Archive]:
    """Open a model file, with its directory checked; errors of the zip format become `DamagedFileError`."""
    place = Path(path)
    if not stat.S_ISREG(os.stat(place).st_mode):
        raise RefusedFileError(Note("F003"))
    with open(place, "rb") as file, _zip_errors():
        yield examine(file)


def unpack(data: bytes, names: re.Pattern[str], most: int) -> dict[str, bytes]:
    """The members of a zip inside a member, under the same limits."""
    with _zip_errors():
        inner = examine(io.BytesIO(data), names, most)
        return {name: inner.content(name) for name in inner.sizes}


def examine(file: BinaryIO, names: re.Pattern[str] = _NAME, most: int = MOST_MEMBERS) -> Archive:
    """Check a zip's directory before anything in it is read."""
    _check_end(file, most)
    archive = zipfile.ZipFile(file)
    sizes: dict[str, int] = {}
    for info in archive.infolist():
        _check_member(info, names)
        if info.filename in sizes:
            raise DamagedFileError(f"member {info.filename!r} is there twice")
        sizes[info.filename] = info.file_size
    total, allowed = sum(sizes.values()), limit()
    if total > allowed:
        raise RefusedFileError(Note("F004", size=total, limit=allowed))
    return Archive(archive, sizes)


def _check_end(file: BinaryIO, most: int) -> None:
    """The last bytes of the file say how long the directory is: checked before the directory is parsed."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    start = file.read(4)
    if start[:2] == b"\x80\x04" or start[:2] == b"\x80\x05":
        raise RefusedFileError(Note("F005"))
    if start != b"PK\x03\x04":
        raise RefusedFileError(Note("F006"))
    if size < _END.size + 20:
        raise DamagedFileError("it ends too early")
    file.seek(size - _END.size - 20)
    tail = file.read()
    signature, numbers, length, offset, comment = _end_fields(tail[20:])
    if signature != b"PK\x05\x06" or comment or tail[:4] == b"PK\x06\x07":
        raise DamagedFileError("it does not end as a model file does")
    if numbers[0] or numbers[1] or numbers[2] != numbers[3] or offset + length != size - _END.size:
        raise DamagedFileError("its directory of members is not where it should be")
    if numbers[3] > most or length > 256 * most:
        raise DamagedFileError(f"it has {numbers[3]} members, more than the {most} it may have")


def _end_fields(data: bytes) -> tuple[bytes, tuple[int, ...], int, int, int]:
    signature, *numbers, length, offset, comment = _END.unpack(data)
    return signature, tuple(numbers), length, offset, comment


def _check_member(info: zipfile.ZipInfo, names: re.Pattern[str]) -> None:
    shown = repr(info.filename[:80])
    kind = stat.S_IFMT(info.external_attr >> 16)
    path_like = "/" in info.filename or "\\" in info.filename or info.orig_filename != info.filename
    if path_like or not names.fullmatch(info.filename) or info.is_dir():
        raise DamagedFileError(f"member {shown} has a name that no member of a model file has")
    if kind not in (0, stat.S_IFREG):
        raise DamagedFileError(f"member {shown} is a link or a device")
    if info.flag_bits & ~0x800 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise DamagedFileError(f"member {shown} is packed in a way that model files do not use")
    if info.file_size > HIGHEST_RATIO * info.compress_size:
        raise DamagedFileError(
            f"member {shown} would unpack to {info.file_size} bytes from {info.compress_size}"
        )


@contextmanager
def _zip_errors() -> Iterator[None]:
    """What Python's zip reader raises on damaged files, as `DamagedFileError`."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError):
        raise DamagedFileError("its zip archive cannot be unpacked") from None
    except (OverflowError, UnicodeDecodeError):
        raise DamagedFileError("its directory of members cannot be read") from None
