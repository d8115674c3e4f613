"""Section: rows, columns and classes, and warnings about them."""

from __future__ import annotations

from collections import Counter

import numpy as np

from assay.charts.document import Callout, Facts, Part, Section, data_table
from assay.charts.document import DataTable as DataTable
from assay.commands.compare.page.context import PageContext, tone_of
from assay.data import COLUMN_TYPES
from assay.data.schema import Column
from assay.notes import Note
from assay.notes.numbers import DASH, count, percent
from assay.notes.phrases import name_of, shorten
from assay.notes.phrases import page_plural as plural

SHOWN_COLUMNS = 12
SHOWN_CLASSES = 20


def data_section(s: PageContext) -> Section:
    """Rows, columns, classes and warnings."""
    parts: list[Part] = [Facts(tuple(_facts(s))), *_warnings(s), _classes(s)]
    columns = _columns(s)
    if columns is not None:
        parts.append(columns)
    parts += _findings(s)
    return Section("data", "The data", "Data", tuple(parts))


def _schema(s: PageContext) -> list[Column]:
    schema = s.comparison.schema
    target = s.comparison.target
    return [column for column in schema if column.name != target]


def _facts(s: PageContext) -> list[tuple[str, str]]:
    columns = _schema(s)
    types = Counter(column.type for column in columns)
    gaps = [column for column in columns if column.missing]
    facts = [("Rows", count(s.comparison.n_rows))]
    if columns:
        kinds = ", ".join(f"{types[kind]} {kind}" for kind in COLUMN_TYPES if types[kind])
        facts.append(("Columns", f"{count(len(columns))}: {kinds}"))
        cells = sum(column.missing for column in gaps) / max(s.comparison.n_rows * len(columns), 1)
        missing = f"{percent(cells)} of all cells, in {plural(len(gaps), 'column')}" if gaps else "none"
        facts.append(("Missing values", missing))
    facts.append(
        ("Target", f"{name_of(s.comparison.target)}, {plural(len(s.class_names), 'class', 'classes')}")
    )
    return facts + _said_of_rows(s)


def _said_of_rows(s: PageContext) -> list[tuple[str, str]]:
    """Groups and sample weights."""
    facts, groups, weights = [], s.problem.groups, s.problem.weights
    if groups is not None:
        low, high = int(groups.sizes.min()), int(groups.sizes.max())
        size = f"{plural(low, 'row')} each" if low == high else f"{count(low)} to {plural(high, 'row')}"
        facts.append(
            (
                "Groups",
                f"{name_of(groups.name or 'an array')}, {plural(groups.count, 'group')} of {size}",
            )
        )
    if weights is not None:
        ends = f"{weights.values.min():.4g} to {weights.values.max():.4g}"
        facts.append(
            (
                "Sample weights",
                f"{name_of(weights.name or 'an array')}, {ends}, {weights.values.sum():.6g} in total",
            )
        )
    return facts


def _warnings(s: PageContext) -> list[Part]:
    """Leakage suspects, sparse data and all notes of the comparison, very small classes among them."""
    diagnosis = s.comparison.diagnosis
    warned = [finding for finding in (*diagnosis.leaks, *diagnosis.dimension) if finding.warn]
    boxes: list[Part] = [Callout(s.words(finding.sentence), finding.title, "warning") for finding in warned]
    boxes += [Callout(s.words(note), tone=tone_of(note)) for note in dict.fromkeys(s.comparison.notes)]
    return boxes or [Callout(s.words(Note("C190")))]


def _classes(s: PageContext) -> DataTable:
    amounts = s.class_counts.astype(float)
    if s.weighted:
        amounts = np.bincount(s.problem.codes, s.problem.weight, len(s.class_names))
    shares = tuple((amounts / max(amounts.sum(), np.finfo(float).tiny)).tolist())
    rows = [
        (name, count(n), percent(share))
        for name, n, share in zip(s.class_names, s.class_counts.tolist(), shares, strict=True)
    ]
    heads, folded = (
        ("class", "rows", "weighted proportion" if s.weighted else "proportion"),
        len(rows) > SHOWN_CLASSES,
    )
    return data_table("Classes of the target", heads, rows, (1, 2), bars=shares, folded=folded)


def _columns(s: PageContext) -> DataTable | None:
    columns = _schema(s)
    if not columns:
        return None
    rows = [
        (
            name_of(column.name),
            column.type,
            DASH if column.distinct is None else count(column.distinct),
            count(column.missing) if column.missing else "0",
            shorten(", ".join(name_of(example) for example in column.examples), 60) or DASH,
            s.words(column.reason) or DASH,
        )
        for column in columns
    ]
    heads = ("column", "type", "distinct values", "missing", "examples", "reason for the type")
    return data_table("Columns", heads, rows, (2, 3), folded=len(rows) > SHOWN_COLUMNS)


def _findings(s: PageContext) -> list[Part]:
    """Dimensionality and leakage checks that passed; warnings are above."""
    diagnosis = s.comparison.diagnosis
    quiet = [f for f in (*diagnosis.dimension, *diagnosis.leaks) if not f.warn]
    if not quiet:
        return []
    rows = [(finding.title, s.words(finding.sentence)) for finding in quiet]
    lines = [("method", s.words(note)) for note in diagnosis.notes]
    return [data_table("Checks passed", ("check", "result"), [*rows, *lines], folded=True)]
