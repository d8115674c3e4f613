"""A progress bar with the time left, for what takes more than two seconds on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Protocol, Self

PATIENCE = 2.0  # seconds before a bar appears
Progress = bool | Callable[[str, int, int], None] | None


class ShareProgress(Protocol):
    """Called with what is being done, and the proportion of the whole that is done; what it raises ends the work."""

    def __call__(self, doing: str, share: float, /) -> None: ...


class Meter:
    """Counts finished parts; shows nothing until the work has taken two seconds, and nothing off a terminal.

    A caller with a bar of its own gives a function, which is told (label, done, total) instead; what it raises
    ends the work.
    """

    def __init__(self, total: int, label: str, show: Progress = None) -> None:
        self.total, self.label = total, label
        self.tell = show if callable(show) else None
        self.show = sys.stderr.isatty() if show is None else show is True
        self._done, self._start = 0, time.monotonic()
        self._bar: Any = None
        self._task: Any = None
        self._lock = threading.Lock()

    def advance(self) -> None:
        """One more part is done."""
        with self._lock:
            self._set(self.label, self._done + 1)

    def move(self, label: str, done: int) -> None:
        """So many parts are done, and this comes next."""
        with self._lock:
            self._set(label, done)

    @property
    def within(self) -> Progress:
        """What evaluations are given that are parts of this work, so that one bar counts them all."""
        return (lambda *_: self.advance()) if self.show or self.tell is not None else False

    def _set(self, label: str, done: int) -> None:
        self.label, self._done = label, done
        if self.tell is not None:
            self.tell(label, done, self.total)
        if not self.show:
            return
        if self._bar is None and time.monotonic() - self._start > PATIENCE:
            self._open()
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description=label)

    def _open(self) -> None:
        from rich import progress
        from rich.console import Console

        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeRemainingColumn(),
        )
        self._bar = progress.Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        self._task = self._bar.add_task(self.label, total=self.total, completed=self._done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
