"""What `assay compare` shows while it runs: the leaderboard so far, what is running, and the time left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from assay.notes.numbers import format_duration, plain_number, plain_percent, plain_percent_range

if TYPE_CHECKING:
    import rich.progress
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    from assay.workbench.experiment.evaluate_candidate import CandidateResult

BELOW = 3  # lines under the leaderboard, which must not scroll


class LiveView(Protocol):
    """Hears what is being done, the proportion that is done, and each candidate that is finished."""

    def __call__(self, doing: str, share: float, /) -> None: ...

    def finished(self, result: CandidateResult, /) -> None: ...


@contextmanager
def live_view(show: bool = True) -> Iterator[LiveView]:
    """A leaderboard that grows on a terminal, and disappears at the end; elsewhere a line per finished candidate."""
    if not show:
        yield Silent()
        return
    if not sys.stderr.isatty():
        yield Lines()
        return
    from rich.console import Console

    with Board(Console(stderr=True, highlight=False, markup=False, emoji=False)) as board:
        yield board


class Silent:
    """Nothing is shown."""

    def __call__(self, doing: str, share: float, /) -> None:
        pass

    def finished(self, result: CandidateResult, /) -> None:
        pass


class Lines:
    """One line on the error stream for each candidate that is finished."""

    def __init__(self) -> None:
        self.share = 0.0

    def __call__(self, doing: str, share: float, /) -> None:
        self.share = share

    def finished(self, result: CandidateResult, /) -> None:
        _, *figures = cells(result)
        took = format_duration(result.nested.seconds)
        sys.stderr.write(f"{100 * self.share:3.0f} %  {result.label}: {', '.join(figures)}; {took}\n")
        sys.stderr.flush()


class Board:
    """The candidates finished so far, best first, above a bar."""

    def __init__(self, console: Console) -> None:
        from rich import progress
        from rich.live import Live

        self.results: list[CandidateResult] = []
        self.console = console
        self.bar = progress.Progress(
            progress.SpinnerColumn(),
            progress.TextColumn("{task.description}"),
            progress.BarColumn(24),
            progress.TimeRemainingColumn(),
            console=console,
        )
        self.task: rich.progress.TaskID = self.bar.add_task("starting", total=1.0)
        self.live: Live = Live(
            get_renderable=self.renderable, console=console, transient=True, refresh_per_second=5
        )

    def __enter__(self) -> Board:
        self.live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.live.stop()

    def __call__(self, doing: str, share: float, /) -> None:
        self.bar.update(self.task, description=doing, completed=share)

    def finished(self, result: CandidateResult, /) -> None:
        self.results = sorted([*self.results, result], key=lambda result: result.final_cv_loss)

    def renderable(self) -> Table:
        """As many of the candidates as the terminal has lines for, and the bar."""
        from rich.table import Table
        from rich.text import Text

        rows = self.results[: max(self.console.height - BELOW, 1)]
        board = Table(box=None, pad_edge=False, show_header=False)
        for result in rows:
            board.add_row(*(Text(cell, no_wrap=True) for cell in ("", *cells(result))))
        whole = Table.grid()
        if rows:
            whole.add_row(board)
        whole.add_row(self.bar)
        return whole


def cells(result: CandidateResult) -> list[str]:
    """The name, the error with its interval, and the mean loss where costs were given."""
    evaluation = result.evaluation
    error = f"error {plain_percent(evaluation.error)} % ({plain_percent_range(evaluation.error_interval)})"
    loss = [] if evaluation.loss is None else [f"mean loss {plain_number(evaluation.mean_loss())}"]
    return [result.label, error, *loss]
