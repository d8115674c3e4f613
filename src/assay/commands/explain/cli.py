"""`assay explain`: what spoke for a prediction, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.notes import Note
from assay.terminal.console import ascii_bar, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.options import AsJson, Ignore, Missing, Model, Query, Quiet, Source, epilog

if TYPE_CHECKING:
    from rich.console import Console

    from assay.models.inspection.explanation import Explanation

EPILOG = epilog("assay explain model.assay new.csv --row 3 --top 5")
BAR = 20


def explain(
    model: Model,
    source: Source,
    row: Annotated[int, typer.Option("--row", metavar="N", help="The row to explain; the first is 1.")],
    top: Annotated[
        int, typer.Option("--top", metavar="N", help="Columns or words to show, the weightiest first.")
    ] = 10,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Show how much each column, or each word of a text, spoke for the predicted class against the runner-up."""
    from assay.commands.explain.job import explain_row
    from assay.workbench.saved_model import load_table_model

    if top < 1:
        raise ValueError(Note("C042", top=top))
    found = explain_row(load_table_model(model), source, row, query=query, missing=missing)
    if as_json:
        print_json(vars(found))
        return
    console = stdout_console()
    if not quiet:
        _show_verdict(console, found)
    _show_contributions(console, found, top)
    if not quiet:
        print_notes(console, found.notes)


def _show_verdict(console: Console, found: Explanation) -> None:
    shares = "" if found.posterior is None else f" ({100 * found.posterior[found.predicted]:.1f} %)"
    prose(console, f"Row {found.row}: {found.predicted}{shares}, before {found.runner_up}.")
    prose(console, found.meaning)
    console.print()


def _show_contributions(console: Console, found: Explanation, top: int) -> None:
    shown, rest = found.contributions[:top], found.contributions[top:]
    most = max([abs(c.amount) for c in found.contributions] + [abs(found.start)]) or 1.0
    rows = [[c.column, c.value, f"{c.amount:+.4f}", ascii_bar(c.amount / most, BAR)] for c in shown]
    if rest:
        amount = sum(c.amount for c in rest)
        rows.append([f"({len(rest)} more)", "", f"{amount:+.4f}", ""])
    rows.append([f"({found.start_meaning})", "", f"{found.start:+.4f}", ascii_bar(found.start / most, BAR)])
    rows.append(["sum", "", f"{found.difference:+.4f}", ""])
    value = "times" if found.part == "word" else "value"
    columns = [(found.part, "left"), (value, "left"), (found.unit, "right"), ("against | for", "left")]
    table(console, columns, rows)
