"""`assay fit`: options and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.engines.progress import progress_bar
from assay.notes.numbers import format_duration
from assay.terminal.console import prose, stdout_console
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import ModelName, NoFingerprint, Seed, Settings, Source, Target, Weights, epilog
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:  # loads NumPy, which help does without
    from assay.types import Parameters

EPILOG = epilog(
    "assay fit train.csv --target income --model gaussian_shared --set shrinkage=0.1 --out model.assay"
)
ModelFile = Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="The model file to write.")]


def fit(
    source: Source,
    model: ModelName,
    out: ModelFile,
    target: Target = None,
    setting: Settings = None,
    weights: Weights = None,
    no_fingerprint: NoFingerprint = False,
    seed: Seed = 0,
    *,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Fit a model to all rows of a table and save it; models that are solved from statistics read it in blocks."""
    from assay.commands.fit.job import fit_and_save
    from assay.notes.phrases import plural

    with progress_bar(show=not output.quiet) as progress:
        result = fit_and_save(
            source,
            target,
            model,
            out,
            settings=setting or (),
            random_state=seed,
            progress=progress,
            fingerprint=not no_fingerprint,
            **source_options(**vars(reading), weights=weights),
        )
    if output.as_json:
        print_json(vars(result))
    elif not output.quiet:
        console = stdout_console()
        how = "block by block" if result.streamed else "in memory"
        prose(
            console,
            f"{result.title}{_chosen(result.setting)} fitted to {plural(result.rows, 'row')}{_counted(result.weights)} "
            f"and {plural(result.features, 'column')} of {result.source} ({how}, "
            f"{format_duration(result.seconds)}); classes {', '.join(map(str, result.classes))}.",
        )
        prose(console, f"Saved to {result.model}; `assay predict {result.model} NEW` classifies new rows.")
        print_notes(console, result.notes)


def _counted(weights: Parameters | None) -> str:
    return "" if weights is None else f", weighted by {weights['column']!r},"


def _chosen(setting: dict[str, object]) -> str:
    """The hyperparameters that were set, by the user or by the catalog."""
    return f" ({', '.join(f'{name}={value}' for name, value in setting.items())})" if setting else ""
