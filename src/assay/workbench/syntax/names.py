"""Names inside an option such as ``good:bad=5``: plain, or as JSON strings where they contain signs of the syntax.

`read_name` reads back what `assay.notes.names.spell_name` writes, whatever a class or a column is called.
"""

from __future__ import annotations

import json
import re

from assay.notes import Note
from assay.notes.names import SIGNS

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def read_name(text: str) -> str:
    """The name that a part of an option stands for; blanks around it do not count.

    Examples
    --------
    >>> read_name(" good "), read_name('"a:b"')
    ('good', 'a:b')
    """
    text = text.strip()
    if not _QUOTED.fullmatch(text):
        return text
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        raise ValueError(Note("O104", name=text)) from None


def cuts(text: str, sign: str) -> list[int]:
    """Positions of a sign outside of quotes; quotes open where a name begins, and nowhere else.

    Examples
    --------
    >>> cuts('"a:b":c', ":"), cuts('5":c', ":")
    ([5], [2])
    """
    positions, at, beginning = [], 0, True
    while at < len(text):
        if beginning and text[at] == '"':
            quoted = _QUOTED.match(text, at)
            if quoted is None:
                raise ValueError(Note("O105", text=text[at:]))
            at, beginning = quoted.end(), False
            continue
        if text[at] == sign:
            positions.append(at)
        beginning = text[at] in SIGNS[:3] or (beginning and text[at].isspace())
        at += 1
    return positions


def parts(text: str) -> list[str]:
    """The parts between the commas of an option, without blanks around them; empty ones are left out."""
    ends = [*cuts(text, ","), len(text)]
    starts = [0, *(end + 1 for end in ends)]
    pieces = [text[start:end].strip() for start, end in zip(starts, ends, strict=False)]
    return [piece for piece in pieces if piece]
