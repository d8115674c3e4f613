"""The columns of a table, their types, its classes and findings, in one pass of bounded memory.

Counts, extremes, means and standard deviations are those of all rows. Medians and findings are based on a sample of at
most 50 000 rows, which is the whole table if it has no more; a note says which.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.commands.describe.column_summary import CategoryTally, NumericTally, Tally, tally_for
from assay.commands.describe.result import (
    CategoryShare,
    ClassCount,
    ColumnSummary,
    DescribeResult,
    NumericSummary,
)
from assay.data import scan
from assay.data.read import Markers
from assay.data.row_sample import RowSample
from assay.data.schema import Column, Schema
from assay.data.table import Table
from assay.notes import Note
from assay.workbench.diagnosis.diagnose import diagnosis_of
from assay.workbench.diagnosis.label_checks import category_findings, doubt_findings, label_findings
from assay.workbench.diagnosis.missing_markers import marker_notes
from assay.workbench.target import labels

SAMPLE_ROWS = 50_000
TOP_CATEGORIES = 5
MOST_CLASSES_SHOWN = 20


def describe(
    source: object,
    target: str | None = None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Markers = None,
) -> DescribeResult:
    """Read a source once and summarise it.

    Parameters
    ----------
    source : anything that `assay.data.scan` accepts
    target : str, optional
        The column that holds the classes, where the source does not say so itself as a folder of class folders
        does. With it classes are counted, columns are shown by class, and the findings of `diagnose` are added.
    types, drop, query, missing
        As for `assay.data.scan`.

    Examples
    --------
    >>> from assay import describe
    >>> table = {"size": [1.0, 2.5, 8.0, 9.0], "kind": ["cat", "cat", "dog", "dog"]}
    >>> description = describe(table, "kind")
    >>> description["size"].numbers.mean, description["size"].by_class
    (5.125, (1.75, 8.5))
    >>> [(c.label, c.rows) for c in description.classes]
    [('cat', 2), ('dog', 2)]
    """
    if target is not None and target in drop:
        raise ValueError(Note("P003", target=target))
    opened = _open(source, target, types, drop, query, missing)
    name = opened.target
    n_classes = len(opened.schema[name].levels) if name is not None else 0
    tallies = {column.name: tally_for(column, n_classes) for column in opened.schema}
    sample = RowSample(SAMPLE_ROWS)
    for block in opened.blocks:
        codes = None if name is None else block[name].astype(np.int64)
        for column_name, tally in tallies.items():
            tally.add(block[column_name], codes)
        sample.add(block)
    rows = sample.table()
    columns = tuple(_summary(column, tallies[column.name], rows, name) for column in opened.schema)
    doubts = doubt_findings(column for column in opened.schema if column.name != name)
    for column in opened.schema:
        tally = tallies[column.name]
        if column.name != name and isinstance(tally, CategoryTally):
            doubts += category_findings(column.name, column.levels, tally.counts.tolist())
    notes = (*marker_notes(opened.schema), *_sample_note(sample.n_rows))
    plain = DescribeResult(opened.name, sample.n_rows, columns, findings=doubts, notes=notes)
    return plain if name is None else _with_target(plain, name, opened.schema[name], tallies[name], rows)


@dataclass(frozen=True)
class _Opened:
    name: str
    schema: Schema
    target: str | None
    blocks: Iterable[Table]


def _open(
    source: object,
    target: str | None,
    types: Mapping[str, str] | None,
    drop: Collection[str],
    query: str | None,
    missing: Markers,
) -> _Opened:
    """Blocks to read once; a table that has types keeps them."""
    if isinstance(source, Table) and not types and missing is None:
        table = source.without(*drop)
        if target is not None:
            column, codes = labels(table.schema[target], table[target])
            table = Table(table.schema.with_column(column), {**table.columns, target: codes})
        return _Opened("the table", table.schema, target, [table])
    opened = scan(source, types=types, drop=tuple(drop), target=target, query=query, missing=missing)
    named = opened.stream.target  # by a folder of class folders, and by a pair (X, y)
    name = named if target is None and named is not None and named in opened.schema else target
    return _Opened(opened.name, opened.schema, name, opened.blocks())


def _with_target(
    plain: DescribeResult, target: str, column: Column, tally: Tally, rows: Table | None
) -> DescribeResult:
    """The result with classes, and with the findings of the sampled rows that have a label."""
    assert isinstance(tally, CategoryTally)
    labelled = int(tally.counts.sum())
    classes = tuple(
        ClassCount(level, int(count), int(count) / max(labelled, 1))
        for level, count in zip(column.levels, tally.counts, strict=True)
    )
    warned = (*plain.findings, *label_findings(target, column.levels, tally.counts.tolist()))
    done = replace(plain, target=target, classes=classes, unlabelled=tally.missing, findings=warned)
    if rows is None or labelled == 0 or len(plain.columns) == 1:
        return done
    codes: NDArray[np.int32] = rows[target]
    labelled_rows = np.flatnonzero(codes >= 0)
    features = rows.without(target)
    features = features if len(labelled_rows) == len(codes) else features.take(labelled_rows)
    diagnosis = diagnosis_of(features, codes[labelled_rows], len(classes), classes=column.levels)
    return replace(done, findings=(*warned, *diagnosis.findings), notes=(*plain.notes, *diagnosis.notes))


def _sample_note(n_rows: int) -> tuple[str, ...]:
    return () if n_rows <= SAMPLE_ROWS else (Note("C370", sample=SAMPLE_ROWS, rows=n_rows),)


def _summary(column: Column, tally: Tally, rows: Table | None, target: str | None) -> ColumnSummary:
    plain = ColumnSummary(
        column.name,
        "no values" if column.empty else column.type,
        column.reason,
        tally.missing,
        column.distinct,
        column.examples,
    )
    if isinstance(tally, NumericTally):
        return replace(
            plain,
            numbers=_numbers(tally, column.name, rows),
            by_class=_class_means(tally, column.name == target),
        )
    if isinstance(tally, CategoryTally):
        return _category_summary(plain, column, tally, column.name == target)
    return plain


def _numbers(tally: NumericTally, name: str, rows: Table | None) -> NumericSummary | None:
    if not tally.count or rows is None:
        return None
    values = rows[name]
    sampled = values[np.isfinite(values)]
    # A value that is rare among very many rows may be missing from the sample.
    median = float(np.median(sampled)) if len(sampled) else float(tally.mean)
    return NumericSummary(tally.low, float(tally.mean), median, tally.high, tally.deviation)


def _class_means(tally: NumericTally, is_target: bool) -> tuple[float | None, ...]:
    if is_target or not 0 < tally.n_classes <= MOST_CLASSES_SHOWN:
        return ()
    pairs = zip(tally.class_means, tally.class_counts, strict=True)
    return tuple(float(mean) if count and np.isfinite(mean) else None for mean, count in pairs)


def _category_summary(
    plain: ColumnSummary, column: Column, tally: CategoryTally, is_target: bool
) -> ColumnSummary:
    top = np.argsort(-tally.counts, kind="stable")[:TOP_CATEGORIES]
    present = max(int(tally.counts.sum()), 1)
    levels = tuple(
        CategoryShare(column.levels[k], int(tally.counts[k]), int(tally.counts[k]) / present)
        for k in top
        if tally.counts[k]
    )
    by_class: tuple[tuple[float, ...], ...] = ()
    if tally.by_class is not None and not is_target and tally.n_classes <= MOST_CLASSES_SHOWN:
        totals = np.maximum(tally.by_class.sum(axis=1, keepdims=True), 1)
        shares = tally.by_class[:, top[: len(levels)]] / totals
        by_class = tuple(tuple(map(float, row)) for row in shares)
    return replace(plain, levels=levels, by_class=by_class)
