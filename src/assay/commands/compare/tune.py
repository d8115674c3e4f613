"""`assay tune`: one model over ranges of its parameters, and what the choice is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from assay.commands.compare.cli import (
    Noise,
    Plan,
    Resume,
    RunFolder,
    Threads,
    end_of,
    rows_of,
    running,
    show_files,
)
from assay.engines.progress import progress_bar
from assay.notes.numbers import in_digits
from assay.notes.numbers import plain_number as number
from assay.notes.numbers import plain_number_range as number_range
from assay.notes.numbers import plain_percent as percent
from assay.notes.numbers import plain_percent_range as percent_range
from assay.terminal.console import heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.options import (
    AsJson,
    Drop,
    Groups,
    Ignore,
    Loss,
    Missing,
    NoFingerprint,
    Priors,
    Query,
    Quiet,
    Rule,
    Seed,
    Source,
    SplitRepeats,
    Target,
    Types,
    Weights,
    epilog,
)
from assay.terminal.wording import for_shell
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.compare.comparison import Comparison

MOST_ROWS = 40  # of the curve on a terminal; --json has all
Name = Annotated[str, typer.Option("--model", metavar="NAME", help="A name that `assay models` lists.")]
Ranges = Annotated[
    list[str] | None,
    typer.Option(
        "--range",
        metavar="NAME=VALUES",
        help="Values to try: l2=0.1,1,10, n_neighbors=1..25, l2=1e-4..10:6 or shrinkage=0..1:5; may be repeated.",
    ),
]
EPILOG = epilog(
    "assay tune wine.csv --target cultivar --model knn --range n_neighbors=1..30 --rule one_se --out run/",
    "assay tune adult.csv --target income --model logistic --range l2=1e-5..1:12",
    "assay tune adult.csv --target income --model linear_svm --plan split:60/20/20",
)


def tune(
    source: Source,
    model: Name,
    target: Target = None,
    ranges: Ranges = None,
    rule: Rule = "min",
    loss: Loss = None,
    priors: Priors = None,
    plan: Plan = "kfold:10",
    seed: Seed = 0,
    out: RunFolder = None,
    resume: Resume = False,
    noise: Noise = False,
    threads: Threads = None,
    groups: Groups = None,
    weights: Weights = None,
    split_repeats: SplitRepeats = False,
    types: Types = None,
    drop: Drop = None,
    no_fingerprint: NoFingerprint = False,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Tune one model: the loss of every setting on the same folds, the one to use, and an honest error of the choice.

    Without --range, over the values that `compare` tries.
    """
    how = running(loss, priors, plan, rule, seed, out, resume, noise, split_repeats, threads)
    with progress_bar(time_left=True, show=not quiet) as progress:
        from assay.commands.compare.tune_job import curve_figures, tune_table

        found = tune_table(
            source,
            target,
            model,
            ranges=ranges or (),
            progress=progress,
            fingerprint=not no_fingerprint,
            **how,
            **source_options(types, drop, query, missing, groups=groups, weights=weights),
        )
        plain = curve_figures(found, model)
    if as_json:
        print_json(plain)
    else:
        _show(stdout_console(), found, model, quiet)
    end_of(found)


def _show(console: Console, found: Comparison, model: str, quiet: bool) -> None:
    from assay.workbench.syntax.plan import format_plan

    costs = found.loss is not None
    what = "mean loss" if costs else "error in %"
    if not quiet:
        heading(console, f"{found.results[model].title}: {format_plan(found.plan)}, {rows_of(found)}, {what}")
    _show_curve(console, found, model)
    if quiet:
        return
    _show_choice(console, found, model)
    for note in (*found.notes, *found.results[model].notes):
        prose(console, f"Note: {for_shell(note)}")
    show_files(console, found)


def _show_curve(console: Console, found: Comparison, model: str) -> None:
    """Every setting, the simplest first; the one to use in bold."""
    from assay.notes.phrases import chosen_on

    result = found.results[model]
    show = number if found.loss is not None else percent
    nested = result.nested
    names = list(result.settings[0]) or ["setting"]
    columns = [(name, "right") for name in names]
    columns += [(f"on {chosen_on(found.plan.in_parts)}", "right"), ("standard\nerror", "right")]
    inside = not found.plan.in_parts  # of three parts, only one chooses
    columns += [("chosen\ninside", "right")] * inside + [("", "left")]
    wins = [[str((nested.chosen == s).sum())] * inside for s in range(len(result.settings))]
    best = int(nested.losses.argmin())
    rows = []
    for s, setting in enumerate(result.settings):
        mark = "in use" if s == nested.final else "least" if s == best else ""
        cells = [*(map(_shown, setting.values())), show(nested.losses[s]), show(nested.standard_errors[s])]
        cells = cells if setting else ["as it is", *cells]
        style = "bold green" if s == nested.final else ""
        rows.append((s, [Text(cell, style=style) for cell in (*cells, *wins[s], mark)]))
    kept = sorted(rows, key=lambda row: nested.losses[row[0]])[:MOST_ROWS]
    listed = [
        cells
        for s, cells in sorted(kept + [row for row in rows if row[0] == nested.final and row not in kept])
    ]
    table(console, columns, listed)
    if len(rows) > len(listed):
        prose(
            console, f"{len(rows) - len(listed)} settings that did worse are not listed; --json has them all."
        )


def _shown(value: object) -> str:
    return in_digits(value, 4)


def _show_choice(console: Console, found: Comparison, model: str) -> None:
    from assay.notes.phrases import choosing_inside, chosen_on

    result = found.results[model]
    evaluation = result.evaluation
    if found.loss is None:
        scored, honest = f"{percent(result.scored)} %", f"{percent(evaluation.error)} %"
        span, gap = percent_range(evaluation.error_interval), f"{100 * result.optimism:+.1f} points"
    else:
        scored, honest = number(result.scored), number(evaluation.mean_loss())
        span, gap = number_range(evaluation.interval("loss")), f"{result.optimism:+.3g}"
    setting = ", ".join(f"{name}={_shown(value)}" for name, value in result.setting.items()) or "as it is"
    figure = "error" if found.loss is None else "loss"
    console.print()
    prose(
        console,
        f"In use: {setting}, {scored} on {chosen_on(found.plan.in_parts)} it was chosen on. "
        f"{choosing_inside(found.plan.in_parts)}, gives an honest {figure} of {honest} ({span}); "
        f"the optimism of the choice is {gap}.",
    )
    if found.noise:
        prose(console, found.noise)
    if found.recommended != model:
        prose(console, found.verdict[0])
        return
    against = next((s.against_best for s in found.leaderboard if s.rank == 2), None)
    if against is not None:
        prose(console, against.verdict)
