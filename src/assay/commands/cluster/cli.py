"""`assay cluster`: the rows of a table in groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.notes.numbers import plain_number, plain_percent
from assay.terminal.console import heading, progress_bar, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.options import AsJson, Drop, Ignore, Missing, Query, Quiet, Seed, Source, Types, epilog
from assay.workbench.syntax.settings import reading

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.cluster.job import Clustered, Trial

EPILOG = epilog(
    "assay cluster customers.csv --drop customer_id --out groups/",
    "assay cluster iris.csv --target species --method hierarchy --k 2..6 --out groups/",
)
MOST_CLASSES = 8
Compared = Annotated[
    str | None,
    typer.Option(
        "--target", metavar="COLUMN", help="A column that takes no part and is compared with the groups."
    ),
]
Numbers = Annotated[
    str | None, typer.Option("--k", metavar="K", help="Numbers of groups to try: 3, or 2..8; else 1..10.")
]
Method = Annotated[
    str, typer.Option("--method", metavar="METHOD", help="k-means, hierarchy (bottom-up) or top-down.")
]
Linkage = Annotated[
    str,
    typer.Option("--linkage", metavar="LINKAGE", help="Of a hierarchy: ward, average, complete or single."),
]
Criterion = Annotated[
    str, typer.Option("--criterion", metavar="BY", help="What chooses their number: bic or held-out.")
]
Starts = Annotated[
    int, typer.Option("--starts", metavar="N", min=1, help="Starts of k-means, of which the best is kept.")
]
Folder = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="Write labels.csv and report.html to this folder."),
]


def cluster(
    source: Source,
    target: Compared = None,
    k: Numbers = None,
    method: Method = "k-means",
    linkage: Linkage = "ward",
    criterion: Criterion = "bic",
    starts: Starts = 10,
    out: Folder = None,
    seed: Seed = 0,
    types: Types = None,
    drop: Drop = None,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Group rows that are alike: how many groups, how large, and what each stands out by.

    Every column counts the same, whatever its unit; text and identifiers take no part.
    """
    with progress_bar(show=not quiet) as progress:
        from assay.commands.cluster.job import cluster as find_groups
        from assay.commands.cluster.result import check_folder, figures
        from assay.workbench.syntax.settings import read_numbers

        if out is not None:
            check_folder(out)
        found = find_groups(
            source,
            target,
            k=read_numbers(k),
            method=method,
            linkage=linkage,
            criterion=criterion,
            n_starts=starts,
            random_state=seed,
            progress=progress,
            **reading(types, drop, query, missing),
        )
        if out is not None:
            progress("writing", 1.0)
        files = None if out is None else _write(found, out)
    if as_json:
        print_json({**figures(found), "out": files})
    else:
        _show(stdout_console(), found, files, quiet)


def _write(found: Clustered, out: str) -> dict[str, str]:
    """Labels and page; the page is made before either of them appears."""
    from assay.commands.cluster.page import page
    from assay.commands.cluster.result import LABELS, REPORT, open_folder, write_files

    made = page(found)
    folder = open_folder(out)
    write_files(found, folder, made)
    return {"labels": str(folder / LABELS), "report": str(folder / REPORT)}


def _show(console: Console, found: Clustered, files: dict[str, str] | None, quiet: bool) -> None:
    from assay.commands.cluster.text import headline

    if not quiet:
        prose(console, headline(found), style="bold")
        heading(console, "How many groups")
    columns = [("groups", "right"), ("error", "right"), ("variance\nheld %", "right"), ("BIC", "right")]
    held = any(each.held_out is not None for each in found.trials)
    columns += [("held-out log\nlikelihood", "right")] if held else []
    table(console, [*columns, ("", "left")], [_trial(found, each, held) for each in found.trials])
    _show_groups(console, found)
    if found.codes is not None:
        _show_classes(console, found)
    if not quiet:
        print_notes(console, found.notes)
        if files is not None:
            prose(console, f"Labels: {files['labels']}")
            prose(console, f"Report: {files['report']} (open it in a browser)")


def _trial(found: Clustered, each: Trial, held: bool) -> list[str]:
    out = ["-" if each.held_out is None else plain_number(each.held_out, 5)] if held else []
    mark = "chosen" if each.k == found.chosen and len(found.trials) > 1 else ""
    return [
        str(each.k),
        plain_number(each.error, 4),
        plain_percent(each.explained),
        plain_number(each.bic, 6),
        *out,
        mark,
    ]


def _show_groups(console: Console, found: Clustered) -> None:
    from assay.commands.cluster.text import in_words, standing_out

    heading(console, "Groups")
    rows = [
        [
            str(at),
            str(group.rows),
            plain_percent(group.share),
            "; ".join(in_words(each) for each in standing_out(group)) or "-",
        ]
        for at, group in enumerate(found.groups, 1)
    ]
    table(console, [("group", "right"), ("rows", "right"), ("%", "right"), ("stands out by", "left")], rows)
    console.print()


def _show_classes(console: Console, found: Clustered) -> None:
    assert found.classes is not None
    heading(
        console, f"Groups and {found.target}: adjusted Rand index {plain_number(found.agreement or 0.0, 3)}"
    )
    shown = [str(label) for label in found.classes.tolist()[:MOST_CLASSES]]
    counts = found.contingency()[:, :MOST_CLASSES].tolist()
    columns = [("group", "right"), *((name, "right") for name in shown)]
    table(console, columns, [[str(at), *map(str, row)] for at, row in enumerate(counts, 1)])
    if len(found.classes) > len(shown):
        prose(console, f"and {len(found.classes) - len(shown)} more classes.")
    console.print()
