"""`assay fit`: one model of the catalog, fitted and saved."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from assay.notes.numbers import format_duration
from assay.terminal.console import progress_bar, prose, stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.options import (
    AsJson,
    Drop,
    Ignore,
    Missing,
    NoFingerprint,
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

EPILOG = epilog(
    "assay fit train.csv --target income --model gaussian_shared --set shrinkage=0.1 --out model.assay"
)
Name = Annotated[str, typer.Option("--model", metavar="NAME", help="A name that `assay models` lists.")]
ModelFile = Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="The model file to write.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the model; may be repeated."),
]


def fit(
    source: Source,
    model: Name,
    out: ModelFile,
    target: Target = None,
    setting: Settings = None,
    weights: Weights = None,
    types: Types = None,
    drop: Drop = None,
    no_fingerprint: NoFingerprint = False,
    query: Query = None,
    missing: Missing = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
    ignore: Ignore = None,
) -> None:
    """Fit a model to all rows of a table and save it; models solved from statistics read it block by block."""
    from assay.commands.fit.job import fit_and_save
    from assay.notes.phrases import plural

    with progress_bar(show=not quiet) as progress:
        done = fit_and_save(
            source,
            target,
            model,
            out,
            settings=setting or (),
            random_state=seed,
            progress=progress,
            fingerprint=not no_fingerprint,
            **reading(types, drop, query, missing, weights=weights),
        )
    if as_json:
        print_json(vars(done))
    elif not quiet:
        console = stdout_console()
        how = "block by block" if done.streamed else "in memory"
        prose(
            console,
            f"{done.title}{_chosen(done.setting)} fitted to {plural(done.rows, 'row')}{_counted(done.weights)} and "
            f"{plural(done.features, 'column')} of {done.source} ({how}, "
            f"{format_duration(done.seconds)}); classes {', '.join(map(str, done.classes))}.",
        )
        prose(console, f"Saved to {done.model}; `assay predict {done.model} NEW` classifies new rows.")
        print_notes(console, done.notes)


def _counted(weights: dict[str, Any] | None) -> str:
    return "" if weights is None else f", counted by {weights['column']!r},"


def _chosen(setting: dict[str, Any]) -> str:
    """The parameters that were set, by the user or by the catalog."""
    return f" ({', '.join(f'{name}={value}' for name, value in setting.items())})" if setting else ""
