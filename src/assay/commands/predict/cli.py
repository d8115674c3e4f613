"""`assay predict`: options and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.terminal.console import prose, stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.notes import labelled, unless_ignored
from assay.terminal.option_groups import OutputOptions
from assay.terminal.options import Missing, Model, Query, RowsFormat, RowsOut, Source, epilog

if TYPE_CHECKING:
    from assay.commands.predict.job import Predictions

EPILOG = epilog(
    "assay predict model.assay new.csv > predicted.csv",
    "assay predict model.assay new.parquet --proba --out posteriors.parquet",
)
Posteriors = Annotated[
    bool,
    typer.Option("--proba", help="Also write the posterior probability of every class, as columns P(class)."),
]
MostProbable = Annotated[
    bool,
    typer.Option(
        "--most-probable",
        help="Write the most probable class, not the action of least loss, if the model has costs.",
    ),
]


def predict(
    model: Model,
    source: Source,
    proba: Posteriors = False,
    most_probable: MostProbable = False,
    out: RowsOut = None,
    form: RowsFormat = None,
    query: Query = None,
    missing: Missing = None,
    *,
    output: OutputOptions,
) -> None:
    """Classify the rows of a table or the texts of a folder, block by block; they need not fit into memory."""
    from assay.data.write.rows import deliver, format_of
    from assay.notes.phrases import plural

    chosen = format_of(out, form)
    from assay.commands.predict.job import Predictions
    from assay.workbench.saved_model import load_table_model

    options: dict[str, Any] = {
        "proba": proba,
        "most_probable": most_probable,
        "query": query,
        "missing": missing,
    }
    predictions = Predictions(load_table_model(model), source, **options)
    if output.as_json and out is None:
        columns = predictions.together()
        print_json({**_figures(predictions), **columns})
        return
    deliver(predictions, out, chosen)
    for note in unless_ignored(predictions.notes):  # standard output holds the rows
        typer.echo(f"assay: {labelled(note)}", err=True)
    if output.as_json:
        print_json({**_figures(predictions), "out": out})
    elif out is not None and not output.quiet:
        counts = ", ".join(f"{count} {label}" for label, count in predictions.counts.items())
        prose(stdout_console(), f"{plural(predictions.rows, 'row')} written to {out}: {counts}.")


def _figures(predictions: Predictions) -> dict[str, object]:
    """What is known once all rows are predicted."""
    notes = {"notes": list(predictions.notes)} if predictions.notes else {}
    return {"rows": predictions.rows, "counts": predictions.counts, **notes}
