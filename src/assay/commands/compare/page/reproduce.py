"""Section: how to reproduce the result."""

from __future__ import annotations

from assay.charts.document import Code, Facts, Paragraph, Part, Section, data_table, versions
from assay.commands.compare.page.context import PageContext
from assay.notes.numbers import number, setting_text
from assay.types import Array


def reproduce_section(s: PageContext) -> Section:
    """Commands, versions, seed, validation scheme and hyperparameters."""
    commands = [str(line) for line in s.comparison.commands]
    parts: list[Part] = [
        Paragraph("The same rows and versions give the same results, for any number of threads.")
    ]
    parts += [Code(line, _label(line)) for line in commands]
    parts.append(Facts(tuple(_facts(s))))
    rows = [(s.titles[name], name, setting_text(result.setting)) for name, result in s.results.items()]
    parts.append(
        data_table(
            "Final hyperparameters",
            ("candidate", "name in the catalog", "hyperparameters"),
            rows,
            folded=len(rows) > 12,
        )
    )
    return Section("reproduce", "How to reproduce this", "Reproduce", tuple(parts))


def _label(command: str) -> str:
    return "Command line" if command.lstrip().startswith("assay ") else "Python"


def _facts(s: PageContext) -> list[tuple[str, str]]:
    facts = [("Date", s.date)] if s.date else []
    facts += [
        ("Validation scheme", repr(s.comparison.plan)),
        ("Seed", str(s.comparison.random_state)),
        ("Priors", _priors(s.comparison.priors)),
        ("Versions", versions()),
    ]
    return facts


def _priors(priors: Array | None) -> str:
    return "those of the training data" if priors is None else ", ".join(number(float(p)) for p in priors)
