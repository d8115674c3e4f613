"""`assay evaluate`: options and text."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from assay.commands.evaluate.text import print_evaluation
from assay.engines.progress import progress_bar
from assay.terminal.console import stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import Loss, MaybeTarget, Priors, Seed, Settings, Weights, epilog
from assay.workbench.syntax.settings import source_options

First = Annotated[
    str,
    typer.Argument(
        metavar="MODEL|SOURCE", help="A model file, written by fit or compare; with --plan the table."
    ),
]
Second = Annotated[
    str | None,
    typer.Argument(metavar="[SOURCE]", help="The labelled rows to test the model on; not with --plan."),
]
PlanModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="NAME",
        help="With --plan: a model, as listed by `assay models`, or a model file, whose settings are refitted.",
    ),
]
Scheme = Annotated[
    str | None,
    typer.Option(
        "--plan",
        metavar="SCHEME",
        help="Cross-validate --model: kfold:10, kfold:5x3, loo, bootstrap:200, subsample:10x0.1, holdout:0.3.",
    ),
]
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
EPILOG = epilog(
    'assay evaluate model.assay new.csv --loss "good:bad=5"',
    "assay evaluate wine.csv --target cultivar --model knn --set n_neighbors=3 --plan loo",
    "assay evaluate wine.csv --target cultivar --model logistic --plan bootstrap:200",
)


def evaluate(
    first: First,
    second: Second = None,
    target: MaybeTarget = None,
    model: PlanModel = None,
    plan: Scheme = None,
    setting: Settings = None,
    loss: Loss = None,
    priors: Priors = None,
    groups: Dependent = None,
    weights: Weights = None,
    split_repeats: CountRepeats = False,
    seed: Seed = 0,
    *,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Test a saved model on labelled rows that it was not trained on; or cross-validate a model on a table.

    With --plan the model is fitted again in every split; the bootstrap gives the .632 and .632+ estimates.
    """
    _check_use(first, second, model, plan, setting, reading)
    shared: dict[str, Any] = {
        "loss": loss,
        "priors": priors,
        "groups": groups,
        "weights": weights,
        "split_repeats": split_repeats,
    }
    with progress_bar(show=not output.quiet) as progress:
        if plan is None:
            result = _saved_model(first, second, target, reading, **shared)
        else:
            refits = {"settings": setting or (), "random_state": seed, "progress": progress}
            result = _under_plan(str(model), first, target, plan, reading, **refits, **shared)
    if output.as_json:
        print_json(vars(result))
    else:
        print_evaluation(stdout_console(), result, first, output.quiet)


def _saved_model(
    model: str, source: str | None, target: str | None, reading: ReadingOptions, **options: Any
) -> Any:
    from assay.commands.evaluate.job import evaluate_model
    from assay.workbench.saved_model import load_table_model

    table_model = load_table_model(model)
    return evaluate_model(
        table_model, source, target, query=reading.query, missing=reading.missing, **options
    )


def _under_plan(
    model: str, source: str, target: str | None, plan: str, reading: ReadingOptions, **options: Any
) -> Any:
    from assay.commands.evaluate.resampling import evaluate_under_plan

    return evaluate_under_plan(model, source, target, plan, **options, **source_options(**vars(reading)))


def _check_use(
    first: str,
    second: str | None,
    model: str | None,
    plan: str | None,
    setting: list[str] | None,
    reading: ReadingOptions,
) -> None:
    """Either a model file and rows, or a table with --model and --plan."""
    from assay.notes import Note

    if plan is not None:
        if second is not None:
            raise ValueError(Note("C754", first=first, second=second))
        if model is None:
            raise ValueError(Note("C753"))
        return
    alone = {"--model": model, "--set": setting, "--type": reading.types, "--drop": reading.drop}
    for option, value in alone.items():
        if value is not None:
            raise ValueError(Note("C756", given=option))
    if second is None:
        raise ValueError(Note("C755", given=first))
