"""`assay models`: list of the catalog, and one model in detail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from assay.notes.numbers import in_digits
from assay.terminal.console import facts, heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.options import AsJson, Quiet, epilog

if TYPE_CHECKING:
    from assay.catalog import ModelCard

EPILOG = epilog("assay models", "assay models gaussian_shared")
# By capability, what folds and settings have in common.
SHARED = {
    "statistics": "moments",
    "counts": "counts",
    "path": "path of penalties",
    "neighbors": "neighbour search",
    "gram": "Gram matrices",
}


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
        ("folds share", "left"),
    ]
    rows = [
        [e.name, e.title, e.family, _reads(e), str(len(e.settings())), _shared(e) or "-"] for e in entries
    ]
    table(console, columns, rows)
    console.print()
    prose(
        console,
        "Settings: combinations of hyperparameters that compare tunes over. Folds share: what is computed once for all "
        "folds; models without it are fitted once per fold and setting, and take longest. `assay models NAME` shows a "
        "model in detail.",
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
            ("folds share", _shared(entry) or "nothing: one fit per fold and setting"),
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
            f"{p.summary} ({p.condition})" if p.condition else p.summary,
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


def _shared(entry: ModelCard) -> str:
    """What is computed once for all folds; empty: every fold is fitted by itself."""
    from assay.catalog import entry as entry_of

    capabilities = entry.capabilities | (
        entry_of(entry.calibrates).capabilities if entry.calibrates else set()
    )
    return next((shared for capability, shared in SHARED.items() if capability in capabilities), "")


def _encoding(entry: ModelCard) -> str:
    words = {
        "onehot-flags": "one column per category, and one for missing values",
        "onehot-reference": "one column per category except the most frequent one; missing values replaced by the mean",
        "products-reference": "one column per category except the most frequent one, and squares and products of "
        "the numeric columns; missing values replaced by the mean",
        "levels": "category codes",
        "levels-statistics": "category codes; of more than 255 categories the proportions of the classes in each",
        "levels-flags": "category codes, and one indicator column for missing values",
        "words": "word counts; the vocabulary is selected inside each fold",
        "words-tfidf": "TF-IDF of word counts; vocabulary and weights are learned inside each fold",
        "none": "no column is used",
        "table-flags": "none: columns are used as they are, with one indicator column for missing values each",
    }[entry.encoding]
    return words + ("; columns scaled" if entry.scaled else "")


def _plain(expectation: str) -> str:
    """Without quotes, which only Python needs."""
    return expectation.replace("'", "")


def _value(value: object) -> str:
    return in_digits(value)


def _figures(entry: ModelCard) -> dict[str, object]:
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
        "folds_share": _shared(entry),
    }
