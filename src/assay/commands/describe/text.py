"""A description of a table on a terminal."""

from __future__ import annotations

from rich.console import Console

from assay.commands.describe.result import ColumnSummary, DescribeResult
from assay.notes.numbers import plain_percent
from assay.notes.phrases import plural
from assay.terminal.console import facts, heading, prose, table
from assay.terminal.notes import print_notes, unless_ignored
from assay.terminal.wording import for_shell

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
        column.reason,
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
    shown = [finding for finding in result.findings if unless_ignored([finding.sentence])]
    warnings = [finding for finding in shown if finding.warn]
    passed = [finding for finding in shown if not finding.warn]
    for title, findings in (("Warnings", warnings), ("Checks passed", passed if everything else [])):
        if findings:
            heading(console, title)
            for finding in findings:
                prose(console, for_shell(finding.sentence), style="yellow" if finding.warn else "")
    if everything:
        print_notes(console, result.notes)
    elif passed:
        console.print()
        checks = f"{plural(len(passed), 'check')} passed; --all shows {'it' if len(passed) == 1 else 'them'}."
        prose(console, checks if warnings else f"No warnings; {checks}")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
