"""`assay evaluate`: options and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.notes.numbers import plain_percent, plain_percent_range
from assay.terminal.console import facts, heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.option_groups import OutputOptions
from assay.terminal.options import (
    Loss,
    MaybeTarget,
    Missing,
    Model,
    Priors,
    Query,
    Source,
    Weights,
    epilog,
)

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.evaluate.result import EvaluateResult

Dependent = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="COLUMN",
        help="Rows with the same value here (a patient, a device) may be similar; intervals count groups.",
    ),
]
CountRepeats = Annotated[
    bool,
    typer.Option(
        "--split-repeats", help="Intervals count every copy of a row; by default they count it once."
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
    split_repeats: CountRepeats = False,
    query: Query = None,
    missing: Missing = None,
    *,
    output: OutputOptions,
) -> None:
    """Test a saved model on labelled rows that it was not trained on."""
    from assay.commands.evaluate.job import evaluate_model
    from assay.notes.phrases import plural
    from assay.workbench.saved_model import load_table_model

    result = evaluate_model(
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
    if output.as_json:
        print_json(vars(result))
        return
    console = stdout_console()
    if not output.quiet:
        rows = plural(result.rows, "row")
        prose(console, f"{model} on {rows} of {result.source}, classes in column {result.target!r}.")
        console.print()
    _show_figures(console, result)
    if not output.quiet:
        _show_confusion(console, result)
        print_notes(console, result.notes)


def _show_figures(console: Console, result: EvaluateResult) -> None:
    lines = [
        ("error", f"{plain_percent(result.error)} % (95 % CI {plain_percent_range(result.error_interval)})")
    ]
    for name, value, interval in (
        ("mean loss", result.loss, result.loss_interval),
        ("log loss", result.log_loss, result.log_loss_interval),
        ("AUC", result.auc, result.auc_interval),
    ):
        if value is not None:
            ends = "" if interval is None else f" (95 % CI {interval[0]:.4f} to {interval[1]:.4f})"
            lines.append((name, f"{value:.4f}{ends}"))
    facts(console, lines)


def _show_confusion(console: Console, result: EvaluateResult) -> None:
    decided = result.actions is not None
    heading(
        console,
        f"Confusion matrix: true class (rows), {'action' if decided else 'predicted class'} (columns)",
    )
    columns = [("", "left"), *((str(name), "right") for name in result.actions or result.classes)]
    rows = [
        [str(label), *(f"{count}" if isinstance(count, int) else f"{count:.6g}" for count in counts)]
        for label, counts in zip(result.classes, result.decisions or result.confusion, strict=True)
    ]
    table(console, columns, rows)
