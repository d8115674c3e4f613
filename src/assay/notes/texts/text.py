"""A text: a sentence with places for values, its level, and values to show it with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

INFO, WARNING, ERROR = "info", "warning", "error"


class Text(NamedTuple):
    """What a code says.

    Attributes
    ----------
    sentence : str
        With places for values, as `str.format` has them.
    example : mapping
        Values to show it with; "subject" is what the note is about.
    level : {"info", "warning", "error"}
    shell : str
        Another sentence for whoever typed a command; empty: the same.
    """

    sentence: str
    example: Mapping[str, object]
    level: str
    shell: str = ""


Texts: TypeAlias = dict[str, Text]


def error(sentence: str, /, *, shell: str = "", **example: object) -> Text:
    """About bad input: nothing was computed."""
    return Text(sentence, example, ERROR, shell)


def warning(sentence: str, /, *, shell: str = "", **example: object) -> Text:
    """Something to look into before the result is believed."""
    return Text(sentence, example, WARNING, shell)


def info(sentence: str, /, *, shell: str = "", **example: object) -> Text:
    """How a result came about."""
    return Text(sentence, example, INFO, shell)
