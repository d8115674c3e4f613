"""`assay project`: the rows of a table along a few directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.notes.numbers import plain_number, plain_percent, plain_percent_range
from assay.terminal.console import facts, heading, progress_bar, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.options import (
    AsJson,
    Drop,
    Ignore,
    Missing,
    Query,
    Quiet,
    RowsFormat,
    Seed,
    Source,
    Types,
    epilog,
)
from assay.workbench.syntax.settings import reading

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.project.job import Direction, Projected

EPILOG = epilog(
    "assay project iris.csv --target species --out map.csv --report map.html",
    "assay project wine.csv --method pca --to 3 --json",
)
SHOWN = 4  # columns named for a direction
MaybeTarget = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="COLUMN",
        help="The column that holds the classes; else the one called class, target, label or y, if there is one.",
    ),
]
Method = Annotated[
    str | None,
    typer.Option(
        "--method", metavar="METHOD", help="pca or fisher; fisher where there are classes, else pca."
    ),
]
To = Annotated[int | None, typer.Option("--to", metavar="N", min=1, help="Number of directions; else 2.")]
Out = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the coordinates of the rows to a file."),
]
Page = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write the map as one HTML file that needs no network."),
]


def project(
    source: Source,
    target: MaybeTarget = None,
    method: Method = None,
    to: To = None,
    out: Out = None,
    form: RowsFormat = None,
    report: Page = None,
    seed: Seed = 0,
    types: Types = None,
    drop: Drop = None,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Project the rows of a table: where they vary most (pca), or where classes lie apart (fisher).

    The error that is told is that of the nearest class mean along the directions, on rows of which nothing was learned.
    """
    from assay.data.write.atomic import check_writable
    from assay.data.write.rows import format_of

    chosen = format_of(out, form)
    for path in filter(None, (out, report)):
        check_writable(path)
    with progress_bar(show=not quiet) as progress:
        from assay.commands.project.job import project as find_directions
        from assay.commands.project.result import coordinate_blocks, figures

        found = find_directions(
            source,
            target,
            method=method,
            to=to,
            random_state=seed,
            progress=progress,
            **reading(types, drop, query, missing),
        )
        _write(found, out, chosen, report)
    if as_json:
        rows: dict[str, Any] = {} if out else {"coordinates": next(iter(coordinate_blocks(found, None)))}
        print_json({**figures(found), **rows, "out": out, "report": report})
    else:
        _show(stdout_console(), found, out, report, quiet)


def _write(found: Projected, out: str | None, form: str, report: str | None) -> None:
    """The files that were asked for; the page is made before either of them appears."""
    from assay.commands.project.result import coordinate_blocks

    page = None
    if report is not None:
        from assay.commands.project.page import page as made

        page = made(found)
    if out is not None:
        from assay.data.write.rows import deliver

        deliver(coordinate_blocks(found), out, form)
    if report is not None and page is not None:
        from assay.data.write.atomic import write_text

        write_text(report, page)


def _show(console: Console, found: Projected, out: str | None, report: str | None, quiet: bool) -> None:
    from assay.notes.phrases import plural

    if not quiet:
        of = "" if found.target is None else f", the classes of {found.target!r}"
        rows, columns = plural(len(found.coordinates), "row"), plural(found.width, "column")
        prose(console, f"{found.name}: {rows}, {columns} of numbers{of}.")
    heading(console, "Directions")
    share = "variance %" if found.method == "pca" else "separation %"
    columns_shown = [("direction", "left"), (share, "right")]
    columns_shown += [("between/within", "right")] if found.codes is not None else []
    columns_shown += [("moved by one deviation of", "left")]
    table(console, columns_shown, [_row(found, each) for each in found.directions])
    if found.codes is not None:
        _show_errors(console, found)
    if not quiet:
        print_notes(console, found.notes)
        for what, path in (("Coordinates", out), ("Map", report)):
            if path:
                prose(console, f"{what} written to {path}.")


def _row(found: Projected, each: Direction) -> list[str]:
    cells = [each.title, "-" if each.share is None else plain_percent(each.share)]
    if found.codes is not None:
        cells.append("-" if each.ratio is None else plain_number(each.ratio))
    strongest = each.loadings[:SHOWN]
    rest = len(each.loadings) - len(strongest)
    named = ", ".join(f"{one.column} {one.weight:+.2f}" for one in strongest)
    return [*cells, named + (f" and {rest} more" if rest else "")]


def _show_errors(console: Console, found: Projected) -> None:
    which = "the direction" if found.judged == 1 else f"{found.judged} directions"
    heading(console, f"Error of the nearest class mean along {which}")
    honest, pairs = found.evaluation, []
    if honest is not None:
        inside = f"{honest.n_splits} folds, each with a map of its own"
        ends = plain_percent_range(honest.error_interval)
        pairs.append(("on new rows", f"{plain_percent(honest.error)} % (95 %: {ends}; {inside})"))
    pairs.append(("on the map itself", f"{plain_percent(found.seen_error or 0.0)} %"))
    pairs.append(("most frequent class always", f"{plain_percent(found.baseline or 0.0)} %"))
    facts(console, pairs)
    console.print()
