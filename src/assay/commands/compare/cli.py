"""`assay compare`: the whole question in one command."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from assay.notes import Note
from assay.notes.digits import number, number_range, percent, percent_range
from assay.terminal.console import (
    duration,
    facts,
    heading,
    lines_of_code,
    number_or_dash,
    progress_bar,
    prose,
    stdout_console,
    table,
)
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
from assay.workbench.syntax.settings import reading

if TYPE_CHECKING:
    from assay.commands.compare.comparison import Comparison, LeaderboardRow

INTERRUPTED = 130
Candidates = Annotated[
    str | None,
    typer.Option("--candidates", metavar="A,B", help="Only these models; `assay models` lists them."),
]
Plan = Annotated[
    str,
    typer.Option(
        "--plan",
        metavar="PLAN",
        help="kfold:10, kfold:5x3 (repeated three times), holdout:0.3, or split:60/20/20 (train, choose, test).",
    ),
]
Budget = Annotated[
    str, typer.Option("--budget", metavar="TIME", help="Leave out what takes longer: 90s, 10m, 1h or none.")
]
RunFolder = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="Keep results, report and model in this folder."),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on with an interrupted run in the folder of --out.")
]
Noise = Annotated[
    bool,
    typer.Option(
        "--noise-check", help="Do it once more on shuffled labels: does the procedure score chance there?"
    ),
]
KeepSuspects = Annotated[
    bool,
    typer.Option(
        "--keep-suspects",
        help="Run once, with columns that look filled in after the outcome; else without them, then with them.",
    ),
]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="N", min=1, help="Threads to use; all cores if not given.")
]
EPILOG = epilog(
    "assay compare adult.csv --target income --out run/",
    "assay compare newsgroups/ --out run/",
    "assay compare visits.csv --target relapse --groups patient",
    'assay compare credit.csv --target class --loss "good:bad=1,bad:good=5" --budget 30m',
)


def compare(
    source: Source,
    target: Target = None,
    loss: Loss = None,
    priors: Priors = None,
    candidates: Candidates = None,
    plan: Plan = "kfold:10",
    rule: Rule = "min",
    budget: Budget = "10m",
    seed: Seed = 0,
    out: RunFolder = None,
    resume: Resume = False,
    noise: Noise = False,
    threads: Threads = None,
    groups: Groups = None,
    weights: Weights = None,
    split_repeats: SplitRepeats = False,
    keep_suspects: KeepSuspects = False,
    types: Types = None,
    drop: Drop = None,
    no_fingerprint: NoFingerprint = False,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Find the best model for a table, and what choosing it this way really costs."""
    how = running(loss, priors, plan, rule, seed, out, resume, noise, split_repeats, threads)
    with progress_bar(time_left=True, lines=True, show=not quiet) as progress:
        from assay.commands.compare.job import compare as find_best
        from assay.commands.compare.result import figures

        found = find_best(
            source,
            target,
            candidates=candidates,
            budget=budget,
            keep_suspects=keep_suspects,
            progress=progress,
            **how,
            **reading(types, drop, query, missing, groups=groups, weights=weights),
            fingerprint=not no_fingerprint,
        )
        progress("putting the figures together", 1.0)
        plain = figures(found)
    print_json(plain) if as_json else _show(stdout_console(), found, quiet)
    end_of(found)


def running(
    loss: str | None,
    priors: str | None,
    plan: str,
    rule: str,
    seed: int,
    out: str | None,
    resume: bool,
    noise: bool,
    split_repeats: bool,
    threads: int | None,
) -> dict[str, Any]:
    """How a comparison is run, as `compare` and `tune_table` take it."""
    if resume and out is None:
        raise ValueError(Note("C019"))
    return {
        "loss": loss, "priors": priors, "plan": plan, "rule": rule, "random_state": seed, "out": out, "resume": resume,
        "noise_check": noise, "split_repeats": split_repeats, "n_jobs": threads,
    }  # fmt: skip


def end_of(found: Comparison) -> None:
    """The exit code of a run that somebody stopped."""
    if found.interrupted:
        raise typer.Exit(INTERRUPTED)


def _show(console: Console, found: Comparison, quiet: bool) -> None:
    from assay.workbench.syntax.settings import spell_plan

    if quiet:
        _show_board(console, found)
        return
    for sentence in found.verdict:
        prose(console, sentence, style="bold")
    _show_warnings(console, found)
    heading(console, f"Leaderboard: {spell_plan(found.plan)}, {rows_of(found)}, errors in %")
    _show_board(console, found)
    _show_choice(console, found)
    if found.omitted:
        heading(console, "Omitted")
        facts(console, [(name, for_shell(reason)) for name, reason in found.omitted.items()])
    if found.notes:
        heading(console, "Notes")
        for note in found.notes:
            prose(console, for_shell(note))
    show_files(console, found)


def rows_of(found: Comparison) -> str:
    """How many rows there are, and of how many groups."""
    from assay.notes.phrases import plural

    groups = found.bench.problem.groups
    return plural(found.n_rows, "row") + ("" if groups is None else f" in {plural(groups.count, 'group')}")


