"""`assay features`: options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.engines.progress import progress_bar
from assay.terminal.console import stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import Groups, ModelName, Seed, Settings, Source, Target, Weights, epilog
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
Page = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write a report as one self-contained HTML file."),
]


@dataclass(frozen=True)
class SearchOptions:
    """Which columns are searched for, and with which model."""

    search: Search = "forward"
    model: ModelName = "gaussian_nb"
    n: Count = None
    rule: Choose = "min"
    start: Start = None
    fixed: Fixed = None
    by: By = "correlation"
    setting: Settings = None

    def arguments(self) -> dict[str, Any]:
        """The options as `search_features` takes them."""
        return {
            "search": self.search,
            "model": self.model,
            "n_features": self.n,
            "rule": self.rule,
            "start": self.start or (),
            "fixed": self.fixed or (),
            "by": self.by,
            "settings": self.setting or (),
        }


def features(
    source: Source,
    target: Target = None,
    report: Page = None,
    seed: Seed = 0,
    groups: Groups = None,
    weights: Weights = None,
    *,
    search: SearchOptions,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Select the columns that a model needs: a ranking, then a search by cross-validation.

    The error on new rows is a nested estimate: the whole search is repeated inside every fold.
    """
    from assay.data.write.atomic import check_writable

    if report is not None:
        check_writable(report)
    with progress_bar(time_left=True, show=not output.quiet) as progress:
        from assay.commands.features.job import search_features

        result = search_features(
            source,
            target,
            random_state=seed,
            progress=progress,
            **search.arguments(),
            **source_options(**vars(reading), groups=groups, weights=weights),
        )
    _write(result, report)
    if output.as_json:
        print_json({**result.to_json(), "report": report})
    else:
        from assay.commands.features.text import print_features

        print_features(stdout_console(), result, report, output.quiet)


def _write(result: FeaturesResult, report: str | None) -> None:
    """The page, if one is asked for."""
    if report is not None:
        from assay.commands.features.page import write
        from assay.notes.voices import SHELL_PAGE

        write(result, report, SHELL_PAGE)
