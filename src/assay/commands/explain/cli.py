"""`assay explain`: options and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.notes import Note, render
from assay.notes.voices import SHELL
from assay.terminal.console import ascii_bar, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.option_groups import OutputOptions
from assay.terminal.options import Missing, Model, Query, Source, epilog

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
        int,
        typer.Option(
            "--top", metavar="N", help="Number of columns or words to show, largest contributions first."
        ),
    ] = 10,
    query: Query = None,
    missing: Missing = None,
    *,
    output: OutputOptions,
) -> None:
    """Explain a prediction: the contribution of each column or word to the predicted class against the runner-up."""
    from assay.commands.explain.job import explain_row
    from assay.workbench.saved_model import load_table_model

    if top < 1:
        raise ValueError(Note("C042", top=top))
    explanation = explain_row(load_table_model(model), source, row, query=query, missing=missing)
    if output.as_json:
        print_json(vars(explanation))
        return
    console = stdout_console()
    if not output.quiet:
        _show_verdict(console, explanation)
    _show_contributions(console, explanation, top)
    if not output.quiet:
        print_notes(console, explanation.notes)


def _show_verdict(console: Console, explanation: Explanation) -> None:
    shares = (
        ""
        if explanation.posterior is None
        else f" ({100 * explanation.posterior[explanation.predicted]:.1f} %)"
    )
    prose(
        console,
        f"Row {explanation.row}: predicted {explanation.predicted}{shares}, runner-up {explanation.runner_up}.",
    )
    prose(console, render(explanation.meaning, SHELL))
    console.print()


def _show_contributions(console: Console, explanation: Explanation, top: int) -> None:
    shown, rest = explanation.contributions[:top], explanation.contributions[top:]
    most = max([abs(c.amount) for c in explanation.contributions] + [abs(explanation.start)]) or 1.0
    rows = [[c.column, c.value, f"{c.amount:+.4f}", ascii_bar(c.amount / most, BAR)] for c in shown]
    if rest:
        amount = sum(c.amount for c in rest)
        rows.append([f"({len(rest)} more)", "", f"{amount:+.4f}", ""])
    rows.append(
        [
            f"({explanation.start_meaning})",
            "",
            f"{explanation.start:+.4f}",
            ascii_bar(explanation.start / most, BAR),
        ]
    )
    rows.append(["sum", "", f"{explanation.difference:+.4f}", ""])
    value = "count" if explanation.part == "word" else "value"
    columns = [
        (explanation.part, "left"),
        (value, "left"),
        (explanation.unit, "right"),
        ("against | for", "left"),
    ]
    table(console, columns, rows)
