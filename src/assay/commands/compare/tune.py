"""`assay tune`: one model over ranges of its hyperparameters, and the nested estimate of the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from assay.commands.compare.cli import exit_if_interrupted
from assay.commands.compare.run_options import RunOptions
from assay.engines.progress import progress_bar
from assay.notes import Note, render
from assay.notes.numbers import in_digits, plain_number, plain_percent
from assay.notes.phrases import plural
from assay.notes.voices import SHELL
from assay.terminal.console import heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import Source, Target, epilog
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.compare.comparison import Comparison
    from assay.workbench.experiment.evaluate_candidate import CandidateResult

MOST_ROWS = 40  # of the curve on a terminal; --json has all
Name = Annotated[str, typer.Option("--model", metavar="NAME", help="A model; `assay models` lists them.")]
Ranges = Annotated[
    list[str] | None,
    typer.Option(
        "--range",
        metavar="NAME=VALUES",
        help="Values to tune over: l2=0.1,1,10, n_neighbors=1..25, l2=1e-4..10:6 or shrinkage=0..1:5; may be repeated.",
    ),
]
Curve = Annotated[
    bool,
    typer.Option(
        "--curve",
        help="Show training against validation error over one --range, and which values are under- or over-fitted.",
    ),
]
EPILOG = epilog(
    "assay tune wine.csv --target cultivar --model knn --range n_neighbors=1..30 --rule one_se --out run/",
    "assay tune adult.csv --target income --model logistic --range l2=1e-5..1:12",
    "assay tune adult.csv --target income --model linear_svm --plan split:60/20/20",
    "assay tune wine.csv --target cultivar --model decision_tree --range max_depth=1..8 --curve",
)


def tune(
    source: Source,
    model: Name,
    target: Target = None,
    ranges: Ranges = None,
    curve: Curve = False,
    *,
    run: RunOptions,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Tune one model: the CV loss of all hyperparameters, those to use, and a nested error rate.

    Without --range, the values that `compare` uses are tried. With --curve nothing is selected: training error is shown
    beside validation error.
    """
    if curve:
        _tune_curve(source, model, target, ranges, run, reading, output)
        return
    options = run.arguments()
    with progress_bar(time_left=True, show=not output.quiet) as progress:
        from assay.commands.compare.tune_job import curve_figures, tune_table

        result = tune_table(
            source,
            target,
            model,
            ranges=ranges or (),
            progress=progress,
            **options,
            **source_options(**vars(reading)),
        )
        plain = curve_figures(result, model)
    if output.as_json:
        print_json(plain)
    else:
        _show(stdout_console(), result, model, output.quiet)
    exit_if_interrupted(result)


