"""`assay decide`: options and text."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from assay.notes.numbers import plain_percent
from assay.terminal.console import prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.options import AsJson, Loss, Priors, Query, Quiet, RowsFormat, RowsOut, epilog

EPILOG = epilog('assay decide posteriors.csv --loss "good:bad=5,bad:good=1,*:ask=0.3" --out actions.csv')


def decide(
    posteriors: Annotated[
        str,
        typer.Argument(
            metavar="POSTERIORS", help="A table with one column per class, as written by `predict --proba`."
        ),
    ],
    loss: Loss = None,
    priors: Priors = None,
    trained_priors: Annotated[
        str | None,
        typer.Option(
            "--trained-priors",
            metavar="P",
            help="Priors of the training data, which --priors replaces; same form.",
        ),
    ] = None,
    query: Query = None,
    out: RowsOut = None,
    form: RowsFormat = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Choose the action of least expected loss for every row."""
    from assay.commands.decide.job import decide_source, decided_rows, summary
    from assay.data.write.rows import deliver, format_of

    chosen = format_of(out, form)
    decision = decide_source(posteriors, loss, priors, trained_priors, query=query)
    figures = summary(decision)
    if out is not None or not as_json:
        deliver(decided_rows(decision), out, chosen)
    if as_json:
        rows = [
            dict(zip(part, row, strict=True))
            for part in decided_rows(decision)
            for row in zip(*part.values(), strict=True)
        ]
        print_json({**figures, "decisions": rows})
    elif out is not None and not quiet:
        _show(figures, out)


def _show(figures: dict[str, Any], out: str) -> None:
    from assay.notes.phrases import plural

    console = stdout_console()
    rows = [
        [name, str(count), plain_percent(count / figures["rows"])]
        for name, count in figures["actions"].items()
    ]
    table(console, [("action", "left"), ("rows", "right"), ("%", "right")], rows)
    prose(
        console,
        f"Expected loss {figures['mean_risk']:.4g} per row. Rejected (an action that is not a class): "
        f"{figures['rejected']} of {plural(figures['rows'], 'row')}. Written to {out}.",
    )
