"""`assay evaluate`: how a saved model does on labelled rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.notes.numbers import plain_percent, plain_percent_range
from assay.terminal.console import facts, heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.options import (
    AsJson,
    Ignore,
    Loss,
    MaybeTarget,
    Missing,
    Model,
    Priors,
    Query,
    Quiet,
    Source,
    SplitRepeats,
    Weights,
    epilog,
)

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.evaluate.job import Assessment

Dependent = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="COLUMN",
        help="Rows with the same value here (a patient, a device) may be alike: intervals count groups.",
    ),
]
EPILOG = epilog('assay evaluate model.assay new.csv --loss "good:bad=5"')


def evaluate(
    model: Model,
    source: Source,
    target: MaybeTarget = None,
    loss: Loss = None,
    priors: Priors = None,
    groups: Dependent = None,
    weights: Weights = None,
    split_repeats: SplitRepeats = False,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Test a saved model on rows whose class is known and that it was not trained on."""
    from assay.commands.evaluate.job import assess
    from assay.notes.phrases import plural
    from assay.workbench.saved_model import load_table_model

    found = assess(
        load_table_model(model),
        source,
        target,
        loss=loss,
        priors=priors,
        query=query,
        missing=missing,
        groups=groups,
        weights=weights,
        split_repeats=split_repeats,
    )
    if as_json:
        print_json(vars(found))
        return
    console = stdout_console()
    if not quiet:
        rows = plural(found.rows, "row")
        prose(console, f"{rows} of {found.source}, column {found.target}, tested with {model}.")
        console.print()
    _show_figures(console, found)
    if not quiet:
        _show_confusion(console, found)
        print_notes(console, found.notes)


def _show_figures(console: Console, found: Assessment) -> None:
    lines = [("error", f"{plain_percent(found.error)} % ({plain_percent_range(found.error_interval)})")]
    for name, value, interval in (
        ("mean loss", found.loss, found.loss_interval),
        ("log loss", found.log_loss, found.log_loss_interval),
        ("AUC", found.auc, found.auc_interval),
    ):
        if value is not None:
            span = "" if interval is None else f" ({interval[0]:.4f} to {interval[1]:.4f})"
            lines.append((name, f"{value:.4f}{span}"))
    facts(console, lines)


def _show_confusion(console: Console, found: Assessment) -> None:
    decided = found.actions is not None
    heading(console, f"True class (rows) against {'action' if decided else 'predicted class'} (columns)")
    columns = [("", "left"), *((str(name), "right") for name in found.actions or found.classes)]
    rows = [
        [str(label), *(f"{count}" if isinstance(count, int) else f"{count:.6g}" for count in counts)]
        for label, counts in zip(found.classes, found.decisions or found.confusion, strict=True)
    ]
    table(console, columns, rows)
