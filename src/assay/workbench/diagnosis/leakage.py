"""Leakage: columns that predict the class better than anything known beforehand should.

A column is put into cells: its categories, or if it is numeric bins of equal counts, cut again where classes begin and
end; missing values have their own cell. Each row is predicted the most frequent class of the *other* rows of its cell:

    removed = 1 - (wrong rows of the column's rule) / (wrong rows of always predicting the most frequent class)

A column is suspected if its values remove 98 % of the errors, if whether there *is* a value removes 90 % of them, or if
there are values (or none) almost only in rows of one class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.row_sample import sampled_rows
from assay.data.schema import Column
from assay.data.table import MISSING, Table, label_codes, take_rows
from assay.notes import Note
from assay.notes.phrases import class_names
from assay.types import Integers as Codes
from assay.types import Label
from assay.workbench.diagnosis.findings import Finding

MOST_ROWS = 50_000
BIN_ROWS, MOST_BINS = 10, 100
NEAR = 5  # a bin that would end so few rows from where a class does ends with the class
BY_VALUE, BY_PRESENCE = 0.98, 0.90
STRONG = 0.95  # from here a column is mentioned, without a warning
ONE_CLASS, FEWEST_PRESENT, COMMON_CLASS = 0.99, 20, 0.90
FEWEST_ERRORS = 20  # with fewer rows outside the most frequent class, a perfect column is no surprise
FEWEST_IN_CLASS = 5
BY_CHANCE = 1e-4
MOST_RANGES = 20
MOST_CELLS = 5_000_000


@dataclass(frozen=True)
class SampledLabels:
    """The classes of the rows examined, and what each test needs of them."""

    codes: NDArray[np.int64]
    n_classes: int
    counts: NDArray[np.int64]
    ranked: NDArray[np.int64]  # the same with classes numbered by size, the most frequent one 0
    baseline: int  # rows outside the most frequent class
    largest: tuple[int, ...]  # at most twenty classes
    names: list[str]

    @classmethod
    def of(cls, codes: Codes, n_classes: int, classes: Sequence[Label] | None = None) -> SampledLabels:
        truth = np.asarray(codes, dtype=np.int64)
        counts = np.bincount(truth, minlength=n_classes)
        order = np.argsort(-counts, kind="stable")
        rank = np.empty(n_classes, dtype=np.int64)
        rank[order] = np.arange(n_classes)
        baseline = len(truth) - int(counts.max(initial=0))
        largest = tuple(int(k) for k in order[:MOST_RANGES] if counts[k] >= FEWEST_IN_CLASS)
        return cls(truth, n_classes, counts, rank[truth], baseline, largest, class_names(n_classes, classes))


def leak_suspects(
    features: Table, codes: Codes, n_classes: int, classes: Sequence[Label] | None = None
) -> tuple[Finding, ...]:
    """Columns that look as if they were filled in after the class was known, strongest first; then identifiers.

    Parameters
    ----------
    features : Table
        All columns but the target.
    codes : array of int
        The class of each row.
    n_classes : int
    classes : sequence, optional
        The labels, by which notes name the classes.
    """
    rows = sampled_rows(features.n_rows, MOST_ROWS)
    whole = len(rows) == features.n_rows
    labels = SampledLabels.of(np.asarray(codes)[rows], n_classes, classes)
    findings: list[Finding] = []
    for column in features.schema:
        if column.type == "identifier":
            continue
        values = features[column.name]
        finding = examine(column, values if whole else take_rows(values, rows), labels)
        if finding is not None:
            findings.append(finding)
    findings.sort(key=lambda finding: (not finding.warn, -(finding.observed or 0.0)))
    return (*findings, *(_identifier(c) for c in features.schema if c.type == "identifier"))


def examine(column: Column, values: Any, labels: SampledLabels) -> Finding | None:
    """What there is to say about one column, or None."""
    if labels.baseline < FEWEST_ERRORS:
        return None
    values, _ = label_codes(column, values)  # of one value or none, the absent ones are missing here
    present = present_rows(values)
    by_presence = 0.0
    if present is not None:
        by_presence = error_reduction(present.astype(np.int64), 2, labels)
    by_value = 0.0
    cells = column_cells(column, values, labels)
    if cells is not None:
        by_value = error_reduction(*cells, labels)
    if by_presence >= BY_PRESENCE and (by_presence >= by_value or by_value < BY_VALUE):
        return _presence_finding(column.name, by_presence)
    if by_value >= STRONG:
        return _value_finding(column.name, by_value)
    return None if present is None else _one_class(column.name, present, labels)


def error_reduction(cells: NDArray[np.int64], n_cells: int, labels: SampledLabels) -> float:
    """Proportion of the baseline's errors that the most frequent class of a row's cell, the row left out, avoids."""
    K = labels.n_classes
    counts = np.bincount(cells * K + labels.ranked, minlength=n_cells * K).reshape(n_cells, K)
    return 1.0 - (len(cells) - hits_without_oneself(counts)) / labels.baseline


def hits_without_oneself(counts: NDArray[np.int64]) -> int:
    """Rows that the others of their cell predict correctly; `counts` is (cells, classes), the largest class first.

    The first class wins ties, and a row that is alone in its cell is predicted the first class, as by the baseline.
    """
    others = np.zeros((len(counts), 1), dtype=np.int64)
    before = np.hstack([others - 1, np.maximum.accumulate(counts[:, :-1], axis=1)])
    after = np.hstack([np.maximum.accumulate(counts[:, :0:-1], axis=1)[:, ::-1], others])
    right = (counts - 1 > before) & (counts - 1 >= after)
    return int(counts[right].sum())


def present_rows(values: Any) -> NDArray[np.bool_] | None:
    """Which rows have a value; None if all have one, or none has."""
    if not isinstance(values, np.ndarray):
        if values.null_count in (0, len(values)):
            return None
        return ~np.asarray(values.is_null(), dtype=bool)
    present = values != MISSING if values.dtype.kind == "i" else ~np.isnan(values)
    return None if present.all() or not present.any() else present


def column_cells(column: Column, values: Any, labels: SampledLabels) -> tuple[NDArray[np.int64], int] | None:
    """The cell of each row and how many cells there are; None for a column without values to group by."""
    if column.type in ("categorical", "binary"):
        n_cells = len(column.levels) + 2  # two more for MISSING and UNSEEN
        if n_cells * 2 * labels.n_classes > MOST_CELLS:
            return None
        return values.astype(np.int64) + 2, n_cells
    if column.type in ("numeric", "date"):
        edges = bin_edges(values, labels)
        # NaN sorts behind every edge: missing values share a cell of their own, edges end at infinity.
        return np.searchsorted(edges, np.asarray(values), side="left"), len(edges) + 1
    return None


def bin_edges(values: NDArray[np.float64], labels: SampledLabels) -> NDArray[np.float64]:
    """Upper ends of the bins: equal counts, one for a value that fills bins by itself, and the ranges of classes.

    A column that splits the classes at one point would be missed if that point lay inside a bin, and a rare class is
    the most frequent one in no bin of equal counts. So bins also begin and end where a class does, and such a cut
    replaces those of equal counts beside it: in bins of one row or two nothing could be learned.
    """
    present = ~np.isnan(values)
    distinct, place, rows = np.unique(values[present], return_inverse=True, return_counts=True)
    if not len(distinct):
        return np.array([np.inf])
    until = np.cumsum(rows)  # rows up to each value
    n_bins = min(max(until[-1] // BIN_ROWS, 2), MOST_BINS)
    cuts = np.searchsorted(until, (np.arange(1, n_bins) * until[-1]) // n_bins, side="right")
    heavy = np.unique(cuts[1:][cuts[1:] == cuts[:-1]])
    cuts = np.unique(np.concatenate([cuts, heavy[heavy > 0] - 1]))
    ends = _class_ends(place, labels.codes[present], rows, labels)
    far = np.abs(until[cuts][:, np.newaxis] - until[ends]).min(axis=1, initial=len(values)) >= NEAR
    chosen = np.isin(cuts, heavy) | np.isin(cuts + 1, heavy) | far
    return np.unique(np.append(distinct[np.concatenate([cuts[chosen], ends])], np.inf))


def _class_ends(
    place: NDArray[np.int64], codes: NDArray[np.int64], rows: NDArray[np.int64], labels: SampledLabels
) -> NDArray[np.int64]:
    """Positions among the distinct values after which a class begins or ends: of each class the run of values in which
    its rows most outnumber the others'. A few rows elsewhere do not move it."""
    ends: list[int] = []
    for k in labels.largest:
        surplus = 2 * np.bincount(place[codes == k], minlength=len(rows)) - rows
        total = np.concatenate([[0], np.cumsum(surplus)])
        rise = total - np.minimum.accumulate(total)
        last = int(rise.argmax())
        first = int(total[: last + 1].argmin())
        ends += [first - 1, last - 1] if last > first else []
    return np.unique(np.array([end for end in ends if end >= 0], dtype=np.int64))


