"""`assay models`: list of the catalog, and one model in detail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from assay.notes.numbers import format_duration, in_digits
from assay.terminal.console import facts, heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.options import AsJson, Quiet, epilog

if TYPE_CHECKING:
    from assay.catalog import ModelCard

EPILOG = epilog("assay models", "assay models gaussian_shared")
ROWS, COLUMNS, CLASSES, FOLDS = 10_000, 20, 2, 10  # of the example whose time is estimated
WORDS, VOCABULARY = 100, 30_000  # distinct words per text, and in all texts


def models(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="A model to show in detail: hyperparameters, bounds, tuning ranges."
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List the models of compare and fit; with NAME, show one in detail."""
    from assay.catalog import cards, entry

    entries = cards() if name is None else (entry(name),)
    if as_json:
        print_json({"models": [_figures(card) for card in entries]})
    elif quiet:
        for card in entries:
            typer.echo(card.name)
    elif name is None:
        _show_list(stdout_console(), entries)
    else:
        _show_entry(stdout_console(), entries[0])


def _show_list(console: Console, entries: tuple[ModelCard, ...]) -> None:
    columns = [
        ("name", "left"),
        ("model", "left"),
        ("family", "left"),
        ("columns", "left"),
        ("settings", "right"),
        ("time", "right"),
    ]
    rows = [
        [e.name, e.title, e.family, _reads(e), str(len(e.settings())), format_duration(_seconds(e))]
        for e in entries
    ]
    table(console, columns, rows)
    console.print()
    prose(
        console,
        f"Settings: combinations of hyperparameters that compare tunes over. Time: estimate for nested {FOLDS}-fold "
        f"cross-validation of {ROWS} rows and {COLUMNS} numeric columns, or texts of {WORDS} words. `assay models "
        "NAME` shows a model in detail.",
    )


def _show_entry(console: Console, entry: ModelCard) -> None:
    heading(console, f"{entry.name}: {entry.title}")
    facts(
        console,
        [
            ("family", entry.family),
            ("interpretability", entry.interpretability),
            ("columns", ", ".join(entry.column_types)),
            ("encoding", _encoding(entry)),
            ("capabilities", ", ".join(sorted(entry.capabilities)) or "-"),
            (
                "time",
                f"{format_duration(_seconds(entry))} for {ROWS} rows, {_example(entry)}, {FOLDS} folds, tuned",
            ),
        ],
    )
    heading(console, "Hyperparameters (assay fit --set NAME=VALUE)")
    tuned = {param.name: param.values for param in entry.tuning}
    rows = [
        [
            p.name,
            str(p.default),
            _plain(p.expectation()),
            ", ".join(map(_value, tuned.get(p.name, ()))),
            f"{p.meaning} ({p.condition})" if p.condition else p.meaning,
        ]
        for p in entry.free_parameters()
    ]
    names = [
        ("name", "left"),
        ("default", "left"),
        ("allowed", "left"),
        ("tuned over", "left"),
        ("meaning", "left"),
    ]
    table(console, names, rows)
    if entry.fixed:
        fixed = ", ".join(f"{name} = {value}" for name, value in entry.fixed.items())
        prose(console, f"Unless set: {fixed}; compare does not vary these.")


def _reads(entry: ModelCard) -> str:
    """The columns that the model uses, in a word."""
    if entry.encoding == "none":
        return "none"
    if "text" in entry.column_types:
        return "texts" if len(entry.column_types) == 1 else "all"
    return "categorical" if "numeric" not in entry.column_types else "numeric"


def _example(entry: ModelCard) -> str:
    return f"texts of {WORDS} words" if entry.encoding == "words" else f"{COLUMNS} columns"


def _encoding(entry: ModelCard) -> str:
    words = {
        "onehot-flags": "one column per category, and one for missing values",
        "onehot-reference": "one column per category except the most frequent one; missing values replaced by the mean",
        "products-reference": "one column per category except the most frequent one, and squares and products of "
        "the numeric columns; missing values replaced by the mean",
        "levels": "category codes",
        "levels-flags": "category codes, and one indicator column for missing values",
        "words": "word counts; the vocabulary is selected inside each fold",
        "none": "no column is used",
        "table-flags": "none: columns are used as they are, with one indicator column for missing values each",
    }[entry.encoding]
    return words + ("; columns scaled" if entry.scaled else "")


def _plain(expectation: str) -> str:
    """Without quotes, which only Python needs."""
    return expectation.replace("'", "")


def _value(value: Any) -> str:
    return in_digits(value)


def _seconds(entry: ModelCard) -> float:
    from assay.models.base.costs import Workload

    settings = len(entry.settings())
    words = entry.encoding == "words"
    return entry.cost(
        Workload(
            rows=ROWS,
            columns=COLUMNS,
            width=COLUMNS * (COLUMNS + 3) // 2 if entry.encoding.startswith("products") else COLUMNS,
            classes=CLASSES,
            folds=FOLDS,
            settings=settings,
            models=FOLDS * (FOLDS + 1) // 2,
            filled=ROWS * WORDS if words else None,
        )
    )


def _figures(entry: ModelCard) -> dict[str, Any]:
    return {
        "name": entry.name,
        "title": entry.title,
        "family": entry.family,
        "interpretability": entry.interpretability,
        "encoding": entry.encoding,
        "scaled": entry.scaled,
        "column_types": entry.column_types,
        "capabilities": sorted(entry.capabilities),
        "fixed": entry.fixed,
        "parameters": [{**vars(p), "expects": p.expectation()} for p in entry.free_parameters()],
        "tuning": {param.name: param.values for param in entry.tuning},
        "settings": len(entry.settings()),
        "example_seconds": _seconds(entry),
    }
