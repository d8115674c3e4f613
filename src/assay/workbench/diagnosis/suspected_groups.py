"""Columns by whose values rows may belong together: rows of one patient in two folds give away each other's class.

A column is examined if its values repeat. Each row is predicted the most frequent class of the *other* rows of its
value, as in `leakage`: that tells how much of the class the value gives away, which a feature may do, too. A column of
groups also has many values of few rows each, or rows of one value that are each other's nearest neighbours in the
numeric columns, far more often than by chance. A name like that of a key, or of somebody who is measured more than
once, is evidence in place of these. Numbers whose size goes with the other columns are no keys but measurements: the
nearest row of another value has a value of about the same size.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from assay.data.inference.column_types import named_like_a_key
from assay.data.row_sample import sampled_rows
from assay.data.schema import Column
from assay.data.table import Table, Values, take_rows, value_codes
from assay.notes import Note
from assay.types import Array, Index
from assay.workbench.diagnosis.findings import Finding
from assay.workbench.diagnosis.leakage import (
    FEWEST_ERRORS,
    MOST_CELLS,
    MOST_ROWS,
    SampledLabels,
    error_reduction,
)

WHO = re.compile(
    r"(^|[_\W])(patient|subject|participant|person|customer|user|donor|speaker|author|household)s?$", re.I
)
SHARED = 0.2  # proportion of rows whose value another row has, from which a column is examined
KNOWN = 0.1  # proportion of the errors that other rows of the value avoid, from which Assay warns
FEWEST_VALUES, MOST_OF_A_VALUE = (
    20,
    10.0,
)  # values, and mean rows of each, of a column that looks like one of groups
NEAR, TIMES_CHANCE = (
    0.5,
    3.0,
)  # rows whose nearest row has their value: proportion, and multiple of that by chance
ORDERED = 0.5  # correlation of a row's value with that of the nearest row of another, from which it measures something
MOST_NUMERIC = 50  # numeric columns of a table, pixels say, beyond which unnamed ones are not examined
NEIGHBOURS = 2_000  # rows among which nearest ones are looked for


def group_findings(features: Table, codes: NDArray[np.integer], n_classes: int) -> tuple[Finding, ...]:
    """One finding for each column whose values repeat, tell the class and belong to groups of rows by all signs."""
    rows = sampled_rows(features.n_rows, MOST_ROWS)
    labels = SampledLabels.of(np.asarray(codes)[rows], n_classes)
    if labels.baseline < FEWEST_ERRORS:
        return ()
    suspects = [column for column in features.schema if _suspect(column, features)]
    findings = (_finding(column, take_rows(features[column.name], rows), labels) for column in suspects)
    return tuple(
        finding
        for finding in findings
        if finding is not None and _grouping(features.schema[str(finding.column)], features, rows)
    )


def _suspect(column: Column, features: Table) -> bool:
    """Whether a column is examined: texts by their name alone, and numbers of wide tables."""
    if column.type == "identifier" or column.type == "categorical" or _named(column):
        return column.type not in ("date", "constant")
    numeric = sum(other.type == "numeric" for other in features.schema)
    return column.type == "numeric" and numeric <= MOST_NUMERIC


def _named(column: Column) -> bool:
    return named_like_a_key(column.name) or WHO.search(column.name.strip()) is not None


def _grouping(column: Column, features: Table, rows: Index) -> bool:
    """Whether rows of a value look like rows of one group, and not only like rows that share a feature."""
    if column.type == "identifier":
        return True
    values = take_rows(features[column.name], rows)
    cells = value_codes(values).astype(np.int64)
    sizes = np.bincount(cells[cells >= 0])
    sizes = sizes[sizes > 0]
    if column.type == "numeric":
        numbers = np.asarray(values, dtype=np.float64)
        if (numbers[cells >= 0] != np.floor(numbers[cells >= 0])).any():
            return False
    elif len(sizes) >= FEWEST_VALUES and sizes.mean() <= MOST_OF_A_VALUE:
        return True
    if _named(column):
        return True
    others = [
        other.name for other in features.schema if other.type == "numeric" and other.name != column.name
    ]
    if not others:
        return False
    columns = np.stack([take_rows(features[name], rows) for name in others], axis=1)
    if not _near(columns, cells):
        return False
    return column.type != "numeric" or not _ordered(columns, np.asarray(values, dtype=np.float64))


def _near(columns: Array, cells: Index) -> bool:
    """Whether the nearest other row mostly has the same value: of rows of whole values, at most NEIGHBOURS of them."""
    place = np.random.default_rng(0).permutation(int(cells.max()) + 1)
    rank = np.where(cells >= 0, place[np.maximum(cells, 0)], len(place))
    rows = np.argsort(rank, kind="stable")[:NEIGHBOURS]
    rows = rows[cells[rows] >= 0]
    cells = cells[rows]
    distances = _distances(columns[rows])
    if distances is None:
        return False
    np.fill_diagonal(distances, np.inf)
    same = float((cells[distances.argmin(axis=1)] == cells).mean())
    sizes = np.bincount(cells).astype(np.float64)
    chance = float((sizes * (sizes - 1.0)).sum() / (len(rows) * (len(rows) - 1.0)))
    return same >= max(NEAR, TIMES_CHANCE * chance)


def _ordered(columns: Array, numbers: Array) -> bool:
    """Whether the rank of a row's value correlates with that of the nearest row of another value."""
    rows = np.random.default_rng(0).permutation(np.flatnonzero(~np.isnan(numbers)))[:NEIGHBOURS]
    _, rank = np.unique(numbers[rows], return_inverse=True)
    distances = _distances(columns[rows])
    if distances is None or rank.max() < 1:
        return False
    distances[rank[:, None] == rank] = np.inf
    nearest = rank[distances.argmin(axis=1)]
    return bool(nearest.std() > 0 and np.corrcoef(rank, nearest)[0, 1] >= ORDERED)


def _distances(columns: Array) -> Array | None:
    """Squared distances of all pairs of rows on columns scaled alike; None where no column differs between rows."""
    columns = columns[:, (~np.isnan(columns)).any(axis=0)]
    spread = np.nanstd(columns, axis=0)
    told = spread > 0
    if not told.any():
        return None
    scaled = np.nan_to_num((columns[:, told] - np.nanmean(columns[:, told], axis=0)) / spread[told])
    squares = (scaled**2).sum(axis=1)
    return np.asarray(squares[:, None] + squares - 2.0 * scaled @ scaled.T)


def _finding(column: Column, values: Values, labels: SampledLabels) -> Finding | None:
    cells = value_codes(values).astype(np.int64)
    present = cells >= 0
    sizes = np.bincount(cells[present])
    if (
        len(sizes) < 2
        or (sizes[cells[present]] > 1).mean() < SHARED
        or len(cells) * labels.n_classes > MOST_CELLS
    ):
        return None
    # Rows without a value belong to nobody: each is alone.
    cells = np.where(present, cells, len(sizes) + np.cumsum(~present) - 1)
    reduction = error_reduction(cells, int(cells.max()) + 1, labels)
    if reduction < KNOWN:
        return None
    note = Note("P129", column.name, values={"values": len(sizes), "rows": int(present.sum())})
    return Finding.of("Rows that may belong together", note, reduction)
