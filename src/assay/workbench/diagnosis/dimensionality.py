"""The curse of dimension, measured on a table: how empty its space is, beside what a uniform cube would show.

Numeric columns are scaled to [-1, 1] by their smallest and largest value (the formulas are in `diagnosis/cube.py`).
A missing value is skipped: a row's shell has as many axes as the row has values, a squared norm is the sum of the axes'
means, and a distance is taken over the axes that both rows have, times d over their number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.row_sample import sampled_rows
from assay.data.schema import Column
from assay.data.table import Table
from assay.notes.phrases import class_names, listed, plural
from assay.workbench.diagnosis.findings import Finding
from assay.workbench.diagnosis.hypercube import (
    Cube,
    empty_share,
    grid,
    shell_volume,
    single_share,
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
MOST_LEVELS = 255  # encoders leave out categories with more


def dimension_findings(
    features: Table, codes: NDArray[np.integer], n_classes: int, classes: Sequence[Any] | None = None
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
        What sentences call the classes.
    """
    cube = Cube.of(features)
    found: list[Finding] = []
    if cube.d and features.n_rows > 1:
        found += [*_surface(cube), *_bins(cube), *_distances(cube)]
    return (*found, *_rows_per_column(features, codes, class_names(n_classes, classes)))


def _surface(cube: Cube) -> list[Finding]:
    """Share of rows in the outer shell, and mean squared norm: one pass over the columns."""
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
    warn = min(observed, expected) >= NEARLY_ALL
    meaning = (
        "nearly every row is extreme in some column, so that new rows lie outside what was seen and methods that "
        "average over neighbours extrapolate"
        if warn
        else "many values lie at the ends of their ranges, as those of skewed columns do"
        if observed > 2 * expected
        else "values gather in the middle of their ranges, and fewer rows are extreme than this many columns suggest"
        if observed < expected / 2
        else "about as many as this number of columns suggests"
    )
    return Finding(
        title="Rows in the outer shell",
        observed=observed,
        expected=expected,
        sentence=f"{_percent(observed)} of the rows lie within 5 % of the edge of the range of at least one of "
        f"{plural(d, 'numeric column')} (uniform: {_percent(expected)}): {meaning}.",
        warn=warn,
    )


def _norm_finding(observed: float, d: int) -> Finding:
    expected = uniform_norm(d)
    ratio = observed / expected
    warn = ratio > CROWDED
    meaning = (
        "values crowd at the ends of their ranges, as those of skewed columns do; a logarithm may help"
        if warn
        else "values gather in the middle of their ranges, as bell-shaped columns and columns with outliers do"
        if ratio < 0.5
        else "values are spread over their ranges"
    )
    return Finding(
        title="Mean squared norm",
        observed=observed,
        expected=expected,
        sentence=f"The mean squared norm in the cube is {observed:.3g}, {ratio:.2f} times that of uniform rows "
        f"(d/3 = {expected:.3g}): {meaning}.",
        warn=warn,
    )


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
    how = f"{per_axis} bins an axis on {axes} of {cube.d} axes ({plural(rows, 'row')} without a gap there)"
    return [
        _empty_finding(float((filled == 0).mean()), rows, bins, how, cube.d),
        _single_finding(float((filled == 1).mean()), rows, bins, how, *_alone(cube, lacking, n)),
    ]


def _alone(cube: Cube, lacking: NDArray[np.integer], n: int) -> tuple[float, int]:
    """Share of the rows without a gap that no other row joins if every axis is halved, and the axes."""
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


def _empty_finding(observed: float, rows: int, bins: int, how: str, d: int) -> Finding:
    expected = empty_share(rows, bins)
    warn = d * math.log(2) > math.log(1000.0 * rows) if rows else True
    meaning = (
        f"all {d} axes would make 2^{d} bins, of which these rows fill fewer than one in a thousand, "
        "so that no method can learn them one by one"
        if warn
        else "columns are skewed or depend on each other, and the rows fill less room than so many columns have"
        if observed > expected + 0.1
        else "the rows spread over the bins about as uniform ones would"
    )
    return Finding(
        title="Empty bins",
        observed=observed,
        expected=expected,
        sentence=f"With {how}, {_percent(observed)} of the {plural(bins, 'bin')} are empty "
        f"(uniform: {_percent(expected)}): {meaning}.",
        warn=warn,
    )


