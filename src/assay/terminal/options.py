"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.models import OptionInfo

EXIT_CODES = "Exit codes: 0 success, 1 internal error, 2 invalid input, 130 interrupted, 141 broken pipe."


def _option(name: str, metavar: str, text: str) -> OptionInfo:
    """An option that takes a value."""
    option: OptionInfo = typer.Option(name, metavar=metavar, help=text)
    return option


Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A CSV, TSV, Parquet, JSON lines or Arrow file, a folder of texts, or a database address.",
    ),
]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file, written by fit or compare.")]
ModelName = Annotated[str, _option("--model", "NAME", "The model, as listed by `assay models`.")]
Settings = Annotated[
    list[str] | None, _option("--set", "NAME=VALUE", "Set a hyperparameter of the model; may be repeated.")
]
Target = Annotated[
    str | None,
    _option(
        "--target",
        "COLUMN",
        "The column to predict; not needed for class folders, or if it is named class, target, label or y.",
    ),
]
MaybeTarget = Annotated[str | None, _option("--target", "COLUMN", "The column of true classes.")]
Types = Annotated[
    list[str] | None,
    _option(
        "--type",
        "COL=TYPE",
        "Type of a column: numeric, categorical, binary, text, identifier or date; may be repeated.",
    ),
]
Drop = Annotated[list[str] | None, _option("--drop", "COL", "Do not use this column; may be repeated.")]
Query = Annotated[str | None, _option("--query", "SQL", "For a database: a query, or the name of a table.")]
Missing = Annotated[
    list[str] | None,
    _option(
        "--missing",
        "MARKER",
        'Marker of missing values, instead of NA, N/A, null, ?, nan and -; "" for none; may be repeated.',
    ),
]
Groups = Annotated[
    str | None,
    _option(
        "--groups",
        "COLUMN",
        "Rows with the same value (a patient, a device) stay in one fold; not used as a feature.",
    ),
]
Weights = Annotated[
    str | None,
    _option(
        "--weights",
        "COLUMN",
        "Sample weights; a weight of 2 counts the row twice. The column is not used as a feature.",
    ),
]
SplitRepeats = Annotated[
    bool,
    typer.Option(
        "--split-repeats",
        help="Split copies of a row over the folds; by default they stay in one fold and count once.",
    ),
]
Loss = Annotated[
    str | None,
    _option(
        "--loss",
        "LOSS",
        "Loss matrix: a file, or true:action=cost,... (default cost 1); quote names with , : = as in JSON.",
    ),
]
Priors = Annotated[
    str | None,
    _option(
        "--priors",
        "P",
        'Class prevalence at deployment: "yes=0.1,no=0.9" (names as for --loss).',
    ),
]
Rule = Annotated[
    str,
    _option(
        "--rule",
        "RULE",
        "Choice of hyperparameters: min (least loss), or one_se (simplest within one standard error).",
    ),
]
NoFingerprint = Annotated[
    bool,
    typer.Option(
        "--no-fingerprint",
        help="Do not save the hashes by which evaluate recognises training rows.",
    ),
]
Seed = Annotated[int, _option("--seed", "N", "Seed of the random numbers.")]
RowsOut = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write to a file instead of standard output."),
]
RowsFormat = Annotated[
    str | None,
    _option("--format", "FORMAT", "csv, jsonl or parquet; default: by the ending of FILE, else csv."),
]


def _ignored(codes: list[str] | None) -> list[str] | None:
    from assay.terminal.notes import ignore

    ignore(codes)
    return codes


Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore",
        metavar="CODE",
        callback=_ignored,
        help="Do not show notes and warnings with this code; may be repeated.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only: no notes, no progress.")]


def epilog(*examples: str) -> str:
    """The end of a command's help: lines to copy, and the exit codes."""
    lines = "\n".join(f"  {example}" for example in examples)
    title = "Example:" if len(examples) == 1 else "Examples:"
    return f"\b\n{title}\n{lines}\n\n{EXIT_CODES}"  # \b: these lines are not wrapped
