"""What is in a table: its columns and their types, its classes, and what to beware of, in one pass of bounded memory.

Counts, extremes, means and deviations are those of all rows. Medians and findings rest on a sample of at most 50 000
rows, which is the whole table if it has no more; the description says which.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.commands.describe.column_summary import LevelTally, NumberTally, Tally, tally_for
from assay.data import scan
from assay.data.row_sample import RowSample
from assay.data.schema import Category, Column, Schema
from assay.data.table import Table
from assay.notes import Note
from assay.notes.phrases import plural
from assay.workbench.diagnosis.diagnose import Finding, diagnose
from assay.workbench.diagnosis.label_checks import category_findings, doubt_findings, label_findings
from assay.workbench.diagnosis.missing_markers import marker_notes
from assay.workbench.target import labels

SAMPLE_ROWS = 50_000
TOP_LEVELS = 5
MOST_CLASSES_SHOWN = 20


@dataclass(frozen=True)
class Numbers:
    """Of a numeric column or a date (in days since 1970-01-01); the median is that of the sample."""

    min: float
    mean: float
    median: float
    max: float
    deviation: float


@dataclass(frozen=True)
class LevelShare:
    """One level of a category: its rows, and their share of the rows that have a value."""

    level: Category
    rows: int
    share: float


@dataclass(frozen=True)
class ClassCount:
    """One class of the target: its rows, and their share of the rows that have a label."""

    label: Category
    rows: int
    share: float


@dataclass(frozen=True)
class ColumnSummary:
    """One column.

    Attributes
    ----------
    name, type, reason, missing, distinct, examples
        As in the schema, but that the type of a column without any value is "no values"; `missing` counts all rows.
    numbers : Numbers or None
        Of numeric columns and dates that have a value.
    levels : tuple of LevelShare
        The most frequent levels of a category, at most five.
    by_class : tuple
        One entry a class, in the order of the classes: the mean of a number (None without one), or the shares of
        `levels` within the class. Empty without a target, with more than 20 classes, and for the target itself.
    """

    name: str
    type: str
    reason: str
    missing: int
    distinct: int | None
    examples: tuple[str, ...]
    numbers: Numbers | None = None
    levels: tuple[LevelShare, ...] = ()
    by_class: tuple[float | None | tuple[float, ...], ...] = ()

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> ColumnSummary:
        by_class = tuple(tuple(part) if isinstance(part, list) else part for part in data["by_class"])
        numbers = Numbers(**data["numbers"]) if data["numbers"] is not None else None
        levels = tuple(LevelShare(**part) for part in data["levels"])
        parts = {
            "examples": tuple(data["examples"]),
            "numbers": numbers,
            "levels": levels,
            "by_class": by_class,
        }
        return cls(**{**data, **parts})


@dataclass(frozen=True)
class Description:
    """A table in figures: what `assay describe` prints.

    Attributes
    ----------
    name : str
        What the source is called.
    n_rows : int
    columns : tuple of ColumnSummary
    target : str or None
    classes : tuple of ClassCount
        Empty without a target.
    unlabelled : int
        Rows without a value of the target.
    findings : tuple of Finding
        Columns that can be read in two ways, and with a target what its labels and its problem warn of; those to act
        on first.
    notes : tuple of str
        How the figures were found.
    """

    name: str
    n_rows: int
    columns: tuple[ColumnSummary, ...]
    target: str | None = None
    classes: tuple[ClassCount, ...] = ()
    unlabelled: int = 0
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> ColumnSummary:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """Plain values; `from_json` gives the description back."""
        plain: dict[str, Any] = _plain(asdict(self))
        return plain

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Description:
        parts = {
            "columns": tuple(ColumnSummary.from_json(part) for part in data["columns"]),
            "classes": tuple(ClassCount(**part) for part in data["classes"]),
            "findings": tuple(Finding.from_json(part) for part in data["findings"]),
            "notes": tuple(data["notes"]),
        }
        return cls(**{**data, **parts})


def describe(
    source: Any,
    target: str | None = None,
    *,
    types: Mapping[str, str] | None = None,
    drop: Collection[str] = (),
    query: str | None = None,
    missing: Any = None,
) -> Description:
    """Read a source once and sum it up.

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
    >>> from assay.commands.describe.job import describe
    >>> table = {"size": [1.0, 2.5, 8.0, 9.0], "kind": ["cat", "cat", "dog", "dog"]}
    >>> description = describe(table, "kind")
    >>> description["size"].numbers.mean, description["size"].by_class
    (5.125, (1.75, 8.5))
    >>> [(c.label, c.rows) for c in description.classes]
    [('cat', 2), ('dog', 2)]
    """
    if target is not None and target in drop:
        raise ValueError(Note("C035", target=target))
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
        if column.name != name and isinstance(tally, LevelTally):
            doubts += category_findings(column.name, column.levels, tally.counts.tolist())
    notes = (*marker_notes(opened.schema), *_sample_note(sample.n_rows))
    plain = Description(opened.name, sample.n_rows, columns, findings=doubts, notes=notes)
    return plain if name is None else _with_target(plain, name, opened.schema[name], tallies[name], rows)


@dataclass(frozen=True)
class _Opened:
    name: str
    schema: Schema
    target: str | None
    blocks: Iterable[Table]


def _open(
    source: Any,
    target: str | None,
    types: Mapping[str, str] | None,
    drop: Collection[str],
    query: str | None,
    missing: Any,
) -> _Opened:
    """Blocks to go through once; a table that is typed already keeps its types."""
    if isinstance(source, Table) and not types and missing is None:
        table = source.without(*drop)
        if target is not None:
            column, codes = labels(table.schema[target], table[target])
            table = Table(table.schema.with_column(column), {**table.columns, target: codes})
        return _Opened("the table", table.schema, target, [table])
    found = scan(source, types=types, drop=tuple(drop), target=target, query=query, missing=missing)
    own = (
        found.stream.target
    )  # a folder of class folders, and a pair (X, y), say themselves what they are about
    name = own if target is None and own is not None and own in found.schema else target
    return _Opened(found.name, found.schema, name, found.blocks())


def _with_target(
    plain: Description, target: str, column: Column, tally: Tally, rows: Table | None
) -> Description:
    """The description with classes, and with the findings of the sampled rows that have a label."""
    assert isinstance(tally, LevelTally)
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
    kept = np.flatnonzero(codes >= 0)
    features = rows.without(target)
    features = features if len(kept) == len(codes) else features.take(kept)
    diagnosis = diagnose(features, codes[kept], len(classes), classes=column.levels)
    return replace(done, findings=(*warned, *diagnosis.findings), notes=(*plain.notes, *diagnosis.notes))


def _sample_note(n_rows: int) -> tuple[str, ...]:
    if n_rows <= SAMPLE_ROWS:
        return ()
    return (
        f"Medians and findings rest on {plural(SAMPLE_ROWS, 'row')} of {plural(n_rows, 'row')}, chosen by a hash of "
        "the row number; all other figures on every row.",
    )


def _summary(column: Column, tally: Tally, rows: Table | None, target: str | None) -> ColumnSummary:
    plain = ColumnSummary(
        column.name,
        "no values" if column.empty else column.type,
        column.reason,
        tally.missing,
        column.distinct,
        column.examples,
    )
    if isinstance(tally, NumberTally):
        return replace(
            plain,
            numbers=_numbers(tally, column.name, rows),
            by_class=_class_means(tally, column.name == target),
        )
    if isinstance(tally, LevelTally):
        return _level_summary(plain, column, tally, column.name == target)
    return plain


def _numbers(tally: NumberTally, name: str, rows: Table | None) -> Numbers | None:
    if not tally.count or rows is None:
        return None
    values = rows[name]
    sampled = values[np.isfinite(values)]
    # A value that is rare among very many rows may be missing from the sample.
    median = float(np.median(sampled)) if len(sampled) else float(tally.mean)
    return Numbers(tally.low, float(tally.mean), median, tally.high, tally.deviation)


def _class_means(tally: NumberTally, is_target: bool) -> tuple[float | None, ...]:
    if is_target or not 0 < tally.n_classes <= MOST_CLASSES_SHOWN:
        return ()
    pairs = zip(tally.class_means, tally.class_counts, strict=True)
    return tuple(float(mean) if count and np.isfinite(mean) else None for mean, count in pairs)


def _level_summary(plain: ColumnSummary, column: Column, tally: LevelTally, is_target: bool) -> ColumnSummary:
    top = np.argsort(-tally.counts, kind="stable")[:TOP_LEVELS]
    present = max(int(tally.counts.sum()), 1)
    levels = tuple(
        LevelShare(column.levels[k], int(tally.counts[k]), int(tally.counts[k]) / present)
        for k in top
        if tally.counts[k]
    )
    by_class: tuple[tuple[float, ...], ...] = ()
    if tally.by_class is not None and not is_target and tally.n_classes <= MOST_CLASSES_SHOWN:
        totals = np.maximum(tally.by_class.sum(axis=1, keepdims=True), 1)
        shares = tally.by_class[:, top[: len(levels)]] / totals
        by_class = tuple(tuple(map(float, row)) for row in shares)
    return replace(plain, levels=levels, by_class=by_class)


def _plain(value: Any) -> Any:
    """The same with lists for tuples, as JSON would give it back."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
