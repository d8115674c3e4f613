"""`assay describe`: options."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from assay.terminal.console import stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.notes import unless_ignored
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import MaybeTarget, Source, epilog
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.describe.result import DescribeResult

EPILOG = epilog(
    "assay describe adult.csv --target income",
    'assay describe postgresql://localhost/shop --query "SELECT * FROM orders" --type zip=categorical',
)


def describe(
    source: Source,
    target: MaybeTarget = None,
    everything: Annotated[bool, typer.Option("--all", help="Also show the checks that passed.")] = False,
    *,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Show the inferred type of each column with its reason, the classes, and warnings."""
    from assay.commands.describe.job import describe as summarise

    result = summarise(source, target, **source_options(**vars(reading)))
    shown = tuple(finding for finding in result.findings if unless_ignored([finding.note]))
    result = replace(result, findings=shown)
    if output.as_json:
        print_json(_figures(result))
        return
    from assay.commands.describe.text import print_description

    print_description(stdout_console(), result, everything, output.quiet)


def _figures(result: DescribeResult) -> dict[str, object]:
    """All of it, under the names that other commands give the same things."""
    figures = result.to_json()
    about = {"source": figures.pop("name"), "target": figures.pop("target"), "rows": figures.pop("n_rows")}
    about["classes"] = [count.label for count in result.classes]
    about["counts"] = {str(count.label): count.rows for count in result.classes}
    figures.pop("classes")
    return {**about, **figures}
