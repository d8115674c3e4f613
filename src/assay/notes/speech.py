"""Whose words a sentence is put in: Python's, unless whoever asked has others.

Advice names parameters (``drop=``). Somebody who typed a command has options instead (``--drop``), also where the
advice stands in a file that the command wrote. The command line says so once, and what writes files asks here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Translate = Callable[[str], str]
_words: ContextVar[Translate] = ContextVar("words", default=str)


@contextmanager
def spoken(translate: Translate) -> Iterator[None]:
    """Inside, `said` puts sentences as `translate` does."""
    before = _words.set(translate)
    try:
        yield
    finally:
        _words.reset(before)


def said(sentence: str) -> str:
    """The sentence in the words of whoever asked.

    >>> with spoken(lambda sentence: sentence.replace("drop=", "--drop")):
    ...     said("Leave it out with drop=.")
    'Leave it out with --drop.'
    """
    return _words.get()(sentence)
