"""Calls that grow trees, prune them and let rows through."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.fuzz.kernels.calls import Arguments, Rng, call, codes, few, maybe, threads


@call("trees.grow_trees")
def grow_trees(rng: Rng) -> Arguments:
    width, rows, classes = few(rng, 1, 5), few(rng, 1, 40), few(rng, 1, 4)
    columns = np.round(rng.normal(size=(width, rows)), 1)
    columns[rng.random(columns.shape) < 0.1] = np.nan
    return {
        "columns": columns, "codes": codes(rng, rows, classes), "classes": classes,
        "weight": maybe(rng, rng.random(rows)), "first": few(rng, 0, 3), "count": few(rng, 0, 4),
        "max_features": few(rng, 1, 6), "max_depth": few(rng, -1, 4), "max_leaves": few(rng, 0, 6),
        "min_weight": float(few(rng, 1, 4)), "bootstrap": bool(few(rng, 0, 1)), "seed": few(rng, 0, 9),
        "threads": threads(rng),
    }  # fmt: skip


def nodes(rng: Rng, width: int) -> Arguments:
    """Nodes of one tree: the inner ones lead to two that come behind them."""
    size = 2 * few(rng, 0, 6) + 1
    inner = np.arange(size) < size // 2
    left = np.where(inner, 2 * np.arange(size) + 1, -1).astype(np.int32)
    return {
        "feature": np.where(inner, codes(rng, size, width), -1).astype(np.int32),
        "left": left, "right": np.where(inner, left + 1, -1).astype(np.int32),
        "threshold": rng.normal(size=size), "missing_left": rng.integers(0, 2, size).astype(np.uint8),
    }  # fmt: skip


def counted(rng: Rng, given: Arguments, classes: int) -> Any:
    return rng.random((len(given["feature"]), classes)) + 0.1


@call("trees.pruning_costs")
def pruning_costs(rng: Rng) -> Arguments:
    given = nodes(rng, 3)
    return {**given, "counts": counted(rng, given, few(rng, 1, 4)), "cost": np.zeros(len(given["feature"]))}


@call("trees.add_leaf_values")
def add_leaf_values(rng: Rng) -> Arguments:
    width, rows, classes = few(rng, 1, 4), few(rng, 0, 80), few(rng, 1, 4)
    given = nodes(rng, width)
    return {
        **given, "begin": np.zeros(few(rng, 0, 3), np.int64), "cost": maybe(rng, rng.random(len(given["feature"]))),
        "prune": float(rng.random()), "values": counted(rng, given, classes),
        "rows": rng.normal(size=(rows, width)), "threads": threads(rng), "sums": np.zeros((rows, classes)),
    }  # fmt: skip
