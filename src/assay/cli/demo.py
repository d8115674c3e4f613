"""`assay demo`: prints what the workbench found, part by part as it is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from assay import __version__
from assay.cli.options import epilog
from assay.cli.output import (
    duration,
    heading,
    lines_of_code,
    number_or_dash,
    progress_bar,
    prose,
    stdout_console,
    strip,
    table,
)
from assay.workbench.digits import percent, percent_range

if TYPE_CHECKING:
    from assay.workbench.demo import DataSummary, Race, Section
    from assay.workbench.demonstration.costs import CostExample
    from assay.workbench.demonstration.leaderboard import Leaderboard, Standing

EPILOG = epilog("assay demo --quiet")
STRIP, ROOM_FOR_STRIP = 28, 112  # columns of the drawn intervals, and of the terminal that has room for them


def demo(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object with all figures.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print the leaderboard only; no decision, no race.")
    ] = False,
    race_rows: Annotated[
        int, typer.Option(help="Rows of the race against scikit-learn, 500 to 1000000.", metavar="N")
    ] = 30_000,
) -> None:
    """Evaluate the Gaussian family on a bundled data set, decide with costs, and race scikit-learn."""
    found = _sections(race_rows, quiet)
    if as_json:
        parts: dict[str, Any] = {"assay": __version__}
        parts |= {section.key: asdict(section) for section in found}
        typer.echo(json.dumps(parts, indent=2, allow_nan=False))
        return
    console = stdout_console()
    for section in found:
        for show in (_SHOW_QUIET if quiet else _SHOW).get(section.key, ()):
            show(console, section)
    if not quiet:
        show_next(console)


def _sections(race_rows: int, board_only: bool) -> Iterator[Section]:
    """The workbench's sections; while one is computed a bar is on the screen, while it is shown none is."""
    with progress_bar() as report:
        report("loading scikit-learn", 0.0)
        from assay.workbench.demo import sections  # here, so that --help does not load scikit-learn

        current: list[Callable[[str, float], None]] = [report]
        coming = sections(
            race_rows=race_rows, board_only=board_only, report=lambda doing, share: current[0](doing, share)
        )
        section = next(coming, None)
    while section is not None:
        yield section
        with progress_bar() as report:
            current[0] = report
            section = next(coming, None)


def show_data(console: Console, data: DataSummary) -> None:
    console.print(Text(f"Assay {__version__}: which classifier, how wrong, and what to do", style="bold"))
    heading(console, "1  The data")
    shares = ", ".join(f"{n} {label} ({percent(n / data.rows)} %)" for label, n in data.classes.items())
    prose(
        console, f"{data.name}, {data.source}: {data.rows} patients, {data.features} measurements of cells."
    )
    prose(console, f"Classes: {shares}.")


def show_leaderboard(console: Console, board: Leaderboard) -> None:
    heading(console, "2  Leaderboard: ten-fold, leave-one-out and bootstrap .632+, errors in %")
    show_board(console, board)
    console.print()
    prose(
        console,
        "The interval is where the error on new patients of this kind plausibly lies (95 %); where intervals "
        "overlap, rank alone is no difference, and only a test on the same folds can show one.",
    )
    prose(console, _best_two(board))
    prose(console, _told_apart(board))
    prose(
        console,
        "AIC, BIC: smaller is better; a dash where a model has no likelihood or does not maximise it. Rows named "
        "after a covariance are GaussianClassifier; naive Bayes and diagonal are one model under two names.",
        style="dim",
    )
    for note in board.notes:
        prose(console, f"Note: {note}")


def show_board(console: Console, board: Leaderboard) -> None:
    columns = [
        ("model", "left"),
        ("10-fold\nerror", "right"),
        ("95 %\ninterval", "left"),
        ("log\nloss", "right"),
    ]
    columns += [("leave\n1 out", "right"), (".632+\nerror", "right"), ("AIC", "right"), ("BIC", "right")]
    most = max(standing.error_interval[1] for standing in board.standings)
    drawn = console.is_terminal and not console.options.ascii_only and console.width >= ROOM_FOR_STRIP
    if drawn:
        columns.append((f"0 to {percent(most)} %", "left"))
    rows = []
    for standing in board.standings:
        row = _row(standing)
        if drawn:
            row.append(
                strip(standing.error_interval[0], standing.error, standing.error_interval[1], most, STRIP)
            )
        rows.append([Text(cell, style=_style(standing)) for cell in row])
    table(console, columns, rows)


def _row(standing: Standing) -> list[str]:
    return [
        standing.name,
        percent(standing.error),
        percent_range(standing.error_interval),
        number_or_dash(standing.log_loss, 3),
        percent(standing.leave_one_out_error),
        percent(standing.error_632_plus),
        number_or_dash(standing.aic, 0),
        number_or_dash(standing.bic, 0),
    ]


def _style(standing: Standing) -> str:
    """The best in bold, models that the data tell apart from it dimmed."""
    if standing.against_best is None:
        return "bold green"
    return "dim" if standing.against_best.clear else ""


def _best_two(board: Leaderboard) -> str:
    """The best model against the next that predicts anything differently, in words."""
    best = board.standings[0].name
    twins = [s.name for s in board.standings[1:] if s.like_best]
    tests = [s.against_best for s in board.standings if not s.like_best and s.against_best is not None]
    said = f"Here {' and '.join(twins)} predict what {best} predicts, row for row. " if twins else ""
    if not tests:
        return said + "No model predicts anything else."
    low, high = (100 * end for end in tests[0].interval)
    verdict = "a clear difference" if tests[0].clear else "no difference that these patients can show"
    return said + (
        f"{best} and {tests[0].name}, the next, differ by {100 * tests[0].difference:.1f} points "
        f"({low:.1f} to {high:.1f}, corrected resampled t-test): {verdict}."
    )


