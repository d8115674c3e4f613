"""Database addresses: checked before anyone connects, and shown without their passwords.

postgresql://ann:secret@db.example.org:5432/shop    shown as postgresql://ann@db.example.org:5432/shop
sqlite:///shop.db                                   a file of the working folder
sqlite:////data/shop.db                             a file anywhere
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Literal, TypeGuard
from urllib.parse import quote, unquote

from assay.notes import Note

_HOST = r"(?:\[[0-9A-Za-z:.%]*\]|[^:/?@,\[\]]*)(?::\d*)?"
_POSTGRESQL = re.compile(
    r"postgresql://"
    r"(?:(?P<user>[^:@/]*)(?::(?P<password>[^@/]*))?@)?"
    rf"(?P<hosts>{_HOST}(?:,{_HOST})*)"
    r"(?P<database>/[^?@]*)?"
    r"(?:\?(?P<options>[^@]*))?"
)
_SECRET_OPTION = re.compile(r"(?:^|&)(?:ssl)?password=([^&]*)")
# libpq waits for ever by default; a wrong address should be an answer, not a riddle.
CONNECT_SECONDS = 15
SQLITE_HEADER = b"SQLite format 3\0"


@dataclass(frozen=True)
class Address:
    """Where a database is.

    Attributes
    ----------
    kind : "postgresql" or "sqlite"
    shown : str
        The address for messages: no password, no options.
    uri : str
        What the driver is given; it may hold a password, so it is never shown.
    """

    kind: Literal["postgresql", "sqlite"]
    shown: str
    uri: str = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def clean(self, message: str) -> str:
        """A driver's message without passwords, whether it quotes one or the whole address."""
        message = message.replace(self.uri, self.shown)  # a driver quotes what it cannot parse or open
        for secret in self.secrets:
            message = message.replace(secret, "***")
        return message


def parse_address(text: str) -> Address:
    """An address as the user writes it; what is wrong with it is said without repeating it."""
    scheme, _, rest = text.strip().partition("://")
    if scheme.lower() in ("postgresql", "postgres"):
        return _postgresql(f"postgresql://{rest}")
    if scheme.lower() == "sqlite":
        return _sqlite(f"sqlite://{rest}")
    raise ValueError(Note("D020", scheme=scheme))


def without_password(source: str) -> str:
    """A source as it may be shown, logged and stored: an address without its passwords, any other text as it is."""
    if not re.match(r"\w[\w+.-]*://", source):
        return source
    bare = re.sub(r"^([^:]+://[^:/@]*):.*@", r"\1@", source, flags=re.DOTALL)
    return re.sub(r"(?<=[?&])(?:ssl)?password=[^&]*&?", "", bare).rstrip("?&")


def _postgresql(text: str) -> Address:
    match = _POSTGRESQL.fullmatch(text)
    # libpq would quote the part that it cannot read, and that part may be the password.
    if not match or re.search(r"%(?![0-9A-Fa-f]{2})|%00", text):
        raise ValueError(Note("D021"))
    user, password, options = match["user"], match["password"], match["options"] or ""
    shown = f"postgresql://{user + '@' if user else ''}{match['hosts']}{match['database'] or ''}"
    raw = [password or "", *_SECRET_OPTION.findall(options)]
    secrets = {form for secret in raw if secret for form in (secret, unquote(secret))}
    uri = text
    if "connect_timeout=" not in options and "PGCONNECT_TIMEOUT" not in os.environ:
        separator = "&" if options else "" if text.endswith("?") else "?"
        uri = f"{text}{separator}connect_timeout={CONNECT_SECONDS}"
    return Address("postgresql", shown, uri, tuple(sorted(secrets, key=len, reverse=True)))


def _sqlite(text: str) -> Address:
    after = text.removeprefix("sqlite://")
    if not after.startswith("/") or after == "/":
        raise ValueError(Note("D022", text=text))
    path = Path(after[1:])
    # Many write sqlite:///data/shop.db and mean /data/shop.db.
    if not path.exists() and Path(after).exists():
        path = Path(after)
    if path.is_dir():
        raise IsADirectoryError(Note("D023", path=path))
    if not path.is_file():
        raise FileNotFoundError(Note("D024", path=str(path), cwd=Path.cwd()))
    if not _is_sqlite(path):
        raise ValueError(Note("D013", shown=f"sqlite:///{path.as_posix()}"))
    # Read-only: a mistyped name creates no file, and no statement changes one.
    location = quote(path.resolve().as_posix())
    return Address("sqlite", f"sqlite:///{path.as_posix()}", f"file:{location}?mode=ro")


def _is_sqlite(path: Path) -> bool:
    """Whether a file begins as SQLite's do; an empty file is a database without tables."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE_HEADER)) in (b"", SQLITE_HEADER)
    except OSError:
        return True  # the driver says why it cannot be read


def is_address(source: object) -> TypeGuard[str | PathLike[str]]:
    """Whether a source is a path or the address of a database, and not an object that holds the rows."""
    return isinstance(source, str | PathLike)


def source_name(source: object) -> str:
    """What results call a source: its address without passwords, or the kind of thing it is.

    Examples
    --------
    >>> source_name("postgresql://me:secret@host/shop"), source_name({"x": [1]})
    ('postgresql://me@host/shop', 'a dict')
    """
    return without_password(fspath(source)) if is_address(source) else f"a {type(source).__name__}"
