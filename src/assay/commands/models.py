"""`assay models`: the catalog."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from assay.notes.numbers import format_duration, in_digits
from assay.terminal.console import facts, heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.options import AsJson, Quiet, epilog

if TYPE_CHECKING:
    from assay.catalog import Entry

EPILOG = epilog("assay models", "assay models gaussian_shared")
ROWS, COLUMNS, CLASSES, FOLDS = 10_000, 20, 2, 10  # of the example that a cost is told for
WORDS, VOCABULARY = 100, 30_000  # different ones in a text, and in all texts


def models(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="One model: its parameters, bounds and tuning range."),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List the models that compare tries and fit takes; with NAME, all about one of them."""
    from assay.catalog import ENTRIES, entry

    entries = ENTRIES if name is None else (entry(name),)
    if as_json:
        print_json({"models": [_figures(each) for each in entries]})
    elif quiet:
        for each in entries:
            typer.echo(each.name)
    elif name is None:
        _show_list(stdout_console(), entries)
    else:
        _show_entry(stdout_console(), entries[0])


def _show_list(console: Console, entries: tuple[Entry, ...]) -> None:
    columns = [
        ("name", "left"),
        ("model", "left"),
        ("family", "left"),
        ("reads", "left"),
        ("settings", "right"),
        ("takes", "right"),
    ]
    rows = [
        [e.name, e.title, e.family, _reads(e), str(len(e.settings())), format_duration(_seconds(e))]
        for e in entries
    ]
    table(console, columns, rows)
    console.print()
    prose(
        console,
        f"Settings: combinations that compare tunes over. Takes: a tuned, nested {FOLDS}-fold comparison of {ROWS} "
        f"rows and {COLUMNS} numeric columns, or texts of {WORDS} words, as its cost model foresees it. `assay models "
        "NAME` tells more.",
    )


def _show_entry(console: Console, entry: Entry) -> None:
    heading(console, f"{entry.name}: {entry.title}")
    facts(
        console,
        [
            ("family", entry.family),
            ("to read", entry.interpretability),
            ("columns", ", ".join(entry.column_types)),
            ("encoding", _encoding(entry)),
            ("can", ", ".join(sorted(entry.capabilities)) or "-"),
            (
                "takes",
                f"{format_duration(_seconds(entry))} for {ROWS} rows, {_example(entry)}, {FOLDS} folds, tuned",
            ),
        ],
    )
    heading(console, "Parameters (assay fit --set NAME=VALUE)")
    tuned = {each.name: each.values for each in entry.tuning}
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
        ("may be", "left"),
        ("tuned over", "left"),
        ("meaning", "left"),
    ]
    table(console, names, rows)
    if entry.fixed:
        prose(
            console, "Fixed: " + ", ".join(f"{name} = {value}" for name, value in entry.fixed.items()) + "."
        )


def _reads(entry: Entry) -> str:
    """The columns that it looks at, in a word."""
    if entry.encoding == "none":
        return "nothing"
    if "text" in entry.column_types:
        return "texts" if len(entry.column_types) == 1 else "all"
    return "levels" if "numeric" not in entry.column_types else "columns"


def _example(entry: Entry) -> str:
    return f"texts of {WORDS} words" if entry.encoding == "words" else f"{COLUMNS} columns"


def _encoding(entry: Entry) -> str:
    words = {
        "onehot-flags": "one column per category, and one for missing values",
        "onehot-reference": "one column a level less the most frequent one; gaps filled with the mean",
        "products-reference": "one column a level less the most frequent one, and squares and products of the "
        "numeric columns; gaps filled with the mean",
        "levels": "codes of the levels",
        "levels-flags": "codes of the levels, and a yes/no column for missing values",
        "words": "counts of words, which each fold chooses from its own rows",
        "none": "no column is looked at",
        "table-flags": "none: columns are read as they are, and a yes/no column tells where each has no value",
    }[entry.encoding]
    return words + ("; columns scaled" if entry.scaled else "")


def _plain(expectation: str) -> str:
    """Without the quotes that Python needs and a command line does not."""
    return expectation.replace("'", "")


def _value(value: Any) -> str:
    return in_digits(value)


def _seconds(entry: Entry) -> float:
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


def _figures(entry: Entry) -> dict[str, Any]:
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
        "tuning": {each.name: each.values for each in entry.tuning},
        "settings": len(entry.settings()),
        "example_seconds": _seconds(entry),
    }
