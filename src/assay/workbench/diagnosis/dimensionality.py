"""The curse of dimensionality, measured on a table: how empty its space is, compared with a uniform cube.

Numeric columns are scaled to [-1, 1] by their smallest and largest value (the formulas are in `hypercube`).
A missing value is skipped: a row's shell has as many axes as the row has values, a squared norm is the sum of the axes'
means, and a distance is taken over the axes that both rows have, times d over their number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.data.row_sample import sampled_rows
from assay.data.schema import Column
from assay.data.table import Table
from assay.notes import Note
from assay.notes.phrases import class_names
from assay.types import Label
from assay.workbench.diagnosis.findings import Finding
from assay.workbench.diagnosis.hypercube import (
    Cube,
    empty_proportion,
    grid,
    shell_volume,
    single_proportion,
    squared_distances,
    uniform_norm,
    uniform_spread,
)

SHELL = 0.05
NEARLY_ALL = 0.90
CROWDED = 2.0
CLOSE = 0.20
PAIR_ROWS = 500
ROWS_PER_COLUMN = 10.0
FEW_PER_COLUMN = 2.0
MOST_ROWS = 100_000  # of a table whose density is measured on all rows
EMPTY_SPACE = frozenset({"P100", "P107", "P110", "P112"})  # conclusions that rows are far from each other
MOST_CATEGORIES = 255  # encoders leave out categories with more


def dimension_findings(
    features: Table, codes: NDArray[np.integer], n_classes: int, classes: Sequence[Label] | None = None
) -> tuple[Finding, ...]:
    """How the table's numeric columns fill their cube, and how many rows each class has for a column.

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
    large = features.n_rows > MOST_ROWS
    cube = Cube.of(features.take(sampled_rows(features.n_rows, MOST_ROWS)) if large else features)
    measured: list[Finding] = []
    if cube.d and features.n_rows > 1:
        measured += [*_surface(cube), *_bins(cube), *_distances(cube)]
    return (*measured, *_rows_per_column(features, codes, class_names(n_classes, classes)))


def sparse_warning(features: Table, measured: Sequence[Finding]) -> tuple[Finding, ...]:
    """One warning, whichever of the measurements shows that the columns are too many for the rows."""
    if not any(finding.note.code in EMPTY_SPACE for finding in measured):
        return ()
    names = tuple(column.name for column in features.schema if column.type in ("numeric", "date"))
    note = Note("P146", columns=len(names), names=names, rows=features.n_rows)
    return (Finding.of("Many columns for the rows", note),)


def _surface(cube: Cube) -> list[Finding]:
    """Proportion of rows in the outer shell, and mean squared norm: one pass over the columns."""
    n, d = cube.table.n_rows, cube.d
    outer, axes, norm = np.zeros(n, dtype=bool), np.zeros(n, dtype=np.int64), 0.0
    for j in range(d):
        x = cube.axis(j)
        outer |= np.abs(x) > 1.0 - SHELL  # NaN is in no shell
        axes += ~np.isnan(x)
        norm += float(np.nanmean(x * x))
    expected = float(shell_volume(SHELL, axes).mean())
    return [_shell_finding(float(outer.mean()), expected, d), _norm_finding(norm, d)]


def _shell_finding(observed: float, expected: float, d: int) -> Finding:
    if min(observed, expected) >= NEARLY_ALL:
        code = "P100"
    elif observed > 2 * expected:
        code = "P101"
    else:
        code = "P102" if observed < expected / 2 else "P103"
    note = Note(code, observed=observed, expected=expected, columns=d)
    return Finding.of("Rows in the outer shell", note, observed, expected)


def _norm_finding(observed: float, d: int) -> Finding:
    expected = uniform_norm(d)
    ratio = observed / expected
    code = "P104" if ratio > CROWDED else "P105" if ratio < 0.5 else "P106"
    note = Note(code, observed=observed, expected=expected, ratio=ratio)
    return Finding.of("Mean squared norm", note, observed, expected)


