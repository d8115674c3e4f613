"""Names inside an option such as ``good:bad=5``: plain, or as JSON strings where they contain signs of the syntax."""

from __future__ import annotations

import json

SIGNS = ',:="'


def spell_name(name: str) -> str:
    r"""The name as an option writes it.

    Examples
    --------
    >>> spell_name("good"), spell_name("a:b"), spell_name('5" pipe')
    ('good', '"a:b"', '"5\\" pipe"')
    """
    plain = name.isprintable() and name == name.strip() and not any(sign in name for sign in SIGNS)
    if plain and name not in ("", "*"):
        return name
    # Characters that do not print would be lost on a terminal, and a shell cannot pass NUL.
    return '"' + "".join(json.dumps(c, ensure_ascii=not c.isprintable())[1:-1] for c in name) + '"'
