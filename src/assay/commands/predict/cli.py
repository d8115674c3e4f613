"""`assay predict`: options and text."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.notes import render
from assay.notes.voices import SHELL
from assay.terminal.console import prose, stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.notes import unless_ignored
from assay.terminal.options import (
    AsJson,
    Ignore,
    Missing,
    Model,
    Query,
    Quiet,
    RowsFormat,
    RowsOut,
    Source,
    epilog,
)

EPILOG = epilog(
    "assay predict model.assay new.csv > predicted.csv",
    "assay predict model.assay new.parquet --proba --out posteriors.parquet",
)


def predict(
    model: Model,
    source: Source,
    proba: Annotated[
        bool,
        typer.Option(
            "--proba", help="Also write the posterior probability of every class, as columns P(class)."
        ),
    ] = False,
    most_probable: Annotated[
        bool,
        typer.Option(
            "--most-probable",
            help="Write the most probable class, not the action of least loss, if the model has costs.",
        ),
    ] = False,
    out: RowsOut = None,
    form: RowsFormat = None,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Classify the rows of a table or the texts of a folder, block by block; they need not fit into memory."""
    from assay.data.write.rows import deliver, format_of
    from assay.notes.phrases import plural

    chosen = format_of(out, form)
    from assay.commands.predict.job import Predictions
    from assay.workbench.saved_model import load_table_model

    predictions = Predictions(
        load_table_model(model),
        source,
        proba=proba,
        most_probable=most_probable,
        query=query,
        missing=missing,
    )
    if as_json and out is None:
        columns = predictions.together()
        print_json(
            {"rows": predictions.rows, "counts": predictions.counts, **_notes(predictions.notes), **columns}
        )
        return
    deliver(predictions, out, chosen)
    for note in unless_ignored(predictions.notes):  # standard output holds the rows
        typer.echo(f"assay: {render(note, SHELL)}", err=True)
    if as_json:
        print_json(
            {"rows": predictions.rows, "counts": predictions.counts, **_notes(predictions.notes), "out": out}
        )
    elif out is not None and not quiet:
        counts = ", ".join(f"{count} {label}" for label, count in predictions.counts.items())
        prose(stdout_console(), f"{plural(predictions.rows, 'row')} written to {out}: {counts}.")


def _notes(notes: tuple[str, ...]) -> dict[str, list[str]]:
    return {"notes": list(notes)} if notes else {}
