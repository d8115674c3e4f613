"""Checks of labels and their spelling: spellings of one class, classes of one row, values with two meanings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.data.schema import Category, Column
from assay.notes import Note
from assay.workbench.diagnosis.findings import Finding


def label_findings(target: str, labels: Sequence[Category], counts: Sequence[int]) -> tuple[Finding, ...]:
    """Labels that differ only in case and blanks, and labels of a single row.

    >>> [finding.title for finding in label_findings("bought", ["Yes", "no", "yes", "yess"], [40, 31, 12, 1])]
    ['Labels that look alike', 'Labels of a single row']
    """
    rows = {label: int(count) for label, count in zip(labels, counts, strict=True) if count}
    return (*_alike("Labels that look alike", "P130", target, rows), *_single(target, rows))


def category_findings(
    column: str, categories: Sequence[Category], counts: Sequence[int]
) -> tuple[Finding, ...]:
    """Categories of a column that differ only in case and blanks.

    >>> [finding.note.code for finding in category_findings("town", ["Bern", "bern", "Basel"], [4, 2, 9])]
    ['P131']
    """
    rows = {category: int(count) for category, count in zip(categories, counts, strict=True) if count}
    return tuple(_alike("Categories that look alike", "P131", column, rows))


def _alike(title: str, code: str, name: str, rows: dict[Category, int]) -> list[Finding]:
    groups: dict[str, list[str]] = {}
    for label, count in rows.items():
        if isinstance(label, str):
            groups.setdefault(" ".join(label.split()).casefold(), []).append(f"{label!r} ({count})")
    alike = [" and ".join(group) for group in groups.values() if len(group) > 1]
    return [Finding.of(title, Note(code, name, alike=alike), float(len(alike)))] if alike else []


def _single(target: str, rows: dict[Category, int]) -> list[Finding]:
    labels = [label for label, count in rows.items() if count == 1]
    if not labels:
        return []
    return [Finding.of("Labels of a single row", Note("P132", target, labels=labels), float(len(labels)))]


def doubt_findings(columns: Iterable[Column]) -> tuple[Finding, ...]:
    """Columns whose numbers or dates can be read in two ways, and texts of which some could not be read."""
    return tuple(
        Finding(
            "Files skipped" if column.type == "text" else "Can be read in two ways",
            None,
            None,
            column.note,
            column.name,
            warn=True,
        )
        for column in columns
        if column.note
    )
