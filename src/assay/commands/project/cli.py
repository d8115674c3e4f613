"""`assay project`: options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.engines.progress import progress_bar
from assay.terminal.console import stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import RowsFormat, Seed, Source, epilog
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.project.result import ProjectResult

EPILOG = epilog(
    "assay project iris.csv --target species --out map.csv --report map.html",
    "assay project wine.csv --method pca --to 3 --json",
)
MaybeTarget = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="COLUMN",
        help="The column of classes; default: a column named class, target, label or y, if there is one.",
    ),
]
Method = Annotated[
    str | None,
    typer.Option(
        "--method", metavar="METHOD", help="pca or fisher; default: fisher if there are classes, else pca."
    ),
]
To = Annotated[int | None, typer.Option("--to", metavar="N", min=1, help="Number of directions; default 2.")]
Out = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the coordinates of the rows to a file."),
]
Page = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Write the projection as one self-contained HTML file."),
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
    *,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Project the rows of a table: principal components (pca), or the directions that separate the classes (fisher).

    The error is that of the nearest class mean along these directions, by cross-validation.
    """
    from assay.data.write.atomic import check_writable
    from assay.data.write.rows import format_of

    chosen = format_of(out, form)
    for path in filter(None, (out, report)):
        check_writable(path)
    with progress_bar(show=not output.quiet) as progress:
        from assay.commands.project.job import project as project_source
        from assay.commands.project.result import coordinate_blocks

        result = project_source(
            source,
            target,
            method=method,
            to=to,
            random_state=seed,
            progress=progress,
            **source_options(**vars(reading)),
        )
        _write(result, out, chosen, report)
    if output.as_json:
        rows: dict[str, Any] = {} if out else {"coordinates": next(iter(coordinate_blocks(result, None)))}
        print_json({**result.to_json(), **rows, "out": out, "report": report})
    else:
        from assay.commands.project.text import print_projection

        print_projection(stdout_console(), result, out, report, output.quiet)


def _write(result: ProjectResult, out: str | None, form: str, report: str | None) -> None:
    """The files that were asked for; the page is made before either of them is written."""
    from assay.commands.project.result import coordinate_blocks

    page = None
    if report is not None:
        from assay.commands.project.page import page as make_page
        from assay.notes.voices import SHELL_PAGE

        page = make_page(result, SHELL_PAGE)
    if out is not None:
        from assay.data.write.rows import deliver

        deliver(coordinate_blocks(result), out, form)
    if report is not None and page is not None:
        from assay.data.write.atomic import write_text

        write_text(report, page)
