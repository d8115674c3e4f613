"""A projection on a terminal."""

from __future__ import annotations

from rich.console import Console

from assay.commands.project.result import Direction, ProjectResult
from assay.notes.numbers import plain_number, plain_percent, plain_percent_range
from assay.notes.phrases import plural
from assay.terminal.console import facts, heading, prose, table
from assay.terminal.notes import print_notes

MOST_LOADINGS = 4  # columns named per direction


def print_projection(
    console: Console, result: ProjectResult, out: str | None, report: str | None, quiet: bool
) -> None:
    """The directions, the errors and what there is to note."""
    if not quiet:
        of = "" if result.target is None else f", classes in column {result.target!r}"
        rows, columns = plural(len(result.coordinates), "row"), plural(result.width, "numeric column")
        prose(console, f"{result.name}: {rows}, {columns}{of}.")
    heading(console, "Directions")
    share = "variance %" if result.method == "pca" else "separation %"
    columns_shown = [("direction", "left"), (share, "right")]
    columns_shown += [("between/within", "right")] if result.codes is not None else []
    columns_shown += [("weights of standardised columns", "left")]
    table(console, columns_shown, [_row(result, direction) for direction in result.directions])
    if result.codes is not None:
        _print_errors(console, result)
    if not quiet:
        print_notes(console, result.notes)
        for what, path in (("Coordinates", out), ("Report", report)):
            if path:
                prose(console, f"{what} written to {path}.")


def _row(result: ProjectResult, direction: Direction) -> list[str]:
    cells = [direction.title, "-" if direction.share is None else plain_percent(direction.share)]
    if result.codes is not None:
        cells.append("-" if direction.ratio is None else plain_number(direction.ratio))
    strongest = direction.loadings[:MOST_LOADINGS]
    rest = len(direction.loadings) - len(strongest)
    weights = ", ".join(f"{loading.column} {loading.weight:+.2f}" for loading in strongest)
    return [*cells, weights + (f" and {rest} more" if rest else "")]


def _print_errors(console: Console, result: ProjectResult) -> None:
    heading(console, f"Error of the nearest class mean along {plural(result.judged, 'direction')}")
    nested, pairs = result.evaluation, []
    if nested is not None:
        how = f"{nested.n_splits} folds, directions learned in each"
        ends = plain_percent_range(nested.error_interval)
        pairs.append(("new rows", f"{plain_percent(nested.error)} % (95 % CI {ends}; {how})"))
    pairs.append(("projected rows (optimistic)", f"{plain_percent(result.seen_error or 0.0)} %"))
    pairs.append(("most frequent class", f"{plain_percent(result.baseline or 0.0)} %"))
    facts(console, pairs)
    console.print()
