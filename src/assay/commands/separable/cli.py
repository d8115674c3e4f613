"""`assay separable`: options and text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.notes.numbers import in_digits
from assay.notes.phrases import plural
from assay.terminal.console import facts, heading, prose, stdout_console, table
from assay.terminal.json_output import print_json
from assay.terminal.notes import print_notes
from assay.terminal.option_groups import OutputOptions, ReadingOptions
from assay.terminal.options import Source, Target, epilog
from assay.workbench.syntax.settings import source_options

if TYPE_CHECKING:
    from rich.console import Console

    from assay.commands.separable.job import SeparableResult

MOST_LINES = 20  # weights and rows on a terminal; --json has all
EPILOG = epilog("assay separable iris.csv --target species")


def separable(
    source: Source, target: Target = None, *, reading: ReadingOptions, output: OutputOptions
) -> None:
    """Decide whether planes separate the classes, with a certificate: a plane, or rows that no plane could separate."""
    from assay.commands.separable.job import separable_table

    result = separable_table(source, target, **source_options(**vars(reading)))
    if output.as_json:
        print_json(vars(result))
        return
    console = stdout_console()
    if not output.quiet:
        prose(
            console, f"{plural(result.rows, 'row')} of {result.source}, classes in column {result.target!r}."
        )
        console.print()
    facts(console, [("separable", {"complete": "yes", "unknown": "unknown"}.get(result.kind, "no"))])
    if not output.quiet:
        console.print()
        prose(console, result.sentence)
        _show_planes(console, result)
        _show_proof(console, result)
        print_notes(console, result.notes)


def _show_planes(console: Console, result: SeparableResult) -> None:
    if result.kind != "complete":
        return
    heading(console, f"A plane that separates them; margin {in_digits(result.margin, 4)}")
    names = list(dict.fromkeys(name for plane in result.planes for name in plane["weights"]))
    lines = [
        [name, *(in_digits(plane["weights"].get(name, 0.0), 4) for plane in result.planes)]
        for name in names[:MOST_LINES]
    ]
    lines.append(["(intercept)", *(in_digits(plane["intercept"], 4) for plane in result.planes)])
    table(console, [("column", "left"), *((str(plane["class"]), "right") for plane in result.planes)], lines)
    _not_listed(console, len(names), "weight")


def _show_proof(console: Console, result: SeparableResult) -> None:
    if not result.proof:
        return
    heading(console, "Rows of the proof")
    lines = [
        [str(part["row"]), str(part["class"]), str(part["rival"]), in_digits(part["multiplier"], 4)]
        for part in result.proof[:MOST_LINES]
    ]
    columns = [("row", "right"), ("class", "left"), ("against", "left"), ("multiplier", "right")]
    table(console, columns, lines)
    _not_listed(console, len(result.proof), "row")


def _not_listed(console: Console, count: int, noun: str) -> None:
    if count > MOST_LINES:
        prose(console, f"Not listed: {plural(count - MOST_LINES, noun)}; --json lists all.")
