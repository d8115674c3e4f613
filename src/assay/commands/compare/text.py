"""A comparison in the terminal: verdict, warnings, leaderboard, choice, omitted candidates, files."""

from __future__ import annotations

import shlex

from rich.console import Console
from rich.text import Text

from assay.commands.compare.comparison import Comparison
from assay.commands.compare.figures import files, files_with_suspects
from assay.commands.compare.metric_notes import metric_name
from assay.commands.compare.result import ComparisonResult, LeaderboardRow, ShownMetric
from assay.commands.compare.verdict import how_chosen
from assay.decision.metrics import Metric
from assay.notes import Note, render
from assay.notes.numbers import (
    format_duration,
    plain_number,
    plain_number_range,
    plain_percent,
    plain_percent_range,
)
from assay.notes.phrases import plural, spell_columns
from assay.notes.voices import SHELL
from assay.terminal.console import facts, heading, lines_of_code, number_or_dash, prose, table
from assay.terminal.notes import print_notes, unless_ignored
from assay.workbench.experiment.procedure import BASELINE
from assay.workbench.experiment.reproduce import predict_commands, resume_commands
from assay.workbench.syntax.plan import format_plan


def show_comparison(console: Console, result: Comparison, quiet: bool) -> None:
    """Everything that `assay compare` prints; with `quiet` the leaderboard alone."""
    if quiet:
        _show_leaderboard(console, result)
        return
    for statement in result.verdict:
        prose(console, render(statement, SHELL), style="bold")
    _show_warnings(console, result)
    heading(console, f"Leaderboard: {format_plan(result.plan)}, {rows_and_groups(result)}, errors in %")
    _show_leaderboard(console, result)
    _show_choice(console, result)
    if result.omitted:
        heading(console, "Omitted")
        facts(console, [(name, render(reason, SHELL)) for name, reason in result.omitted.items()])
    sampled = () if result.sampled is None else (result.sampled,)
    if notes := unless_ignored((*result.notes, *sampled)):
        heading(console, "Notes")
        print_notes(console, notes, listed=True)
    show_files(console, result)


def rows_and_groups(result: ComparisonResult) -> str:
    """How many rows there are, and how many groups."""
    groups = result.bench.problem.groups
    return plural(result.n_rows, "row") + ("" if groups is None else f" in {plural(groups.count, 'group')}")


def _show_warnings(console: Console, result: ComparisonResult) -> None:
    if warnings := unless_ignored(finding.sentence for finding in result.diagnosis.warnings):
        heading(console, "Warnings")
        print_notes(console, warnings, "yellow", listed=True)


def _show_leaderboard(console: Console, result: ComparisonResult) -> None:
    costs = result.loss is not None
    scored = "CV loss" if result.metric is None else f"CV\n{result.metric.title}"
    columns = [("model", "left"), (scored, "right"), ("error", "right"), ("95 % CI", "left")]
    for metric in result.bench.metrics.shown:
        columns += [(metric_name(result, metric).replace(" of ", "\nof "), "right"), ("95 % CI", "left")]
    columns += [("mean\nloss", "right"), ("95 % CI", "left")] if costs else []
    columns += [("log\nloss", "right"), ("AUC", "right"), ("fit\ntime", "right"), ("predict\n/ row", "right")]
    fewest = min(row.small_rows for row in result.leaderboard)
    columns += [(f"error,\nn={fewest}", "right"), ("interpretability", "left")]
    rows = [
        [
            Text(cell, style=_style(row))
            for cell in _cells(row, result.results[row.name].label, result.metric, costs)
        ]
        for row in result.leaderboard
    ]
    table(console, columns, rows)


def _cells(row: LeaderboardRow, label: str, metric: Metric | None, costs: bool) -> list[str]:
    loss = [plain_number(row.loss), plain_number_range(row.loss_interval)] if costs else []
    scored = plain_number(row.scored) if costs else plain_percent(row.scored)
    return [
        label,
        plain_number(metric.loss(row.scored)) if metric is not None else scored,
        plain_percent(row.error),
        plain_percent_range(row.error_interval),
        *(cell for shown in row.metrics.values() for cell in _metric_cells(shown)),
        *loss,
        number_or_dash(row.log_loss, 3 if row.log_loss is None or row.log_loss < 100 else 0),
        number_or_dash(row.auc, 3),
        format_duration(row.fit_seconds),
        _time_per_row(row.predict_seconds),
        plain_percent(row.small_error),
        row.reading,
    ]


def _metric_cells(shown: ShownMetric) -> list[str]:
    """A metric and its interval."""
    ends = "-" if shown.interval is None else " to ".join(f"{end:.3f}" for end in shown.interval)
    return [number_or_dash(shown.value, 3), ends]


def _time_per_row(seconds: float) -> str:
    return (
        f"{1e6 * seconds:.{1 if seconds < 1e-5 else 0}f} us" if seconds < 1e-3 else format_duration(seconds)
    )


def _style(row: LeaderboardRow) -> str:
    """The best in bold, models that are clearly worse dimmed."""
    if row.rank == 1:
        return "bold green"
    return "dim" if row.against_best is not None and row.against_best.clear else ""


def _show_choice(console: Console, result: ComparisonResult) -> None:
    """CV loss of the winner, nested estimate, selection bias, and whether the lead is real."""
    winner = result.leaderboard[0]
    setting = ", ".join(f"{key}={value}" for key, value in winner.setting.items())
    model = f"{winner.name} ({setting})" if setting else winner.name
    console.print()
    prose(console, render(how_chosen(result, model, winner.scored, result.nested, result.optimism), SHELL))
    if result.noise:
        console.print()
        prose(console, render(result.noise, SHELL))
    second = next((row for row in result.leaderboard[1:] if row.name != BASELINE), None)
    if second is not None and second.against_best is not None:
        console.print()
        prose(console, f"Is the difference significant? {render(second.against_best.verdict, SHELL)}")


def show_files(console: Console, result: ComparisonResult) -> None:
    """Where report and model are, and the commands to go on with."""
    paths = files(result)
    heading(console, "Next")
    if paths["folder"] is None:
        prose(console, "Nothing was saved; --out FOLDER writes the results, a report and the model:")
        lines_of_code(console, [result.commands[0] + " --out run"])
        return
    if result.interrupted:
        prose(console, "Resume it:")
        lines_of_code(console, [resume_commands(result.commands, result.folder)[1]])
    if result.kept:
        prose(console, f"The run is kept in {paths['folder']} until 20 newer ones are. Its report:")
        lines_of_code(console, [shlex.join(["assay", "report", str(paths["folder"])])])
        prose(console, "The same in a folder of your own:")
        lines_of_code(console, [result.commands[0] + " --out run"])
    if paths["report"]:
        prose(console, f"Report: {paths['report']} (open it in a browser)")
    winner = result.results[result.best_name].entry
    if not winner.storable:
        prose(console, render(Note("C413", name=winner.name), SHELL))
        return
    if not paths["model"]:
        prose(console, f"The model could not be saved; see the log in {paths['folder']}.")
        return
    prose(console, f"Model:  {paths['model']}")
    lines_of_code(console, predict_commands(paths["model"]))
    _show_files_with_suspects(console, result)
    if result.recommended is None:
        best = result.results[result.best_name].title
        prose(console, f"The model file contains {best}, which is not recommended.")


def _show_files_with_suspects(console: Console, result: ComparisonResult) -> None:
    """Where the comparison with the leakage suspects is."""
    paths = files_with_suspects(result)
    if paths["report"] and paths["model"]:
        prose(console, f"With {spell_columns(result.suspects)}: {paths['report']} and {paths['model']}")
