"""`assay report`: the page of a finished run, written again."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.terminal.console import prose, stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.options import AsJson, Quiet, epilog

EPILOG = epilog("assay report run/ --out report.html")


def report(
    folder: Annotated[
        str, typer.Argument(metavar="RUNFOLDER", help="A folder that `assay compare --out` wrote.")
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The HTML file to write; report.html in the folder."
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="SOURCE",
            help="The table, if it is not where the run found it, or its address with the password.",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the report of a run as one HTML file that needs no network.

    The page draws rows, and a run keeps none: the table is read again, from where the run found it or from --source.
    """
    from pathlib import Path

    from assay.commands.compare.reopen import reopen

    path = Path(out) if out is not None else Path(folder) / "report.html"
    reopen(folder, source).report(path)
    if as_json:
        print_json({"report": str(path)})
    elif not quiet:
        prose(stdout_console(), f"Written to {path}; open it in a browser.")
