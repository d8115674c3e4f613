"""A description of a table on a terminal."""

from __future__ import annotations

from rich.console import Console

from assay.commands.describe.result import ColumnSummary, DescribeResult
from assay.notes import render
from assay.notes.numbers import plain_percent
from assay.notes.phrases import plural
from assay.notes.voices import SHELL
from assay.terminal.console import facts, heading, prose, table
from assay.terminal.notes import print_notes

MOST_CLASSES, WIDEST = 20, 40  # classes shown one by one, and characters of a cell


def print_description(console: Console, result: DescribeResult, everything: bool, quiet: bool) -> None:
    """The columns, the classes, and the findings."""
    if not quiet:
        rows, columns = plural(result.n_rows, "row"), plural(len(result.columns), "column")
        prose(console, f"{result.name}: {rows}, {columns}.")
        console.print()
    _print_columns(console, result)
    if not quiet:
        _print_classes(console, result)
        _print_findings(console, result, everything)


def _print_columns(console: Console, result: DescribeResult) -> None:
    columns = [("column", "left"), ("type", "left"), ("missing", "right"), ("distinct", "right")]
    columns += [("examples", "left"), ("reason", "left")]
    table(console, columns, [_row(column) for column in result.columns])


def _row(column: ColumnSummary) -> list[str]:
    return [
        column.name,
        column.type,
        str(column.missing),
        "-" if column.distinct is None else str(column.distinct),
        _short(", ".join(column.examples)),
        render(column.reason, SHELL),
    ]


def _print_classes(console: Console, result: DescribeResult) -> None:
    if result.target is None:
        return
    heading(console, f"Classes of {result.target}")
    shown = result.classes[:MOST_CLASSES]
    facts(
        console,
        [
            (str(count.label), f"{plural(count.rows, 'row')} ({plain_percent(count.share)} %)")
            for count in shown
        ],
    )
    if len(result.classes) > len(shown):
        prose(console, f"and {len(result.classes) - len(shown)} more.")
    if result.unlabelled:
        prose(console, f"Without a class: {plural(result.unlabelled, 'row')}.")


def _print_findings(console: Console, result: DescribeResult, everything: bool) -> None:
    warnings = [finding.sentence for finding in result.findings if finding.warn]
    passed = [finding.sentence for finding in result.findings if not finding.warn]
    if warnings:
        heading(console, "Warnings")
        print_notes(console, warnings, "yellow", listed=True)
    if passed and everything:
        heading(console, "Checks passed")
        print_notes(console, passed, listed=True)
    if everything:
        print_notes(console, result.notes)
    elif passed:
        console.print()
        checks = f"{plural(len(passed), 'check')} passed; --all shows {'it' if len(passed) == 1 else 'them'}."
        prose(console, checks if warnings else f"No warnings; {checks}")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
