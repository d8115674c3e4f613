"""What the running Python knows of characters, as the counting kernel reads it: pages of 256 code points.

For every code point: what it becomes (itself, `str.lower`, `str.casefold`: one to three code points) and whether each
of those is part of a word (`str.isalnum` or an underscore) or white space (`str.isspace`). Pages are filled when a text
first needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from assay import _core

# The bits of an entry, as core/text/count.hpp has them.
WORD, SPACE, CASED, IGNORABLE, MORE = 1 << 21, 1 << 22, 1 << 23, 1 << 24, 25
SURROGATES = range(0xD8, 0xE0)  # pages; text has none of them
CHANGES: dict[object, Callable[[str], str]] = {False: str, True: str.lower, "fold": str.casefold}

_known: dict[object, _core.text.Characters] = {}
_lock = Lock()


def characters_for(lowercase: object, pages: list[int]) -> _core.text.Characters:
    """The characters of these pages under one change of case."""
    with _lock:
        characters = _known.setdefault(lowercase, _core.text.Characters(lowercase is True))
        for page in pages:
            if not characters.has(page):
                characters.fill(page, page_entries(page, lowercase))
    return characters


def page_entries(page: int, lowercase: object) -> NDArray[np.uint32]:
    """Three entries for each code point of a page; the first says how many of them count, and its case."""
    change = CHANGES[lowercase]
    entries = np.zeros((256, 3), dtype=np.uint32)
    if page in SURROGATES:
        return entries
    for place in range(256):
        given = chr(256 * page + place)
        becomes = change(given)
        for k, character in enumerate(becomes):
            entries[place, k] = ord(character) | _kind(character)
        entries[place, 0] |= _case(given) | (len(becomes) - 1) << MORE
    return entries


def _kind(character: str) -> int:
    word = character.isalnum() or character == "_"
    return (WORD if word else 0) | (SPACE if character.isspace() else 0)


def _case(character: str) -> int:
    """What `str.lower` sees in a neighbour of capital sigma, which becomes final behind cased letters alone."""
    if f"A{character}Σ".lower()[-1] != "ς":
        return 0
    return CASED if f" {character}Σ".lower()[-1] == "ς" else IGNORABLE
