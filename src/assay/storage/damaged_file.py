"""Errors of files that were handed to us: clauses, which whoever reads or writes the file completes."""

from __future__ import annotations

from typing import TypeVar, overload

from assay.types import Json

Kind = TypeVar("Kind")


class DamagedFileError(ValueError):
    """A file that is not what was written: damaged on its way, or changed."""


class RefusedFileError(ValueError):
    """A file that could be loaded elsewhere, or is of another kind. It carries a note that has yet to name the file."""


@overload
def required(value: object, kind: type[dict[str, Json]], damage: str) -> dict[str, Json]: ...
@overload
def required(value: object, kind: type[list[Json]], damage: str) -> list[Json]: ...
@overload
def required(value: object, kind: type[Kind], damage: str) -> Kind: ...
def required(value: object, kind: type[Kind], damage: str) -> Kind:
    """A value of a file that has to be of this kind."""
    if not isinstance(value, kind):
        raise DamagedFileError(damage)
    return value
