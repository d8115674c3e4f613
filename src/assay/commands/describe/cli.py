"""`assay describe`: what the columns of a table are taken for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.notes.numbers import plain_percent
from assay.terminal.console import facts, heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.options import (
    AsJson,
    Drop,
    Ignore,
    MaybeTarget,
    Missing,
    Query,
    Quiet,
    Source,
    Types,
    epilog,
)
from assay.terminal.wording import for_shell
from assay.workbench.syntax.settings import reading

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.describe.job import ColumnSummary, Description

EPILOG = epilog(
    "assay describe adult.csv --target income",
    'assay describe postgresql://localhost/shop --query "SELECT * FROM orders" --type zip=categorical',
)
MOST_CLASSES, WIDEST = 20, 40  # classes shown one by one, and signs of a cell


def describe(
    source: Source,
    target: MaybeTarget = None,
    types: Types = None,
    drop: Drop = None,
    query: Query = None,
    missing: Missing = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what was looked at and gives no reason to act.")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Show the type of every column with the reason for it, the classes, and what looks suspicious."""
    from assay.commands.describe.job import describe as summarise

    found = summarise(source, target, **reading(types, drop, query, missing))
    if as_json:
        print_json(_figures(found))
        return
    console = stdout_console()
    if not quiet:
        prose(
            console, f"{found.name}: {_count(found.n_rows, 'row')}, {_count(len(found.columns), 'column')}."
        )
        console.print()
    _show_columns(console, found)
    if not quiet:
        _show_classes(console, found)
        _show_findings(console, found, everything)


def _count(count: int, noun: str) -> str:
    from assay.notes.phrases import plural

    return plural(count, noun)


def _figures(found: Description) -> dict[str, Any]:
    """All of it, under the names that other commands give the same things."""
    figures = found.to_json()
    about = {"source": figures.pop("name"), "target": figures.pop("target"), "rows": figures.pop("n_rows")}
    about["classes"] = [each.label for each in found.classes]
    about["counts"] = {str(each.label): each.rows for each in found.classes}
    figures.pop("classes")
    return {**about, **figures}


def _show_columns(console: Console, found: Description) -> None:
    columns = [("column", "left"), ("type", "left"), ("missing", "right"), ("distinct", "right")]
    columns += [("examples", "left"), ("why this type", "left")]
    table(console, columns, [_row(column) for column in found.columns])


def _row(column: ColumnSummary) -> list[str]:
    return [
        column.name,
        column.type,
        str(column.missing),
        "-" if column.distinct is None else str(column.distinct),
        _short(", ".join(column.examples)),
        column.reason,
    ]


def _show_classes(console: Console, found: Description) -> None:
    if found.target is None:
        return
    heading(console, f"Classes of {found.target}")
    shown = found.classes[:MOST_CLASSES]
    facts(
        console,
        [(str(each.label), f"{_count(each.rows, 'row')} ({plain_percent(each.share)} %)") for each in shown],
    )
    if len(found.classes) > len(shown):
        prose(console, f"and {len(found.classes) - len(shown)} more.")
    if found.unlabelled:
        prose(console, f"Without a class: {_count(found.unlabelled, 'row')}.")


def _show_findings(console: Console, found: Description, everything: bool) -> None:
    warnings = [each for each in found.findings if each.warn]
    others = [each for each in found.findings if not each.warn]
    for title, findings in (("Warnings", warnings), ("Looked at", others if everything else [])):
        if findings:
            heading(console, title)
            for each in findings:
                prose(console, for_shell(each.sentence), style="yellow" if each.warn else "")
    if everything:
        print_notes(console, found.notes)
    elif others:
        console.print()
        first = "" if warnings else "Nothing to warn of. "
        prose(
            console,
            f"{first}{_count(len(others), 'figure')} without a warning: --all shows what was looked at.",
        )


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
