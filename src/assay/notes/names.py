"""Names inside a line such as ``good:bad=5``: as they are, or as JSON strings where they hold signs of the notation.

Whatever a class or a column is called, `spell_name` writes it so that `read_name` gives it back.
"""

from __future__ import annotations

import json
import re

SIGNS = ',:="'
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


def spell_name(name: str) -> str:
    r"""The name as a line writes it.

    Examples
    --------
    >>> spell_name("good"), spell_name("a:b"), spell_name('5" pipe')
    ('good', '"a:b"', '"5\\" pipe"')
    """
    plain = name.isprintable() and name == name.strip() and not any(sign in name for sign in SIGNS)
    if plain and name not in ("", "*"):
        return name
    # Signs that do not print would be lost on a terminal, and a shell takes no NUL.
    return '"' + "".join(json.dumps(c, ensure_ascii=not c.isprintable())[1:-1] for c in name) + '"'


def read_name(text: str) -> str:
    """The name that a part of a line stands for; blanks around it do not count.

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
        raise ValueError(
            f'The name {text} is no JSON string; write a backslash twice and a quote as \\".'
        ) from None


def cuts(text: str, sign: str) -> list[int]:
    """Where a sign stands outside of quotes; quotes open where a name begins, and nowhere else.

    Examples
    --------
    >>> cuts('"a:b":c', ":"), cuts('5":c', ":")
    ([5], [2])
    """
    found, at, beginning = [], 0, True
    while at < len(text):
        if beginning and text[at] == '"':
            quoted = _QUOTED.match(text, at)
            if quoted is None:
                raise ValueError(
                    f'The quote in {text[at:]!r} is not closed; write the name as a JSON string, such as "a:b".'
                )
            at, beginning = quoted.end(), False
            continue
        if text[at] == sign:
            found.append(at)
        beginning = text[at] in SIGNS[:3] or (beginning and text[at].isspace())
        at += 1
    return found


def parts(text: str) -> list[str]:
    """The parts between the commas of a line, without blanks around them; empty ones are left out."""
    ends = [*cuts(text, ","), len(text)]
    starts = [0, *(end + 1 for end in ends)]
    found = [text[start:end].strip() for start, end in zip(starts, ends, strict=False)]
    return [part for part in found if part]
