"""Clusters on a terminal."""

from __future__ import annotations

from rich.console import Console

from assay.commands.cluster.profiles import deviation_text, largest_deviations
from assay.commands.cluster.result import ClusterResult, Trial
from assay.notes import render
from assay.notes.numbers import plain_number, plain_percent
from assay.notes.voices import SHELL
from assay.terminal.console import heading, prose, table
from assay.terminal.notes import print_notes

MOST_CLASSES = 8


def print_clusters(
    console: Console, result: ClusterResult, files: dict[str, str] | None, quiet: bool
) -> None:
    """The trials, the clusters, their classes and what there is to note."""
    if not quiet:
        prose(console, render(result.headline, SHELL), style="bold")
        heading(console, "Number of clusters")
    columns = [
        ("clusters", "right"),
        ("error", "right"),
        ("explained\nvariance %", "right"),
        ("BIC", "right"),
    ]
    held = any(trial.held_out is not None for trial in result.trials)
    columns += [("held-out log\nlikelihood", "right")] if held else []
    table(console, [*columns, ("", "left")], [_trial(result, trial, held) for trial in result.trials])
    _print_profiles(console, result)
    if result.codes is not None:
        _print_classes(console, result)
    if not quiet:
        print_notes(console, result.notes)
        if files is not None:
            prose(console, f"Labels: {files['labels']}")
            prose(console, f"Report: {files['report']} (open it in a browser)")


def _trial(result: ClusterResult, trial: Trial, held: bool) -> list[str]:
    held_out = ["-" if trial.held_out is None else plain_number(trial.held_out, 5)] if held else []
    mark = "chosen" if trial.k == result.chosen and len(result.trials) > 1 else ""
    measures = [plain_number(trial.error, 4), plain_percent(trial.explained), plain_number(trial.bic, 6)]
    return [str(trial.k), *measures, *held_out, mark]


def _print_profiles(console: Console, result: ClusterResult) -> None:
    heading(console, "Clusters")
    rows = [
        [
            str(number),
            str(profile.rows),
            plain_percent(profile.share),
            "; ".join(map(deviation_text, largest_deviations(profile))) or "-",
        ]
        for number, profile in enumerate(result.profiles, 1)
    ]
    columns = [("cluster", "right"), ("rows", "right"), ("%", "right"), ("largest deviations", "left")]
    table(console, columns, rows)
    console.print()


def _print_classes(console: Console, result: ClusterResult) -> None:
    assert result.classes is not None
    agreement = plain_number(result.agreement or 0.0, 3)
    heading(console, f"Clusters and {result.target}: adjusted Rand index {agreement}")
    shown = [str(label) for label in result.classes.tolist()[:MOST_CLASSES]]
    counts = result.contingency()[:, :MOST_CLASSES].tolist()
    columns = [("cluster", "right"), *((name, "right") for name in shown)]
    table(console, columns, [[str(number), *map(str, row)] for number, row in enumerate(counts, 1)])
    if len(result.classes) > len(shown):
        prose(console, f"and {len(result.classes) - len(shown)} more classes.")
    console.print()
