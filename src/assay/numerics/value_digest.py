"""A digest of a value that another process finds again: what `value_key` compares, written down.

Functions and classes are their names and their source, so that an estimator whose class has changed is another one.
"""

from __future__ import annotations

import hashlib
import inspect
from types import CodeType, FunctionType
from typing import Protocol

from assay.numerics.value_key import Identity, value_key


def value_digest(value: object) -> str:
    """Hexadecimal digits, equal for values that are equal by `value_key`.

    Examples
    --------
    >>> value_digest([1, 2.0]) == value_digest([1, 2.0]), value_digest([1]) == value_digest([1.0])
    (True, False)
    """
    digest = hashlib.sha256()
    _feed(digest, value_key(value))
    return digest.hexdigest()


class Digest(Protocol):
    """What `hashlib` computes."""

    def update(self, data: bytes, /) -> None: ...


def _feed(digest: Digest, key: object) -> None:
    """Add a key, part by part; each part is marked by its kind, so that no two keys are written alike."""
    if isinstance(key, Identity):
        key = key.value
    if isinstance(key, tuple):
        digest.update(b"(%d" % len(key))
        for part in key:
            _feed(digest, part)
    elif isinstance(key, frozenset):
        digest.update(b"{%d" % len(key))
        for part in sorted(map(_digest_of, key)):
            digest.update(part)
    elif isinstance(key, type | FunctionType):
        digest.update(f"{key.__module__}.{key.__qualname__}:{_source(key)}".encode())
    elif isinstance(key, bytes):
        digest.update(b"b%d" % len(key) + key)
    else:
        digest.update(f"{type(key).__name__}:{key!r};".encode())


def _digest_of(key: object) -> bytes:
    digest = hashlib.sha256()
    _feed(digest, key)
    return digest.digest()


def _source(value: type | FunctionType) -> str:
    """The text of a class or a function; of a function without one, its code."""
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return _digest_of(_code(value.__code__)).hex() if isinstance(value, FunctionType) else ""


def _code(code: CodeType) -> tuple[object, ...]:
    """What the code does: its instructions, and the names and constants in them."""
    constants = (_code(part) if isinstance(part, CodeType) else part for part in code.co_consts)
    return code.co_code, code.co_names, tuple(constants)