def _told_apart(board: Leaderboard) -> str:
    clear = [s.name for s in board.standings if s.against_best is not None and s.against_best.clear]
    named = ", ".join(clear) if clear else "none"
    return (
        f"Told apart from the best by that test, each pair by itself: {named}. The test is cautious, because "
        "folds share training rows."
    )


def show_times(console: Console, board: Leaderboard) -> None:
    heading(console, "3  Times: one call a plan, all models together")
    rows = [
        [
            each.plan,
            f"{each.splits:,} splits x {each.models} models",
            f"{each.fits:,}",
            duration(each.seconds),
        ]
        for each in board.times
    ]
    columns = [("plan", "left"), ("what it covers", "left"), ("fits it replaces", "right"), ("took", "right")]
    table(console, columns, rows)


def show_costs(console: Console, example: CostExample) -> None:
    heading(console, "4  A decision with costs")
    names = list(next(iter(example.costs.values())))
    table(
        console,
        [("cost, if in truth", "left"), *((name, "right") for name in names)],
        [[truth, *(f"{row[name]:g}" for name in names)] for truth, row in example.costs.items()],
    )
    console.print()
    prose(
        console,
        f"All {example.rows} patients, each judged by the {example.model} model of the folds without them:",
    )
    columns = [("decided by", "left"), ("changed", "right"), ("missed", "right"), ("false\nalarms", "right")]
    columns += [("asked", "right"), ("mean\ncost", "right"), ("95 %\ninterval", "left")]
    rows = [
        [o.rule, f"{o.changed}", f"{o.missed}", f"{o.false_alarms}", f"{o.asked}", f"{o.mean_loss:.3f}"]
        + [f"{o.interval[0]:.3f} to {o.interval[1]:.3f}"]
        for o in example.outcomes
    ]
    table(console, columns, rows)
    low, high = example.saving_interval
    prose(console, f"Saved per patient, first rule to last: {example.saving:.3f} ({low:.3f} to {high:.3f}).")
    console.print()
    _case(console, example)


def _case(console: Console, example: CostExample) -> None:
    case = example.case
    posterior = ", ".join(f"{name} {p:.3f}" for name, p in case.posterior.items())
    why = "missed by its most probable class and not by the costs" if case.rescued else "whose action changes"
    prose(console, f"Row {case.row} of the data, in truth {case.truth}: the first {why}.")
    mark = {case.most_probable: "most probable", case.decision: "decided"}
    rows: list[list[str | Text]] = [
        [Text(name, style="bold green" if name == case.decision else ""), f"{risk:.3f}", mark.get(name, "")]
        for name, risk in case.risks.items()
    ]
    prose(console, f"Posterior: {posterior}.")
    table(console, [("action", "left"), ("expected cost", "right"), ("", "left")], rows)


def show_race(console: Console, race: Race) -> None:
    heading(console, f"5  The same folds in scikit-learn: run live, median of {race.rounds} alternating runs")
    prose(
        console,
        f"{race.rows:,} x {race.features} numbers (patients drawn again, with noise), {race.folds} folds; "
        "cross_val_score, model by model, against one evaluate call that also keeps every posterior.",
    )
    columns = [("model", "left"), ("scikit-learn", "left"), ("its\ntime", "right"), ("its\nerrors", "right")]
    columns += [("our\nerrors", "right")]
    rows: list[list[str | Text]] = [
        [e.model, e.rival, duration(e.rival_seconds), f"{e.rival_wrong:,}", f"{e.wrong:,}"]
        for e in race.entries
    ]
    table(console, columns, rows)
    worst = max(entry.largest_fold_difference for entry in race.entries)
    agree = "equal in every fold" if worst < 1e-12 else f"within {worst:.1g} of each other in every fold"
    blas = "all BLAS threads" if race.rival_blas_threads is None else "one BLAS thread"
    console.print()
    prose(
        console,
        f"scikit-learn, {len(race.entries)} models: {duration(race.rival_seconds)} with {blas}, the quicker setting "
        f"in a trial just before. Assay, one call on {race.threads} thread{'s' if race.threads > 1 else ''}: "
        f"{duration(race.seconds)}. Errors {agree}.",
    )
    low, high = min(race.ratios), max(race.ratios)
    prose(console, f"Ratio: {race.ratio:.0f} x ({low:.0f} to {high:.0f} over the runs).", style="bold green")


def show_next(console: Console) -> None:
    heading(console, "6  Next")
    prose(console, "On your own data, in Python (more in docs/demo.md):")
    lines_of_code(
        console,
        [
            "from assay import GaussianClassifier, KFold, evaluate",
            'result = evaluate(GaussianClassifier("shared"), X, y, KFold(10))',
            "print(result, result.confusion, result.decide(your_costs).actions)",
        ],
    )
    prose(console, "All figures of this page, and the careful measurement of speed:")
    lines_of_code(console, ["assay demo --json > demo.json", "make bench"])


_Show = Callable[[Console, Any], None]
_SHOW: dict[str, tuple[_Show, ...]] = {
    "data": (show_data,),
    "leaderboard": (show_leaderboard, show_times),
    "decision": (show_costs,),
    "race": (show_race,),
}
_SHOW_QUIET: dict[str, tuple[_Show, ...]] = {"leaderboard": (show_board,)}
