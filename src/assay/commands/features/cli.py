"""`assay features`: columns ranked, and searched for with a model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.notes.numbers import format_duration, plain_percent, plain_percent_range
from assay.terminal.console import facts, heading, progress_bar, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.options import (
    AsJson,
    Drop,
    Groups,
    Ignore,
    Missing,
    Query,
    Quiet,
    Seed,
    Source,
    Target,
    Types,
    Weights,
    epilog,
)
from assay.workbench.syntax.settings import reading

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.features.job import Searched
    from assay.selection.features.select import FeatureSelection

EPILOG = epilog(
    "assay features wine.csv --target cultivar --report features.html",
    "assay features genes.csv --target tumour --search forward --model gaussian_shared --n 10 --json",
)
MOST_RANKED, MOST_STEPS, MOST_NAMED = 20, 30, 12
Search = Annotated[
    str,
    typer.Option("--search", metavar="WAY", help="forward, backward, floating, or rank for a ranking alone."),
]
Name = Annotated[str, typer.Option("--model", metavar="NAME", help="A name that `assay models` lists.")]
Count = Annotated[
    int | None, typer.Option("--n", metavar="N", help="How many columns; else as many as the rule says.")
]
Choose = Annotated[
    str,
    typer.Option("--rule", metavar="RULE", help="min, or one_se for the fewest within one standard error."),
]
Start = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="COL", help="A column that the search begins with; may be repeated."),
]
Fixed = Annotated[
    list[str] | None,
    typer.Option("--fixed", metavar="COL", help="A column that is always in; may be repeated."),
]
By = Annotated[
    str, typer.Option("--by", metavar="BY", help="Rank by correlation, correlation_ratio or information.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the model; may be repeated."),
]
Page = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write all of it as one HTML file that needs no network."),
]


def features(
    source: Source,
    target: Target = None,
    search: Search = "forward",
    model: Name = "gaussian_nb",
    n: Count = None,
    rule: Choose = "min",
    start: Start = None,
    fixed: Fixed = None,
    by: By = "correlation",
    setting: Settings = None,
    report: Page = None,
    seed: Seed = 0,
    groups: Groups = None,
    weights: Weights = None,
    types: Types = None,
    drop: Drop = None,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Find the columns that a model needs: ranked one by one, then searched for by cross-validation.

    The error on new rows is honest: the whole search is done again inside every fold.
    """
    from assay.data.write.atomic import check_writable

    if report is not None:
        check_writable(report)
    with progress_bar(time_left=True, show=not quiet) as progress:
        from assay.commands.features.job import figures, search_features

        found = search_features(
            source,
            target,
            search=search,
            model=model,
            n_features=n,
            rule=rule,
            start=start or (),
            fixed=fixed or (),
            by=by,
            settings=setting or (),
            random_state=seed,
            progress=progress,
            **reading(types, drop, query, missing, groups=groups, weights=weights),
        )
    _write(found, report)
    if as_json:
        print_json({**figures(found), "report": report})
    else:
        _show(stdout_console(), found, report, quiet)


def _write(found: Searched, report: str | None) -> None:
    """The page, where one is asked for."""
    if report is not None:
        from assay.commands.features.page import write

        write(found, report)


def _show(console: Console, found: Searched, report: str | None, quiet: bool) -> None:
    from assay.notes.phrases import plural

    if not quiet:
        rows, columns = plural(found.rows, "row"), plural(found.columns, "column")
        prose(console, f"{found.name}: {rows}, {columns}, the classes of {found.target!r}.")
    _show_ranking(console, found, quiet)
    if found.selection is not None:
        _show_path(console, found, found.selection)
        _show_errors(console, found, found.selection)
    if not quiet:
        print_notes(console, found.notes)
        if report:
            prose(console, f"Page written to {report}.")


def _show_ranking(console: Console, found: Searched, quiet: bool) -> None:
    if not found.ranking:
        return
    heading(console, f"Columns one by one, by {found.by.replace('_', ' ')}")
    shown = [("column", "left"), ("correlation", "right"), ("ratio", "right"), ("information", "right")]
    rows = [
        [each.column, f"{each.correlation:.3f}", f"{each.correlation_ratio:.3f}", f"{each.information:.3f}"]
        for each in found.ranking[:MOST_RANKED]
    ]
    table(console, shown, rows)
    more = len(found.ranking) - MOST_RANKED
    if more > 0 and not quiet:
        prose(console, f"and {more} more.")


def _show_path(console: Console, found: Searched, chosen: FeatureSelection) -> None:
    heading(console, f"{found.search.capitalize()} search with {found.title}")
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
    shown = [("", "left"), ("columns", "right"), ("move", "left"), ("error %", "right"), ("± %", "right")]
    table(console, shown, rows)
    if len(rows) < len(chosen.path):
        prose(console, f"{len(rows)} of {len(chosen.path)} sets on the way; --json lists all.")


def _move(added: object, dropped: object) -> str:
    if added is not None:
        return f"+ {added}"
    return "start" if dropped is None else f"- {dropped}"


def _show_errors(console: Console, found: Searched, chosen: FeatureSelection) -> None:
    named = [str(name) for name in chosen.features]
    rest = len(named) - MOST_NAMED
    heading(console, f"Chosen: {', '.join(named[:MOST_NAMED])}" + (f" and {rest} more" if rest > 0 else ""))
    pairs = []
    if found.honest is not None:
        ends = plain_percent_range(found.honest.error_interval)
        inside = f"{found.honest.n_splits} folds, each with a search of its own"
        pairs.append(("error on new rows", f"{plain_percent(found.honest.error)} % (95 %: {ends}; {inside})"))
    pairs.append(("on the path, which is too good", f"{plain_percent(chosen.error)} %"))
    if found.everything is not None:
        pairs.append(("with all columns", f"{plain_percent(found.everything.error)} %"))
    pairs.append(("most frequent class always", f"{plain_percent(found.baseline)} %"))
    pairs.append(("how", f"{chosen.strategy}, {format_duration(chosen.seconds)}"))
    facts(console, pairs)
    console.print()
