"""Model files with a header or an array changed, and the sentence that refuses them."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assay
from tests.storage.stored import MAKERS, rezip, saved, unzip

Header = dict[str, Any]


def refusal(data: bytes, folder: Path) -> str:
    """The sentence with which a file is refused."""
    path = folder / "bad.assay"
    path.write_bytes(data)
    with pytest.raises(ValueError) as caught:
        assay.load(path)
    message = str(caught.value)
    assert message.startswith(f"{str(path)!r} cannot be loaded: ") and message.endswith(".")
    assert "\n" not in message and type(caught.value) is ValueError
    return message


def npy(array: Any, **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def set_in(*path: Any) -> Callable[[Header], None]:
    """An edit of the header: the last of the path is put where the others lead."""

    def change(header: Header) -> None:
        target: Any = header
        for key in path[:-2]:
            target = target[key]
        target[path[-2]] = path[-1]

    return change


PART = ("model", "part")
STATE = (*PART, "state")
Change = Callable[[Header, dict[str, bytes]], None]


def header(*path: Any) -> Change:
    edit = set_in(*path)
    return lambda found, _: edit(found)


def array(where: str, change: Callable[[Any], Any]) -> Change:
    """An edit of an array of the state; the path to it is written with dots."""

    def edit(found: Header, members: dict[str, bytes]) -> None:
        place: Any = found["model"]["part"]["state"]
        for key in where.split("."):
            place = place[int(key) if key.isdigit() else key]
        name = place["array"]
        value = change(np.load(io.BytesIO(members[name])))
        members[name] = npy(value)
        found["members"][name].update(dtype=value.dtype.str, shape=list(value.shape))

    return edit


def damaged(name: str, change: Change, folder: Path) -> str:
    found, members = unzip(saved(MAKERS[name](), folder))
    change(found, members)
    return refusal(rezip(found, members), folder)