def _tune_curve(
    source: str,
    model: str,
    target: str | None,
    ranges: list[str] | None,
    run: RunOptions,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Training against validation error; nothing is selected, so options of a choice have no effect."""
    _check_curve_options(run)
    with progress_bar(show=not output.quiet) as progress:
        from assay.commands.compare.curve_job import curve_of_table

        result = curve_of_table(
            source,
            target,
            model,
            ranges or (),
            plan=run.scheme,
            random_state=run.seed,
            n_jobs=run.threads,
            groups=run.groups,
            weights=run.weights,
            split_repeats=run.split_repeats,
            out=run.out,
            progress=progress,
            **source_options(**vars(reading)),
        )
    figures = result.figures()
    if output.as_json:
        print_json(figures)
        return
    console = stdout_console()
    if not output.quiet:
        rows = plural(figures["rows"], "row")
        heading(console, f"{result.title}: {result.plan}, {rows}, error in %")
    _show_curve(console, figures)
    if not output.quiet:
        print_notes(console, figures["notes"])
        if result.page is not None:
            prose(console, f"Written to {result.page}; open it in a browser.")


def _check_curve_options(run: RunOptions) -> None:
    unused = {
        "--loss": run.loss is not None,
        "--priors": run.priors is not None,
        "--rule": run.rule != "min",
        "--metric": run.metric is not None,
        "--time": run.time is not None,
        "--positive": run.positive is not None,
        "--show": run.show is not None,
        "--resume": run.resume,
        "--noise-check": run.noise,
    }
    for option, given in unused.items():
        if given:
            raise ValueError(Note("C763", given=option))


def _show_curve(console: Console, figures: dict[str, Any]) -> None:
    """A line per value, the simplest model first, and what the curve says."""
    columns = [(figures["parameter"], "right"), ("training\nerror", "right"), ("validation\nerror", "right")]
    columns += [("standard\nerror", "right"), ("", "left")]
    lines = [
        [
            in_digits(point["value"], 4),
            plain_percent(point["training"]),
            plain_percent(point["validation"]),
            plain_percent(point["standard_error"]),
            point["label"] + (", least" if point["value"] == figures["best"] else ""),
        ]
        for point in figures["curve"]
    ]
    table(console, columns, lines)


def _show(console: Console, comparison: Comparison, model: str, quiet: bool) -> None:
    from assay.commands.compare.metric_notes import metric_name
    from assay.commands.compare.text import rows_and_groups, show_files
    from assay.workbench.syntax.plan import format_plan

    result = comparison.results[model]
    measure = "mean loss" if comparison.loss is not None else "error in %"
    if comparison.metric is not None:
        measure = metric_name(comparison, comparison.metric)
    if not quiet:
        rows = rows_and_groups(comparison)
        heading(console, f"{result.title}: {format_plan(comparison.plan)}, {rows}, {measure}")
    _show_settings(console, comparison, result)
    if quiet:
        return
    _show_choice(console, comparison, model)
    print_notes(console, (*comparison.notes, *result.notes))
    show_files(console, comparison)


def _show_settings(console: Console, comparison: Comparison, result: CandidateResult) -> None:
    """Every setting, the simplest first; the selected one in bold."""
    in_parts = comparison.plan.in_parts
    names = list(result.settings[0]) or ["setting"]
    columns = [(name, "right") for name in names]
    loss = "loss" if comparison.metric is None else comparison.metric.title
    columns += [(f"validation\n{loss}" if in_parts else f"CV {loss}", "right"), ("standard\nerror", "right")]
    columns += [] if in_parts else [("selected\nin folds", "right")]
    rows = _rows_of_settings(comparison, result)
    losses, final = result.nested.losses, result.nested.final
    best = set(sorted(range(len(rows)), key=lambda s: losses[s])[:MOST_ROWS]) | {final}
    table(console, [*columns, ("", "left")], [rows[s] for s in sorted(best)])
    if len(rows) > len(best):
        left = plural(len(rows) - len(best), "setting")
        prose(console, f"Not listed: {left} of larger loss; --json lists all.")


def _rows_of_settings(comparison: Comparison, result: CandidateResult) -> list[list[Text]]:
    """A line of the table per setting."""
    nested, metric = result.nested, comparison.metric
    show = plain_percent if comparison.loss is None and metric is None else plain_number
    losses = nested.losses if metric is None else [metric.loss(loss) for loss in nested.losses.tolist()]
    best = int(nested.losses.argmin())
    rows = []
    for s, setting in enumerate(result.settings):
        values = [_shown(value) for value in setting.values()] or ["no hyperparameters"]
        folds = [] if comparison.plan.in_parts else [str((nested.chosen == s).sum())]
        mark = "selected" if s == nested.final else "least" if s == best else ""
        cells = [*values, show(losses[s]), show(nested.standard_errors[s]), *folds, mark]
        rows.append([Text(cell, style="bold green" if s == nested.final else "") for cell in cells])
    return rows


def _shown(value: object) -> str:
    return in_digits(value, 4)


def _show_choice(console: Console, comparison: Comparison, model: str) -> None:
    """The selected setting, its nested estimate, and whether it beats the baseline."""
    from assay.commands.compare.verdict import how_chosen

    result = comparison.results[model]
    setting = ", ".join(f"{name}={_shown(value)}" for name, value in result.setting.items())
    name = f"{model} ({setting})" if setting else model
    console.print()
    choice = how_chosen(comparison, name, result.final_cv_loss, result.evaluation, result.selection_bias)
    prose(console, render(choice, SHELL))
    if comparison.noise:
        prose(console, render(comparison.noise, SHELL))
    if comparison.recommended != model:
        prose(console, render(comparison.verdict[0], SHELL))
        return
    difference = next((row.against_best for row in comparison.leaderboard if row.rank == 2), None)
    if difference is not None:
        prose(console, render(difference.verdict, SHELL))
