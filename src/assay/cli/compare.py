"""`assay compare`: the whole question in one command."""

from __future__ import annotations

from typing import Annotated

import typer

from assay.cli.options import AsJson, Drop, Loss, Priors, Query, Quiet, Source, Target, Types, epilog

EPILOG = epilog(
    "assay compare adult.csv --target income --out run/",
    'assay compare credit.csv --target class --loss "good:bad=1,bad:good=5" --budget 10m',
)


def compare(
    source: Source,
    target: Target,
    loss: Loss = None,
    priors: Priors = None,
    candidates: Annotated[
        str | None,
        typer.Option("--candidates", metavar="A,B", help="Only these models; `assay models` lists them."),
    ] = None,
    plan: Annotated[
        str,
        typer.Option(
            "--plan", metavar="PLAN", help="kfold:10, kfold:5x3, loo, holdout:0.3 or bootstrap:100."
        ),
    ] = "kfold:10",
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="TIME", help="Stop with what is finished after 90s, 10m, 1h."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of folds and models.")] = 0,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Keep results, report and model in this folder."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an interrupted run in the folder of --out.")
    ] = False,
    threads: Annotated[
        int | None,
        typer.Option("--threads", metavar="N", min=1, help="Threads to use; all cores if not given."),
    ] = None,
    types: Types = None,
    drop: Drop = None,
    query: Query = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Find the best model for a table, and what choosing it this way really costs."""
