"""Columns ranked and selected, on a terminal."""

from __future__ import annotations

from rich.console import Console

from assay.commands.features.result import FeaturesResult
from assay.notes.numbers import format_duration, plain_percent, plain_percent_range
from assay.notes.phrases import plural
from assay.selection.features.select import FeatureSelection
from assay.terminal.console import facts, heading, prose, table
from assay.terminal.notes import print_notes

MOST_RANKED, MOST_STEPS, MOST_NAMED = 20, 30, 12


def print_features(console: Console, result: FeaturesResult, report: str | None, quiet: bool) -> None:
    """The ranking, the path of the search, its errors and what there is to note."""
    if not quiet:
        rows, columns = plural(result.rows, "row"), plural(result.columns, "column")
        prose(console, f"{result.name}: {rows}, {columns}, classes in column {result.target!r}.")
    _show_ranking(console, result, quiet)
    if result.selection is not None:
        _show_path(console, result, result.selection)
        _show_errors(console, result, result.selection)
    if not quiet:
        print_notes(console, result.notes)
        if report:
            prose(console, f"Report written to {report}.")


def _show_ranking(console: Console, result: FeaturesResult, quiet: bool) -> None:
    if not result.ranking:
        return
    heading(console, f"Columns ranked by {result.by.replace('_', ' ')}")
    shown = [("column", "left"), ("correlation", "right"), ("ratio", "right"), ("information", "right")]
    rows = [
        [row.column, f"{row.correlation:.3f}", f"{row.correlation_ratio:.3f}", f"{row.information:.3f}"]
        for row in result.ranking[:MOST_RANKED]
    ]
    table(console, shown, rows)
    more = len(result.ranking) - MOST_RANKED
    if more > 0 and not quiet:
        prose(console, f"and {more} more.")


def _show_path(console: Console, result: FeaturesResult, chosen: FeatureSelection) -> None:
    heading(console, f"{result.search.capitalize()} search with {result.title}")
    first = max(0, min(chosen.chosen - MOST_STEPS // 2, len(chosen.path) - MOST_STEPS))
    rows = [
        [
            "*" if place == chosen.chosen else "",
            str(len(step.features)),
            _move(step.added, step.dropped),
            plain_percent(step.error),
            plain_percent(step.standard_error),
        ]
        for place, step in enumerate(chosen.path)
        if first <= place < first + MOST_STEPS
    ]
    shown = [("", "left"), ("columns", "right"), ("step", "left"), ("error %", "right"), ("± %", "right")]
    table(console, shown, rows)
    if len(rows) < len(chosen.path):
        prose(console, f"{len(rows)} of {len(chosen.path)} sets; --json lists all.")


def _move(added: object, dropped: object) -> str:
    if added is not None:
        return f"+ {added}"
    return "start" if dropped is None else f"- {dropped}"


def _show_errors(console: Console, result: FeaturesResult, chosen: FeatureSelection) -> None:
    named = [str(name) for name in chosen.features]
    rest = len(named) - MOST_NAMED
    heading(console, f"Selected: {', '.join(named[:MOST_NAMED])}" + (f" and {rest} more" if rest > 0 else ""))
    pairs = []
    if result.nested is not None:
        ends = plain_percent_range(result.nested.error_interval)
        how = f"{result.nested.n_splits} folds, the search repeated in each"
        pairs.append(("error on new rows", f"{plain_percent(result.nested.error)} % (95 % CI {ends}; {how})"))
    pairs.append(("error on the path (optimistic)", f"{plain_percent(chosen.error)} %"))
    if result.everything is not None:
        pairs.append(("error with all columns", f"{plain_percent(result.everything.error)} %"))
    pairs.append(("most frequent class", f"{plain_percent(result.baseline)} %"))
    pairs.append(("method", f"{chosen.strategy}, {format_duration(chosen.seconds)}"))
    facts(console, pairs)
    console.print()
