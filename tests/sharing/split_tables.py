"""Splits of every scheme, the table that they split, its weights, and steps before a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay import PCA, DropReference, Impute, SelectColumns, Standardize
from assay.plans import ALWAYS_TRAIN, Partition
from assay.sharing import splits as sp
from assay.sharing.splits import Splits

ROWS, FEATURES, CLASSES = 90, 4, 3


def table(seed: int = 0, gaps: bool = False) -> tuple[Any, Any]:
    """Three classes, of which one is rare; a column of two levels and one of three, as 0 and 1."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, CLASSES, ROWS)
    X = rng.normal(size=(ROWS, FEATURES)) * [1, 3, 0.5, 2] + y[:, None] * [0.8, 1, 0.3, 0.1] + [5, -100, 0, 3]
    level = np.eye(3)[(y + rng.integers(0, 2, ROWS)) % 3]
    if gaps:
        X[rng.random(X.shape) < 0.1] = np.nan
    return np.hstack([X, level]), np.array(["a", "b", "c"])[y]


def groups_of(rng: Any) -> Any:
    return rng.integers(0, 20, ROWS)


def schemes(grouped: bool = False, seed: int = 3) -> dict[str, Splits]:
    rng = np.random.default_rng(seed)
    groups = groups_of(rng) if grouped else np.arange(ROWS)
    fold = (rng.permutation(groups.max() + 1) % 5)[groups].astype(np.int32)

    def partition(values: Any, n: int) -> Any:
        return Partition(np.asarray(values, dtype=np.int32), n)

    cut = np.where((rng.permutation(groups.max() + 1) % 10 < 3)[groups], 0, ALWAYS_TRAIN)
    order = [rng.permutation(ROWS) for _ in range(4)]
    drawn = np.stack([np.bincount(rng.integers(0, ROWS, ROWS), minlength=ROWS) for _ in range(6)])
    return {
        "k-fold": sp.folds(partition(fold, 5)),
        "repeated": sp.joined(
            [sp.folds(partition((rng.permutation(groups.max() + 1) % 4)[groups], 4)) for _ in range(3)]
        ),
        "hold-out": sp.folds(partition(cut, 1)),
        "subsampling": sp.joined(
            [sp.folds(partition(np.where(np.isin(groups, o[:20]), 0, ALWAYS_TRAIN), 1)) for o in order]
        ),
        "given, overlapping": sp.given([(o[:55], o[60:80]) for o in order], ROWS),
        "given, few patterns": sp.given(
            [(np.arange(50), np.arange(40, 70)), (np.arange(30, 90), np.arange(30))], ROWS
        ),
        "pairs": sp.folds(partition(fold, 5), 2),
        "triples": sp.folds(partition(fold, 5), 3),
        "divided": sp.divided(partition(fold, 5), partition((rng.permutation(90) % 3)[groups], 3), 2),
        "pieces": sp.pieces(partition(fold, 5), rng.integers(0, 4, ROWS).astype(np.int32), 3, 2),
        "windows": deeper(
            sp.windows(
                partition(np.where(np.arange(ROWS) < 70, ALWAYS_TRAIN, 0), 1),
                partition(np.where(np.arange(ROWS) < 70, np.arange(ROWS) // 18, sp.ROOT), 4),
                np.arange(ROWS) % 7 > 0,
            )
        ),
        "repeated, deeper": deeper(
            sp.joined([sp.folds(partition(rng.permutation(ROWS) % 3, 3)) for _ in range(2)])
        ),
        "bootstrap": sp.bootstrap(drawn.astype(np.uint16)),
        "resubstitution": sp.resubstitution(ROWS),
        "leave-one-out": sp.one_out(ROWS),
    }


def deeper(splits: Splits) -> Splits:
    assert splits.deeper is not None
    return splits.deeper()


LEVELS = [(FEATURES, FEATURES + 3)]
BEHIND = {
    "scaler": [Standardize()],
    "range": [Standardize("range")],
    "one-hot": [DropReference(LEVELS), Standardize()],
    "columns": [SelectColumns([0, 2, 1])],
    "PCA": [Standardize(), PCA(3)],
    "imputer": [Impute(indicator=True)],
}


def weights(kind: str) -> Any:
    rng = np.random.default_rng(7)
    if kind == "whole":
        return rng.integers(0, 4, ROWS).astype(float)
    return np.where(rng.random(ROWS) < 0.1, 0.0, rng.random(ROWS) + 0.1) if kind == "importance" else None
