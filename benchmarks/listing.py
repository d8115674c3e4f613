"""Figures that are no ratios, such as the seconds of each step of one run: a table of their own below the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Listing:
    """A title, the headings of the columns, and lines of cells; the first column is text."""

    title: str
    headings: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    absent: str = ""

    def render(self, *, markdown: bool = False) -> str:
        """The listing as plain text or markdown."""
        if self.absent:
            return f"{self.title}: not measured, {self.absent}"
        body = self._markdown() if markdown else self._plain()
        return "\n".join([self.title, "", *body])

    def _plain(self) -> list[str]:
        widths = [max(map(len, column)) for column in zip(self.headings, *self.lines, strict=True)]

        def line(cells: Sequence[str]) -> str:
            figures = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
            return "  ".join([cells[0].ljust(widths[0]), *figures]).rstrip()

        return [line(self.headings), "  ".join("-" * width for width in widths), *map(line, self.lines)]

    def _markdown(self) -> list[str]:
        rule = ("---", *("---:" for _ in self.headings[1:]))
        return ["| " + " | ".join(cells) + " |" for cells in (self.headings, rule, *self.lines)]
