"""What other libraries warn of while their models are refitted: each warning is kept once, and none is printed.

Filters alone do not help. scikit-learn sets them anew inside every task of a thread pool, and as they belong to the
whole process, what one thread restores is what another has just set: the same warning was printed at every fit. The
function that shows a warning is left alone by all of them, so it is that one which is exchanged.
"""

from __future__ import annotations

import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

NUMBER = re.compile(r"\d[\d.,]*(e[+-]?\d+)?", re.IGNORECASE)


class FoldWarnings:
    """The different warnings of a refit; those that differ in numbers only are of one kind."""

    def __init__(self) -> None:
        self._heard: dict[str, set[str]] = {}

    def hear(self, message: Warning | str) -> None:
        text = " ".join(str(message).split()).rstrip(".")
        self._heard.setdefault(NUMBER.sub("0", text), set()).add(text)

    def also(self, other: FoldWarnings) -> None:
        """What another one heard, too."""
        for kind, texts in other._heard.items():
            self._heard.setdefault(kind, set()).update(texts)

    def notes(self, name: str) -> tuple[str, ...]:
        """Sentences in an order that does not depend on the threads."""
        sentences = []
        for messages in self._heard.values():
            others = f" (and {len(messages) - 1} like it)" if len(messages) > 1 else ""
            sentences.append(f"{name} warned: {min(messages)}{others}.")
        return tuple(sorted(sentences))


_lock = threading.Lock()
_listening: list[FoldWarnings] = []
_outside: list[warnings.catch_warnings] = []  # the state of `warnings` before the first listener


@contextmanager
def collect_warnings() -> Iterator[FoldWarnings]:
    """Warnings of all threads until the end, instead of on the error stream.

    What the caller has turned into errors or ignores stays so. With several listeners at once each hears everything.
    """
    warned = FoldWarnings()
    with _lock:
        if not _listening:
            _begin()
        _listening.append(warned)
    try:
        yield warned
    finally:
        with _lock:
            _listening[:] = [other for other in _listening if other is not warned]
            if not _listening:
                _outside.pop().__exit__(None, None, None)


def _begin() -> None:
    state = warnings.catch_warnings()
    state.__enter__()
    _outside.append(state)
    warnings.filters = [rule for rule in warnings.filters if rule[0] in ("error", "ignore")]
    # Always: Python's register of what was shown before would keep a second refit from being told.
    warnings.simplefilter("always", append=True)
    warnings.showwarning = _show


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    for warned in tuple(_listening):
        warned.hear(message)
