"""Permutation importance: the rise of the error when the values of one column are shuffled."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.data.table import take_rows
from assay.decision import t_interval
from assay.plans import HoldOut

MOST_TESTED, MOST_TRAINED = 2000, 10_000
ROUNDS = 3


@dataclass(frozen=True)
class Importance:
    """By how much the error rises when one column's values are shuffled among held-out rows."""

    column: str
    rise: float
    low: float
    high: float


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
        rows = order[codes[order] == k]
        rank[rows] = (np.arange(len(rows)) + 0.5) / len(rows)
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
    ranking = []
    for name in columns:
        rises = []
        for _ in range(rounds):
            moved = take_rows(table.columns[name], draw.permutation(table.n_rows))
            shuffled = Table(table.schema, {**table.columns, name: moved})
            rises.append((predict(shuffled) != labels).astype(float) - wrong)
        per_row = np.mean(rises, axis=0)
        ranking.append(Importance(name, *_rise(per_row, weight, groups)))
    return sorted(ranking, key=lambda importance: -importance.rise)
