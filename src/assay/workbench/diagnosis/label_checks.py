"""What labels and their spelling warn of: spellings of one class, classes of one row, values with two meanings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.data.schema import Category, Column
from assay.notes.phrases import listed
from assay.workbench.diagnosis.findings import Finding


def label_findings(target: str, labels: Sequence[Category], counts: Sequence[int]) -> tuple[Finding, ...]:
    """Labels that differ in case and blanks alone, and labels of a single row.

    >>> [finding.title for finding in label_findings("bought", ["Yes", "no", "yes", "yess"], [40, 31, 12, 1])]
    ['Labels that look alike', 'Labels of a single row']
    """
    rows = {label: int(count) for label, count in zip(labels, counts, strict=True) if count}
    return (*_alike(target, rows, f"Labels of {target!r}", "classes"), *_single(target, rows))


def category_findings(column: str, levels: Sequence[Category], counts: Sequence[int]) -> tuple[Finding, ...]:
    """Levels of a column of categories that differ in case and blanks alone.

    >>> [finding.sentence[:46] for finding in category_findings("town", ["Bern", "bern", "Basel"], [4, 2, 9])]
    ["Levels of column 'town' that differ in case or"]
    """
    rows = {level: int(count) for level, count in zip(levels, counts, strict=True) if count}
    return tuple(_alike(column, rows, f"Levels of column {column!r}", "levels"))


def _alike(name: str, rows: dict[Category, int], whose: str, what: str) -> list[Finding]:
    groups: dict[str, list[str]] = {}
    for label, count in rows.items():
        if isinstance(label, str):
            groups.setdefault(" ".join(label.split()).casefold(), []).append(f"{label!r} ({count})")
    alike = [" and ".join(group) for group in groups.values() if len(group) > 1]
    if not alike:
        return []
    return [
        Finding(
            title=f"{whose.split()[0]} that look alike",
            observed=float(len(alike)),
            expected=None,
            sentence=f"{whose} that differ in case or blanks alone are {what} of their own: "
            f"{listed(alike, 5)}; give them one spelling if they mean the same, as "
            f"frame[{name!r}].str.lower().str.split().str.join(' ') does.",
            column=name,
            warn=True,
        )
    ]


def _single(target: str, rows: dict[Category, int]) -> list[Finding]:
    single = [repr(label) for label, count in rows.items() if count == 1]
    if not single:
        return []
    return [
        Finding(
            title="Labels of a single row",
            observed=float(len(single)),
            expected=None,
            sentence=f"Labels of {target!r} that a single row has: {listed(single, 5)}; correct them if they are "
            f"slips, or merge them with another label, as frame[{target!r}].replace({{{single[0]}: 'other'}}) does: "
            "nothing can be learned from one row.",
            column=target,
            warn=True,
        )
    ]


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