def _single_finding(observed: float, rows: int, bins: int, how: str, alone: float, axes: int) -> Finding:
    expected, warn = single_share(rows, bins), alone >= NEARLY_ALL
    halved = f"with all {axes} axes halved {_percent(alone)} of the rows are alone in their bin"
    meaning = (
        "nearly no row has another beside it, and methods that count what lies near a row have nothing to count"
        if warn
        else "from a single row no share of classes can be estimated"
    )
    return Finding(
        title="Bins with one row",
        observed=observed,
        expected=expected,
        sentence=f"With {how}, {_percent(observed)} of the bins hold a single row (uniform: {_percent(expected)}), and "
        f"{halved}: {meaning}.",
        warn=warn,
    )


def _distances(cube: Cube) -> list[Finding]:
    """How much distances differ from one another, on a sample of rows."""
    rows = sampled_rows(cube.table.n_rows, PAIR_ROWS)
    distances = squared_distances(np.column_stack([cube.axis(j, rows) for j in range(cube.d)]))
    distances = distances[~np.isnan(distances)]
    if len(distances) < 2 or distances.mean() == 0.0:
        return []
    observed, expected = float(distances.std() / distances.mean()), uniform_spread(cube.d)
    warn = observed < CLOSE
    meaning = (
        "near and far hardly differ, so that nearest neighbours say little"
        if warn
        else "rows differ in distance more than uniform ones, so that near and far mean something"
        if observed > 1.5 * expected
        else "near and far can be told apart"
    )
    sentence = (
        f"Squared distances between rows deviate by {_percent(observed)} of their mean (uniform: "
        f"{_percent(expected)}; {plural(len(rows), 'row')} compared): {meaning}."
    )
    return [Finding("Spread of distances", observed, expected, sentence, warn=warn)]


def design_width(features: Table) -> int:
    """Columns that a linear model would see: a number or a yes/no one, a category one fewer than its levels."""
    return sum(
        len(column.levels) - 1 if column.type == "categorical" and column.levels else 1
        for column in features.schema
        if usable(column)
    )


def usable(column: Column) -> bool:
    """Whether models read the column: numbers, dates and categories of which a table can show enough rows each."""
    return column.type in ("numeric", "date", "binary") or (
        column.type == "categorical" and len(column.levels) <= MOST_LEVELS
    )


def _rows_per_column(features: Table, codes: NDArray[np.integer], names: list[str]) -> list[Finding]:
    """Rows of each class for every column of the design; the smallest class decides."""
    D, counts = design_width(features), np.bincount(codes, minlength=len(names))
    if D == 0 or not len(names):
        return []
    ratios = counts / D
    least = int(ratios.argmin())
    warn = bool(ratios[least] < FEW_PER_COLUMN)
    order = np.argsort(ratios, kind="stable")
    every = listed([f"{names[k]} {ratios[k]:.3g}" for k in order], 6)
    meaning = (
        "too few to estimate a covariance of its own; prefer models that share or restrict it"
        if warn
        else f"fewer than the {ROWS_PER_COLUMN:.0f} that are comfortable"
        if ratios[least] < ROWS_PER_COLUMN
        else "enough for every model here"
    )
    return [
        Finding(
            title="Rows for each column, smallest class",
            observed=float(ratios[least]),
            expected=ROWS_PER_COLUMN,
            sentence=f"The smallest class, {names[least]}, has {plural(int(counts[least]), 'row')} for "
            f"{plural(D, 'column')} (categories counted by level): {meaning}; rows per column are {every}.",
            warn=warn,
        )
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
