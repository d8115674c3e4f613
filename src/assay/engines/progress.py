"""Progress: one protocol, and one bar on a terminal.

Jobs report what they do and the proportion that is done (`Progress`). Evaluations count parts (`Meter`).
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    import rich.progress

PATIENCE = 2.0  # seconds before a bar appears
ShowProgress = bool | Callable[[str, int, int], None] | None


class Progress(Protocol):
    """Hears what is being done, and the proportion of the whole that is done."""

    def __call__(self, doing: str, share: float, /) -> None: ...


def silent(doing: str, share: float, /) -> None:
    """No progress is shown."""


@contextmanager
def progress_bar(*, time_left: bool = False, show: bool = True) -> Iterator[Progress]:
    """A function that shows what is being done; the bar disappears when the block ends.

    Off a terminal it is silent.
    """
    if not show or not sys.stderr.isatty():
        yield silent
        return
    from rich import progress

    rest = progress.TimeRemainingColumn() if time_left else progress.TimeElapsedColumn()
    columns = (
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(24),
        rest,
    )
    with _bar(*columns) as bar:
        task = bar.add_task("starting", total=1.0)
        yield lambda doing, share: bar.update(task, description=doing, completed=share)


def _bar(*columns: rich.progress.ProgressColumn) -> rich.progress.Progress:
    """A bar on the error stream that leaves no trace."""
    from rich.console import Console
    from rich.progress import Progress as RichProgress

    console = Console(stderr=True, highlight=False, markup=False)
    return RichProgress(*columns, console=console, transient=True, refresh_per_second=5)


class ShareProgress(Protocol):
    """Called with what is being done, and the proportion of the whole that is done; what it raises ends the work."""

    def __call__(self, doing: str, share: float, /) -> None: ...


class Meter:
    """Counts finished parts; shows nothing until the work has taken two seconds, and nothing off a terminal.

    A caller with a bar of its own gives a function, which is told (label, done, total) instead; what it raises
    ends the work.
    """

    def __init__(self, total: int, label: str, show: ShowProgress = None) -> None:
        self.total, self.label = total, label
        self.tell = show if callable(show) else None
        self.show = sys.stderr.isatty() if show is None else show is True
        self._done, self._start = 0, time.monotonic()
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID  # of the bar, once there is one
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
    def within(self) -> ShowProgress:
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

        columns = (
            progress.TextColumn("{task.description}"),
            progress.BarColumn(),
            progress.MofNCompleteColumn(),
            progress.TimeRemainingColumn(),
        )
        self._bar = _bar(*columns)
        self._bar.start()
        self._task = self._bar.add_task(self.label, total=self.total, completed=self._done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
