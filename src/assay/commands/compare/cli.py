"""`assay compare` and `assay report`: their options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.commands.compare.live import live_view
from assay.commands.compare.run_options import RunOptions
from assay.notes.voices import SHELL_PAGE
from assay.terminal.console import prose, stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import AsJson, Quiet, Source, Target, epilog
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.compare.result import ComparisonResult

INTERRUPTED = 130
Candidates = Annotated[
    str | None,
    typer.Option("--candidates", metavar="A,B", help="Compare only these models; `assay models` lists them."),
]
Own = Annotated[
    list[str] | None,
    typer.Option(
        "--candidate",
        metavar="[NAME=]MODULE:FUNCTION",
        help="An estimator of your own: a function makes it, unfitted. May be repeated.",
    ),
]
Budget = Annotated[
    str,
    typer.Option(
        "--budget",
        metavar="TIME",
        help="Time budget: 90s, 10m, 1h or none; slower candidates are trained on a sample.",
    ),
]
KeepSuspects = Annotated[
    bool,
    typer.Option(
        "--keep-suspects",
        help="Run once, including possible leaks of the target; by default without them, then with them.",
    ),
]
REPORT_EPILOG = epilog("assay report run/ --out report.html")
EPILOG = epilog(
    "assay compare adult.csv --target income --out run/",
    "assay compare newsgroups/ --out run/",
    "assay compare visits.csv --target relapse --groups patient",
    'assay compare credit.csv --target class --loss "good:bad=1,bad:good=5" --budget 30m',
)


def compare(
    source: Source,
    target: Target = None,
    candidates: Candidates = None,
    candidate: Own = None,
    budget: Budget = "10m",
    keep_suspects: KeepSuspects = False,
    *,
    run: RunOptions,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Find the best model for a table, and estimate its error rate on new data."""
    options = run.arguments()
    with live_view(show=not output.quiet) as view:
        from assay.commands.compare.figures import figures
        from assay.commands.compare.job import compare as find_best
        from assay.workbench.experiment.requested import with_own

        result = find_best(
            source,
            target,
            candidates=with_own(candidates, candidate or ()),
            budget=budget,
            keep_suspects=keep_suspects,
            progress=view,
            finished=view.finished,
            **options,
            **source_options(**vars(reading)),
        )
        view("computing metrics", 1.0)
        plain = figures(result)
    if output.as_json:
        print_json(plain)
    else:
        from assay.commands.compare.text import show_comparison

        show_comparison(stdout_console(), result, output.quiet)
    exit_if_interrupted(result)


def exit_if_interrupted(result: ComparisonResult) -> None:
    """The exit code of an interrupted run."""
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)


def report(
    folder: Annotated[
        str, typer.Argument(metavar="RUNFOLDER", help="A folder written by `assay compare --out`.")
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The HTML file to write; report.html in the folder by default.",
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="SOURCE",
            help="The table, if it has moved since the run, or its address with the password.",
        ),
    ] = None,
    candidate: Own = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the report of a run as one HTML file that needs no network.

    The page shows rows, which a run folder does not store: the table is read again from its place, or from --source.
    """
    from pathlib import Path

    from assay.commands.compare.reopen import reopen
    from assay.workbench.experiment.requested import parse_candidate

    own_candidates = dict(map(parse_candidate, candidate or ()))
    path = Path(out) if out is not None else Path(folder) / "report.html"
    reopen(folder, source, candidates=own_candidates).report(path, voice=SHELL_PAGE)
    if as_json:
        print_json({"report": str(path)})
    elif not quiet:
        prose(stdout_console(), f"Written to {path}; open it in a browser.")
