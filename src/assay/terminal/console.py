"""Tables and paragraphs: in colour on a terminal, in plain ASCII lines anywhere else."""

from __future__ import annotations

import io
import os
import textwrap
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

PROSE = 96  # columns; longer lines are hard to read on a wide terminal
INDENT = "  "
PIPE_WIDTH = 100  # columns where there is no terminal to ask and COLUMNS is not set


def stdout_console() -> Console:
    """Standard output; off a terminal without colours, and at a width that does not depend on the machine."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    return console


def heading(console: Console, text: str) -> None:
    """A title with a blank line above it."""
    console.print()
    console.print(Text(text, style="bold cyan"), soft_wrap=True)


def prose(console: Console, text: str, style: str = "") -> None:
    """A paragraph, indented, wrapped at a readable width."""
    width = max(20, min(console.width, PROSE) - len(INDENT))
    for line in textwrap.wrap(text, width, break_on_hyphens=False):
        console.print(Text(INDENT + line, style=style), soft_wrap=True)


def lines_of_code(console: Console, lines: Sequence[str]) -> None:
    """Lines to copy: never wrapped, and no sign of them changed."""
    for line in lines:
        console.out(2 * INDENT + line, style="green", highlight=False)


def table(console: Console, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str | Text]]) -> None:
    """A table whose columns are (heading, "left" or "right").

    On a terminal a line runs under the headings, and columns for which there is no room are named instead of
    cropped. Elsewhere every column is printed, whatever the width.
    """
    if not console.is_terminal:
        plain = Console(file=io.StringIO(), width=1000, color_system=None)
        plain.print(_table(columns, rows, ruled=False))
        text = plain.file.getvalue()  # type: ignore[attr-defined]
        for line in text.splitlines():
            console.print(Text(INDENT + line.rstrip()), soft_wrap=True)
        return
    ruled = not console.options.ascii_only
    room, shown = console.width - len(INDENT), len(columns)
    while shown > 1 and _width(console, _table(columns[:shown], rows, ruled)) > room:
        shown -= 1
    console.print(Padding(_table(columns[:shown], rows, ruled), (0, 0, 0, len(INDENT)), expand=False))
    if shown < len(columns):
        missing = ", ".join(" ".join(name.split()) for name, _ in columns[shown:])
        prose(console, f"A wider terminal also shows: {missing}.", style="dim")


def _table(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[str | Text]], ruled: bool) -> Table:
    drawn = Table(box=box.SIMPLE_HEAD if ruled else None, pad_edge=False, show_edge=False)
    drawn.padding = (0, 1, 0, 0) if ruled else (0, 2, 0, 0)  # the box adds a blank of its own between columns
    for name, side in columns:
        title = name if ruled else name.replace("\n", " ")
        drawn.add_column(
            Text(title, style="bold"), justify="right" if side == "right" else "left", no_wrap=True
        )
    for row in rows:
        drawn.add_row(*row[: len(columns)])
    return drawn


def _width(console: Console, drawn: Table) -> int:
    return Measurement.get(console, console.options.update(width=1000), drawn).maximum


def number_or_dash(value: float | None, digits: int) -> str:
    """A number, or a dash where the model has none."""
    return "-" if value is None else f"{value:.{digits}f}"


def facts(console: Console, pairs: Sequence[tuple[str, str]]) -> None:
    """Names and values under each other, the values in one column and wrapped at a readable width."""
    wide = max(len(name) for name, _ in pairs)
    room = max(20, min(console.width, PROSE) - len(INDENT) - wide - 2)
    for name, value in pairs:
        lines = textwrap.wrap(value, room, break_on_hyphens=False) or [""]
        for i, line in enumerate(lines):
            label = name if i == 0 else ""
            console.print(Text(f"{INDENT}{label:<{wide}}  {line}".rstrip()), soft_wrap=True)


def ascii_bar(share: float, width: int) -> str:
    """A bar of signs for a number between -1 and 1, to the left or to the right of its middle."""
    half = width // 2
    filled = min(half, round(abs(share) * half))
    left, right = ("-" * filled, "") if share < 0 else ("", "+" * filled)
    return f"{left:>{half}}|{right:<{half}}"
