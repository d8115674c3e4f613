"""`assay features`: options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.engines.progress import progress_bar
from assay.terminal.console import stdout_console
from assay.terminal.json_output import print_json
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
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.features.result import FeaturesResult

EPILOG = epilog(
    "assay features wine.csv --target cultivar --report features.html",
    "assay features genes.csv --target tumour --search forward --model gaussian_shared --n 10 --json",
)
Search = Annotated[
    str,
    typer.Option(
        "--search", metavar="SEARCH", help="forward, backward or floating, or rank for a ranking only."
    ),
]
Name = Annotated[str, typer.Option("--model", metavar="NAME", help="The model, as listed by `assay models`.")]
Count = Annotated[
    int | None,
    typer.Option("--n", metavar="N", help="Number of columns; default: as many as --rule selects."),
]
Choose = Annotated[
    str,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="min: least error; one_se: fewest columns within one standard error.",
    ),
]
Start = Annotated[
    list[str] | None,
    typer.Option("--start", metavar="COL", help="Start the search with this column; may be repeated."),
]
Fixed = Annotated[
    list[str] | None,
    typer.Option("--fixed", metavar="COL", help="Always include this column; may be repeated."),
]
By = Annotated[
    str, typer.Option("--by", metavar="BY", help="Rank by correlation, correlation_ratio or information.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set a hyperparameter of the model; may be repeated."),
]
Page = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write a report as one self-contained HTML file."),
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
    """Select the columns that a model needs: a ranking, then a search by cross-validation.

    The error on new rows is a nested estimate: the whole search is repeated inside every fold.
    """
    from assay.data.write.atomic import check_writable

    if report is not None:
        check_writable(report)
    with progress_bar(time_left=True, show=not quiet) as progress:
        from assay.commands.features.job import search_features

        result = search_features(
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
            **source_options(types, drop, query, missing, groups=groups, weights=weights),
        )
    _write(result, report)
    if as_json:
        print_json({**result.to_json(), "report": report})
    else:
        from assay.commands.features.text import print_features

        print_features(stdout_console(), result, report, quiet)


def _write(result: FeaturesResult, report: str | None) -> None:
    """The page, if one is asked for."""
    if report is not None:
        from assay.commands.features.page import write
        from assay.notes.voices import SHELL_PAGE

        write(result, report, SHELL_PAGE)