def _one_class(name: str, present: NDArray[np.bool_], labels: SampledLabels) -> Finding | None:
    """A finding if the rows with a value, or those without, are almost all of one class."""
    sides = (("P125", "Filled in for one class", present), ("P126", "Left empty for one class", ~present))
    for code, title, rows in sides:
        inside = np.bincount(labels.codes[rows], minlength=labels.n_classes)
        k, total = int(inside.argmax()), int(rows.sum())
        prior = float(labels.counts[k] / len(present))
        if total < FEWEST_PRESENT or prior >= COMMON_CLASS or inside[k] < ONE_CLASS * total:
            continue
        # Twenty rows of a class with a prevalence of 0.89 are all of that class every tenth time by chance.
        if prior**total < BY_CHANCE:
            values = {"rows": total, "inside": int(inside[k]), "label": labels.names[k], "prevalence": prior}
            return Finding.of(title, Note(code, name, values), inside[k] / total, prior)
    return None


def _value_finding(name: str, reduction: float) -> Finding:
    suspect = reduction >= BY_VALUE
    title = "Tells the class by itself" if suspect else "Strong by itself"
    return Finding.of(title, Note("P122" if suspect else "P123", name, reduction=reduction), reduction)


def _presence_finding(name: str, reduction: float) -> Finding:
    return Finding.of("Missing values predict the class", Note("P124", name, reduction=reduction), reduction)


def _identifier(column: Column) -> Finding:
    return Finding.of("Identifier, left out", Note("P127", column.name))
