"""Arguments and options that several commands share, each described once."""

from __future__ import annotations

from typing import Annotated, Any

import typer

EXIT_CODES = (
    "Exit codes: 0 done, 1 a fault of Assay's own, 2 wrong input, 130 interrupted, 141 the reader left early."
)


def _option(name: str, metavar: str, told: str) -> Any:
    """An option that takes a value."""
    return typer.Option(name, metavar=metavar, help=told)


Source = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A CSV, TSV, Parquet, JSON lines or Arrow file, a folder of texts, or a database address.",
    ),
]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="A model file, as fit and compare write it.")]
Target = Annotated[
    str | None,
    _option(
        "--target",
        "COLUMN",
        "The column to predict; not needed for class folders, nor if it is called class, target, label or y.",
    ),
]
MaybeTarget = Annotated[str | None, _option("--target", "COLUMN", "The column that holds the classes.")]
Types = Annotated[
    list[str] | None,
    _option(
        "--type",
        "COL=TYPE",
        "Read a column as numeric, categorical, binary, text, identifier or date; may be repeated.",
    ),
]
Drop = Annotated[list[str] | None, _option("--drop", "COL", "Leave a column out; may be repeated.")]
Query = Annotated[str | None, _option("--query", "SQL", "Of a database: a query, or the name of a table.")]
Missing = Annotated[
    list[str] | None,
    _option(
        "--missing",
        "MARKER",
        'What stands for a missing value, in place of NA, N/A, null, ?, nan and -; "" for none; may be repeated.',
    ),
]
Groups = Annotated[
    str | None,
    _option(
        "--groups",
        "COLUMN",
        "Rows with the same value here (a patient, a device) stay together; the column is not a feature.",
    ),
]
Weights = Annotated[
    str | None,
    _option(
        "--weights",
        "COLUMN",
        "Sample weights: whole numbers count rows, others are importance weights; the column is not a feature.",
    ),
]
SplitRepeats = Annotated[
    bool,
    typer.Option(
        "--split-repeats",
        help="Divide copies of rows over the folds like other rows; else they are in one fold and count once.",
    ),
]
Loss = Annotated[
    str | None,
    _option(
        "--loss",
        "LOSS",
        "What mistakes cost: a file, or true:action=cost,... (else 1); names with , : = or quotes in JSON's.",
    ),
]
Priors = Annotated[
    str | None,
    _option(
        "--priors",
        "P",
        'Class probabilities where decisions are made: "yes=0.1,no=0.9" (names as for --loss).',
    ),
]
Rule = Annotated[
    str,
    _option(
        "--rule",
        "RULE",
        "Setting to take: min, of least loss, or one_se, the simplest within one standard error of it.",
    ),
]
NoFingerprint = Annotated[
    bool,
    typer.Option(
        "--no-fingerprint",
        help="Leave out of the model file the hashes by which evaluate knows training rows again.",
    ),
]
Seed = Annotated[int, _option("--seed", "N", "Seed of all that is drawn at random.")]
RowsOut = Annotated[
    str | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file, not to standard output.")
]
RowsFormat = Annotated[
    str | None,
    _option("--format", "FORMAT", "csv, jsonl or parquet; else what FILE's name ends in, else csv."),
]


def _ignored(codes: list[str] | None) -> list[str] | None:
    from assay.terminal.notes import ignore

    ignore(codes)
    return codes


Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore", metavar="CODE", callback=_ignored, help="Silence notes with this code; may be repeated."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only: no advice, no progress.")]


def epilog(*examples: str) -> str:
    """The end of a command's help: lines to copy, and the exit codes."""
    lines = "\n".join(f"  {example}" for example in examples)
    title = "Example:" if len(examples) == 1 else "Examples:"
    return f"\b\n{title}\n{lines}\n\n{EXIT_CODES}"  # \b: these lines are not to be wrapped
