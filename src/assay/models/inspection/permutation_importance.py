"""What a model uses: weights of linear models, class densities of columns, and importances by permutation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.data.table import take_rows
from assay.decision import t_interval
from assay.plans import HoldOut

Array = NDArray[np.float64]
MOST_WEIGHTS = 20
MOST_TESTED, MOST_TRAINED = 2000, 10_000
ROUNDS = 3


@dataclass(frozen=True, eq=False)
class Weights:
    """How far one deviation of a design column moves the score of each class.

    Two classes have one line, towards the second; more classes have a line each, against the mean of all.
    """

    columns: list[str]
    weights: Array  # (classes or 1, columns)
    deviations: Array
    reach: Array | None = None  # of the weights' intervals to either side, where there are any

    @property
    def effects(self) -> Array:
        return self.weights * self.deviations

    @property
    def ends(self) -> tuple[Array, Array] | None:
        """Lower and upper ends of the effects' intervals."""
        if self.reach is None:
            return None
        away = self.reach * self.deviations
        return self.effects - away, self.effects + away


@dataclass(frozen=True, eq=False)
class Densities:
    """Class densities of one numeric column on a grid."""

    column: str
    grid: Array
    values: Array  # (K, grid)
    telling: float  # share of the column's variance that lies between the classes


@dataclass(frozen=True)
class Importance:
    """By how much the error rises when one column's values are shuffled among held-out rows."""

    column: str
    rise: float
    low: float
    high: float


def against_mean(coef: Array) -> Array:
    """Weights (.., classes or 1, columns) against the mean of all classes.

    A number added to a column's weight in every class changes no decision: only differences mean anything.
    """
    return coef if coef.shape[-2] == 1 else coef - coef.mean(axis=-2, keepdims=True)


def linear_weights(
    coef: Array,
    deviations: Array,
    names: Sequence[str],
    most: int = MOST_WEIGHTS,
    reach: Array | None = None,
) -> Weights:
    """The columns of largest effect on any class, largest first."""
    against = against_mean(coef)
    size = np.abs(against * deviations).max(axis=0)
    order = [int(j) for j in np.argsort(-size, kind="stable")[:most] if size[j] > 0]
    away = None if reach is None else reach[:, order]
    return Weights([names[j] for j in order], against[:, order], deviations[order], away)


def telling(values: Array, codes: NDArray[np.int32], n_classes: int) -> float:
    """Share of a column's variance that lies between the class means (0 to 1), missing values left out."""
    known = np.isfinite(values)
    x, k = values[known], codes[known]
    if len(x) < 2 or x.max() == x.min():
        return 0.0
    n = np.bincount(k, minlength=n_classes)
    mean = np.divide(
        np.bincount(k, weights=x - x.mean(), minlength=n_classes), n, out=np.zeros(n_classes), where=n > 0
    )
    return float((n * mean**2).sum() / max(((x - x.mean()) ** 2).sum(), np.finfo(np.float64).tiny))


def densities(
    table: Table, codes: NDArray[np.int32], n_classes: int, most: int = 6, points: int = 60
) -> list[Densities]:
    """The numeric columns that tell the classes apart best, with a smoothed density for each class."""
    numeric = [column.name for column in table.schema if column.type == "numeric"]
    ranked = sorted(((telling(table[name], codes, n_classes), name) for name in numeric), reverse=True)
    found = []
    for share, name in ranked[:most]:
        values = table[name]
        x = values[np.isfinite(values)]
        if share <= 0:
            continue
        low, high = np.quantile(x, [0.002, 0.998])
        grid = np.linspace(low - 0.08 * (high - low), high + 0.08 * (high - low), points)
        curves = np.stack(
            [smoothed(values[(codes == k) & np.isfinite(values)], grid) for k in range(n_classes)]
        )
        found.append(Densities(name, grid, curves, share))
    return found


def smoothed(values: Array, grid: Array) -> Array:
    """A kernel estimate of the density from at most a few hundred quantiles of the values."""
    if len(values) < 2 or values.max() == values.min():
        return np.zeros(len(grid))
    x = np.quantile(values, (np.arange(400) + 0.5) / 400) if len(values) > 400 else values
    low, high = np.quantile(x, [0.25, 0.75])
    spread = min(float(x.std()), float(high - low) / 1.349) or float(x.std())
    # Silverman's width; never narrower than a grid step, which would draw a comb.
    width = max(0.9 * spread * len(values) ** -0.2, float(grid[1] - grid[0]))
    z = (grid[:, None] - x) / width
    return np.asarray(np.exp(-0.5 * z**2).mean(axis=1) / (width * np.sqrt(2 * np.pi)))


def held_out(
    codes: NDArray[np.int32], seed: int, groups: NDArray[np.int32] | None = None
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows to train on and rows to test on, a third of each class, at most MOST_TRAINED and MOST_TESTED.

    Groups stay together: the third is then one of whole groups.
    """
    draw = np.random.default_rng(seed)
    if groups is not None:
        parts = HoldOut(1 / 3, random_state=seed).partitions(codes, groups)[0]
        train, test = parts.train_rows(0), parts.test_rows(0)
        return _at_most(train, MOST_TRAINED, draw), _at_most(test, MOST_TESTED, draw)
    order = draw.permutation(len(codes))
    rank = np.empty(len(codes))
    for k in np.unique(codes):
        mine = order[codes[order] == k]
        rank[mine] = (np.arange(len(mine)) + 0.5) / len(mine)
    test, train = np.flatnonzero(rank > 2 / 3), np.flatnonzero(rank <= 2 / 3)
    return _at_most(train, MOST_TRAINED, draw), _at_most(test, MOST_TESTED, draw)


def _rise(
    per_row: NDArray[np.float64], weight: NDArray[np.float64] | None, groups: NDArray[np.int32] | None
) -> tuple[float, float, float]:
    """Mean rise, and its interval."""
    if weight is None and groups is None:
        reach = 1.96 * float(per_row.std(ddof=1)) / np.sqrt(len(per_row)) if len(per_row) > 1 else 0.0
        rise = float(per_row.mean())
        return rise, rise - reach, rise + reach
    rise, _, (low, high) = t_interval(per_row, weight, groups=groups)
    return rise, max(low, -1.0), min(high, 1.0)  # of a single group nothing is known


def _at_most(rows: NDArray[np.intp], most: int, draw: np.random.Generator) -> NDArray[np.intp]:
    return rows if len(rows) <= most else np.sort(draw.choice(rows, most, replace=False))


def importances(
    predict: Callable[[Table], NDArray[Any]],
    table: Table,
    labels: NDArray[Any],
    seed: int,
    columns: Collection[str],
    rounds: int = ROUNDS,
    weight: NDArray[np.float64] | None = None,
    groups: NDArray[np.int32] | None = None,
) -> list[Importance]:
    """Rise of the error for each of the columns that the model looks at, largest first.

    `table` and `labels` are rows the model was not shown.
    """
    wrong = predict(table) != labels
    draw = np.random.default_rng(seed)
    found = []
    for name in columns:
        rises = []
        for _ in range(rounds):
            moved = take_rows(table.columns[name], draw.permutation(table.n_rows))
            shuffled = Table(table.schema, {**table.columns, name: moved})
            rises.append((predict(shuffled) != labels).astype(float) - wrong)
        per_row = np.mean(rises, axis=0)
        found.append(Importance(name, *_rise(per_row, weight, groups)))
    return sorted(found, key=lambda each: -each.rise)
