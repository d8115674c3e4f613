"""`assay describe`: what the columns of a table are taken for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.cli.as_json import print_json
from assay.cli.options import AsJson, Drop, MaybeTarget, Query, Quiet, Source, Types, epilog
from assay.cli.output import facts, heading, prose, stdout_console, table
from assay.cli.wording import for_shell
from assay.workbench.digits import percent

if TYPE_CHECKING:
    from rich.console import Console

    from assay.workbench.describe import ColumnSummary, Description

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
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show the type of every column with the reason for it, the classes, and what looks suspicious."""
    from assay.workbench.describe import describe as summarise
    from assay.workbench.notation import read_types

    found = summarise(source, target, types=read_types(types or ()), drop=drop or (), query=query)
    if as_json:
        print_json(found.to_json())
        return
    console = stdout_console()
    if not quiet:
        prose(console, f"{found.name}: {found.n_rows} rows, {len(found.columns)} columns.")
        console.print()
    _show_columns(console, found)
    if not quiet:
        _show_classes(console, found)
        _show_findings(console, found)


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
    facts(console, [(str(each.label), f"{each.rows} rows ({percent(each.share)} %)") for each in shown])
    if len(found.classes) > len(shown):
        prose(console, f"and {len(found.classes) - len(shown)} more.")
    if found.unlabelled:
        prose(console, f"Without a class: {found.unlabelled} rows.")


def _show_findings(console: Console, found: Description) -> None:
    warnings = [each for each in found.findings if each.warn]
    others = [each for each in found.findings if not each.warn]
    for title, findings in (("Warnings", warnings), ("Looked at", others)):
        if findings:
            heading(console, title)
            for each in findings:
                prose(console, for_shell(each.sentence), style="yellow" if each.warn else "")
    for note in found.notes:
        prose(console, f"Note: {for_shell(note)}")


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
