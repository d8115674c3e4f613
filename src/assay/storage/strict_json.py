"""JSON from strangers: no NaN, no infinity, no huge integers, no repeated keys, no bottomless nesting."""

from __future__ import annotations

import json
from math import isfinite
from typing import NoReturn

from assay.storage.damaged_file import DamagedFileError
from assay.types import Json

DEEPEST = 40
LEAST, MOST = -(2**63), 2**64 - 1


def parse(data: bytes, name: str, deepest: int = DEEPEST) -> Json:
    """The values of a JSON text in UTF-8."""
    try:
        value: Json = json.loads(
            data.decode("utf-8"),
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_number,
            object_pairs_hook=_object,
        )
        check_plain(value, deepest)
    except DamagedFileError as error:
        raise DamagedFileError(f"{name} {error}") from None
    except RecursionError:
        raise DamagedFileError(f"{name} is nested more than {deepest} deep") from None
    except ValueError:
        raise DamagedFileError(f"{name} is not valid JSON") from None
    return value


def check_plain(value: object, deepest: int = DEEPEST) -> None:
    """Raise unless the value is made of plain JSON values that can be written and read back."""
    if deepest < 0:
        raise DamagedFileError("is nested too deep")
    if isinstance(value, dict):
        for key, part in value.items():
            check_plain(key, deepest - 1)
            check_plain(part, deepest - 1)
    elif isinstance(value, list):
        for part in value:
            check_plain(part, deepest - 1)
    elif isinstance(value, str):
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise DamagedFileError("holds text that is not Unicode")
    elif isinstance(value, int) and not LEAST <= value <= MOST:
        raise DamagedFileError("holds an integer of more than 64 bits")


def _refuse_constant(text: str) -> NoReturn:
    raise DamagedFileError(f"holds {text}, which is not a number")


def _integer(text: str) -> int:
    if len(text) > 20 or not LEAST <= int(text) <= MOST:
        raise DamagedFileError("holds an integer of more than 64 bits")
    return int(text)


def _number(text: str) -> float:
    if len(text) > 400 or not isfinite(float(text)):
        raise DamagedFileError("holds a number beyond double precision")
    return float(text)


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise DamagedFileError("names something twice")
    return members