def _show_warnings(console: Console, found: Comparison) -> None:
    warnings = [each for each in found.diagnosis.findings if each.warn]
    if warnings:
        heading(console, "Warnings")
        for each in warnings:
            prose(console, for_shell(each.sentence), style="yellow")


def _show_board(console: Console, found: Comparison) -> None:
    from assay.notes.phrases import plural

    costs = found.loss is not None
    columns = [("model", "left"), ("scored", "right"), ("error", "right"), ("95 %\ninterval", "left")]
    columns += [("mean\nloss", "right"), ("95 %\ninterval", "left")] if costs else []
    columns += [("log\nloss", "right"), ("AUC", "right"), ("fit", "right"), ("per\nrow", "right")]
    few = plural(min(standing.small_rows for standing in found.leaderboard), "row")
    columns += [(f"error of\n{few}", "right"), ("to read", "left")]
    rows = [[Text(cell, style=_style(each)) for cell in _row(each, costs)] for each in found.leaderboard]
    table(console, columns, rows)


def _row(each: LeaderboardRow, costs: bool) -> list[str]:
    loss = [number(each.loss), number_range(each.loss_interval)] if costs else []
    return [
        each.name,
        number(each.scored) if costs else percent(each.scored),
        percent(each.error),
        percent_range(each.error_interval),
        *loss,
        number_or_dash(each.log_loss, 3 if each.log_loss is None or each.log_loss < 100 else 0),
        number_or_dash(each.auc, 3),
        duration(each.fit_seconds),
        _per_row(each.predict_seconds),
        percent(each.small_error),
        each.reading,
    ]


def _per_row(seconds: float) -> str:
    return f"{1e6 * seconds:.{1 if seconds < 1e-5 else 0}f} us" if seconds < 1e-3 else duration(seconds)


def _style(each: LeaderboardRow) -> str:
    """The best in bold, models that the folds tell apart from it dimmed."""
    if each.rank == 1:
        return "bold green"
    return "dim" if each.against_best is not None and each.against_best.clear else ""


def _show_choice(console: Console, found: Comparison) -> None:
    """What the winner scored, what the procedure scores, and the difference."""
    from assay.notes.phrases import choosing_inside, chosen_on

    winner, honest = found.leaderboard[0], found.honest
    name, setting = winner.name, ", ".join(f"{key}={value}" for key, value in winner.setting.items())
    what = f"{name} ({setting})" if setting else name
    console.print()
    if found.loss is None:
        scored, tested = f"{percent(winner.scored)} %", f"{percent(honest.error)} %"
        span, gap = percent_range(honest.error_interval), f"{100 * found.optimism:+.1f} points"
    else:
        scored, tested = number(winner.scored), number(honest.mean_loss())
        span, gap = number_range(honest.interval("loss")), f"{found.optimism:+.3g}"
    figure = "error" if found.loss is None else "loss"
    how = choosing_inside(found.plan.in_parts, "among all candidates and settings ")
    prose(
        console,
        f"{what} scored {scored} on {chosen_on(found.plan.in_parts)} it was chosen on. {how}, "
        f"gives an honest {figure} of {tested} ({span}); the optimism of the choice is {gap}.",
    )
    if found.noise:
        console.print()
        prose(console, found.noise)
    second = next((each for each in found.leaderboard[1:] if each.name != "baseline"), None)
    if second is not None and second.against_best is not None:
        console.print()
        prose(console, f"Is the lead real? {second.against_best.verdict}")


def _show_with_suspects(console: Console, found: Comparison) -> None:
    """Where the comparison with the leak suspects lies."""
    from assay.commands.compare.result import files_with_suspects
    from assay.notes.phrases import spell_columns

    there = files_with_suspects(found)
    if there["report"] and there["model"]:
        names = spell_columns(found.suspects)
        prose(console, f"With {names}: {there['report']} and {there['model']}")


def show_files(console: Console, found: Comparison) -> None:
    from assay.commands.compare.result import files
    from assay.workbench.experiment.reproduce import use

    there = files(found)
    heading(console, "Next")
    if there["folder"] is None:
        prose(console, "Nothing was kept; --out FOLDER keeps the results, a report and the model:")
        lines_of_code(console, [found.commands[0] + " --out run"])
        return
    if found.interrupted:
        prose(console, "Go on with it:")
        lines_of_code(console, [found.commands[0] + " --resume"])
    if there["report"]:
        prose(console, f"Report: {there['report']} (open it in a browser)")
    if there["model"]:
        prose(console, f"Model:  {there['model']}")
        lines_of_code(console, use(found, there["model"]))
        _show_with_suspects(console, found)
        if found.recommended is None:
            best = found.results[found.best_name].title
            prose(console, f"The model file is written all the same: {best}, which is not recommended.")
    else:
        prose(console, f"The model could not be stored; the log in {there['folder']} says why.")
