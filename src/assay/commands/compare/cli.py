"""`assay compare` and `assay report`: their options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.engines.progress import progress_bar
from assay.notes import Note
from assay.notes.voices import SHELL_PAGE
from assay.terminal.console import prose, stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.options import (
    AsJson,
    Drop,
    Groups,
    Ignore,
    Loss,
    Missing,
    NoFingerprint,
    Priors,
    Query,
    Quiet,
    Rule,
    Seed,
    Source,
    SplitRepeats,
    Target,
    Types,
    Weights,
    epilog,
)
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from assay.commands.compare.result import ComparisonResult

INTERRUPTED = 130
Candidates = Annotated[
    str | None,
    typer.Option("--candidates", metavar="A,B", help="Compare only these models; `assay models` lists them."),
]
Plan = Annotated[
    str,
    typer.Option(
        "--plan",
        metavar="PLAN",
        help="Validation scheme: kfold:10, kfold:5x3 (3 repeats), holdout:0.3 or split:60/20/20 "
        "(training/validation/test).",
    ),
]
Budget = Annotated[
    str,
    typer.Option(
        "--budget", metavar="TIME", help="Time budget: 90s, 10m, 1h or none; slower candidates are omitted."
    ),
]
RunFolder = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="Write results, report and model to this folder."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the interrupted run in --out.")]
Noise = Annotated[
    bool,
    typer.Option(
        "--noise-check",
        help="Sanity check: repeat on shuffled labels, where the error should be at chance level.",
    ),
]
KeepSuspects = Annotated[
    bool,
    typer.Option(
        "--keep-suspects",
        help="Run once, including possible leaks of the target; by default without them, then with them.",
    ),
]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="N", min=1, help="Number of threads; all cores by default.")
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
    loss: Loss = None,
    priors: Priors = None,
    candidates: Candidates = None,
    plan: Plan = "kfold:10",
    rule: Rule = "min",
    budget: Budget = "10m",
    seed: Seed = 0,
    out: RunFolder = None,
    resume: Resume = False,
    noise: Noise = False,
    threads: Threads = None,
    groups: Groups = None,
    weights: Weights = None,
    split_repeats: SplitRepeats = False,
    keep_suspects: KeepSuspects = False,
    types: Types = None,
    drop: Drop = None,
    no_fingerprint: NoFingerprint = False,
    query: Query = None,
    missing: Missing = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Find the best model for a table, and estimate its error rate on new data."""
    options = run_options(loss, priors, plan, rule, seed, out, resume, noise, split_repeats, threads)
    with progress_bar(time_left=True, lines=True, show=not quiet) as progress:
        from assay.commands.compare.figures import figures
        from assay.commands.compare.job import compare as find_best

        result = find_best(
            source,
            target,
            candidates=candidates,
            budget=budget,
            keep_suspects=keep_suspects,
            progress=progress,
            **options,
            **source_options(types, drop, query, missing, groups=groups, weights=weights),
            fingerprint=not no_fingerprint,
        )
        progress("computing metrics", 1.0)
        plain = figures(result)
    if as_json:
        print_json(plain)
    else:
        from assay.commands.compare.text import show_comparison

        show_comparison(stdout_console(), result, quiet)
    exit_if_interrupted(result)


def run_options(
    loss: str | None,
    priors: str | None,
    plan: str,
    rule: str,
    seed: int,
    out: str | None,
    resume: bool,
    noise: bool,
    split_repeats: bool,
    threads: int | None,
) -> dict[str, Any]:
    """The options of a run, as `compare` and `tune_table` take them."""
    if resume and out is None:
        raise ValueError(Note("C019"))
    return {
        "loss": loss, "priors": priors, "plan": plan, "rule": rule, "random_state": seed, "out": out, "resume": resume,
        "noise_check": noise, "split_repeats": split_repeats, "n_jobs": threads, "voice": SHELL_PAGE,
    }  # fmt: skip


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
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the report of a run as one HTML file that needs no network.

    The page draws rows, and a run folder stores none: the table is read again, from its place in the run or --source.
    """
    from pathlib import Path

    from assay.commands.compare.reopen import reopen

    path = Path(out) if out is not None else Path(folder) / "report.html"
    reopen(folder, source).report(path, voice=SHELL_PAGE)
    if as_json:
        print_json({"report": str(path)})
    elif not quiet:
        prose(stdout_console(), f"Written to {path}; open it in a browser.")