def _bins(cube: Cube) -> list[Finding]:
    """Empty and singly filled bins, on the axes with the fewest missing values."""
    n = cube.table.n_rows
    lacking = np.array([np.isnan(cube.axis(j)).sum() for j in range(cube.d)])
    full = int((2 * lacking <= n).sum())  # an axis that most rows lack would leave no rows to count
    per_axis, axes = grid(n, full)
    if axes == 0:
        return []
    chosen = sorted(np.argsort(lacking, kind="stable")[:axes])
    cell, whole = np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool)
    for j in chosen:
        x = cube.axis(int(j))
        whole &= ~np.isnan(x)
        part = np.clip(np.floor((np.nan_to_num(x) + 1.0) / 2.0 * per_axis), 0, per_axis - 1)
        cell = cell * per_axis + part.astype(np.int64)
    rows, bins = int(whole.sum()), per_axis**axes
    filled = np.bincount(cell[whole], minlength=bins)
    shape = {"bins": per_axis, "axes": axes}
    alone, halved = _alone(cube, lacking, n)
    return [
        _empty_finding(float((filled == 0).mean()), empty_proportion(rows, bins), rows, cube.d, shape),
        _single_finding(float((filled == 1).mean()), single_proportion(rows, bins), alone, halved, shape),
    ]


def _alone(cube: Cube, lacking: NDArray[np.integer], n: int) -> tuple[float, int]:
    """Proportion of the complete rows that are alone in their cell if every axis is halved, and the axes."""
    axes = [j for j in range(cube.d) if 2 * lacking[j] <= n]
    whole, halves = np.ones(n, dtype=bool), np.empty((n, len(axes)), dtype=bool)
    for place, j in enumerate(axes):
        x = cube.axis(j)
        whole &= ~np.isnan(x)
        halves[:, place] = x > 0
    packed = np.packbits(halves[whole], axis=1)
    if not len(packed):
        return 0.0, len(axes)
    count = np.unique(packed, axis=0, return_counts=True)[1]
    return float((count == 1).sum() / len(packed)), len(axes)


def _empty_finding(observed: float, expected: float, rows: int, d: int, shape: dict[str, int]) -> Finding:
    if not rows or d * math.log(2) > math.log(1000.0 * rows):
        code = "P107"
    else:
        code = "P108" if observed > expected + 0.1 else "P109"
    note = Note(code, values=shape, observed=observed, expected=expected, rows=rows, columns=d)
    return Finding.of("Empty cells", note, observed, expected)


def _single_finding(
    observed: float, expected: float, alone: float, halved: int, shape: dict[str, int]
) -> Finding:
    code = "P110" if alone >= NEARLY_ALL else "P111"
    note = Note(code, values=shape, observed=observed, expected=expected, alone=alone, halved=halved)
    return Finding.of("Cells with one row", note, observed, expected)


def _distances(cube: Cube) -> list[Finding]:
    """How much distances differ from one another, on a sample of rows."""
    rows = sampled_rows(cube.table.n_rows, PAIR_ROWS)
    distances = squared_distances(np.column_stack([cube.axis(j, rows) for j in range(cube.d)]))
    distances = distances[~np.isnan(distances)]
    if len(distances) < 2 or distances.mean() == 0.0:
        return []
    observed, expected = float(distances.std() / distances.mean()), uniform_spread(cube.d)
    code = "P112" if observed < CLOSE else "P113" if observed > 1.5 * expected else "P114"
    note = Note(code, observed=observed, expected=expected, rows=len(rows))
    return [Finding.of("Spread of distances", note, observed, expected)]


def design_width(features: Table) -> int:
    """Columns of a linear model's design: one per number or binary column, one fewer than its categories otherwise."""
    return sum(
        len(column.levels) - 1 if column.type == "categorical" and column.levels else 1
        for column in features.schema
        if usable(column)
    )


def usable(column: Column) -> bool:
    """Whether models read the column: numbers, dates and categories of which a table can show enough rows each."""
    return column.type in ("numeric", "date", "binary") or (
        column.type == "categorical" and len(column.levels) <= MOST_CATEGORIES
    )


def _rows_per_column(features: Table, codes: NDArray[np.integer], names: list[str]) -> list[Finding]:
    """Rows of each class for every column of the design; the smallest class decides."""
    D, counts = design_width(features), np.bincount(codes, minlength=len(names))
    if D == 0 or not len(names):
        return []
    ratios = counts / D
    least = int(ratios.argmin())
    if ratios[least] < FEW_PER_COLUMN:
        code, bound = "P115", {}
    elif ratios[least] < ROWS_PER_COLUMN:
        code, bound = "P116", {"recommended": ROWS_PER_COLUMN}
    else:
        code, bound = "P117", {}
    note = Note(
        code,
        values=bound,
        label=names[least],
        rows=int(counts[least]),
        columns=D,
        ratios=[f"{names[k]} {ratios[k]:.3g}" for k in np.argsort(ratios, kind="stable")],
    )
    title = "Rows for each column, smallest class"
    return [Finding.of(title, note, float(ratios[least]), ROWS_PER_COLUMN)]
