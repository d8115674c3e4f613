"""Every validation scheme as small splits of a table: the one list of them that tests of sharers go through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.model_selection import TimeSeriesSplit

from assay.plans import (
    Bootstrap,
    HoldOut,
    KFold,
    LeaveOneOut,
    RandomSubsampling,
    TrainValidationTest,
    as_plan,
)
from assay.selection.learning_curve import growing_splits
from assay.sharing.splits import (
    Splits,
    deeper_of,
    drawn_inside,
    given,
    resubstitution,
    splits_of,
    with_training,
)

Scheme = Callable[[Any, Any], Splits]  # of class codes, and of groups or None


def _plan(plan: Any, depth: int = 1, inner: int | None = None) -> Scheme:
    """The splits of a plan; depth 2: with the inner folds of its training sets, 3: and theirs."""

    def scheme(codes: Any, groups: Any) -> Splits:
        groups = None if isinstance(plan, TimeSeriesSplit) else groups  # which knows none
        splits = splits_of(as_plan(plan), codes, groups, inner=inner, nested=depth > 1)
        for _ in range(depth - 1):
            splits = deeper_of(splits)
        return splits

    return scheme


def _overlapping(codes: Any, groups: Any) -> Splits:
    """Any training rows, some of them several times, and any tested ones."""
    rng, rows = np.random.default_rng(5), len(codes)
    return given([(rng.integers(0, rows, rows), rng.permutation(rows)[:20]) for _ in range(3)], rows)


def _growing(plan: Any) -> Scheme:
    return lambda codes, groups: growing_splits(plan, codes, np.array([0.5, 1.0]), 0, groups)


def _inside(codes: Any, groups: Any) -> Splits:
    """Folds of their own inside every training set, as a model draws them that is calibrated by itself."""

    def draw(rows: Any) -> Any:
        return KFold(3).partitions(codes[rows], None if groups is None else groups[rows])

    return drawn_inside(splits_of(KFold(2), codes, groups), draw)


def _listed(codes: Any, groups: Any) -> Splits:
    """Two splits, between which rows are unused, always trained on and tested twice."""
    rows = np.arange(len(codes))
    return splits_of(as_plan([(rows[10:45], rows[:8]), (rows[20:], rows[:20])]), codes)


SCHEMES: dict[str, Scheme] = {
    "k-fold": _plan(KFold(3)),
    "repeated": _plan(KFold(2, repeats=2)),
    "hold-out": _plan(HoldOut(0.3)),
    "subsampling": _plan(RandomSubsampling(0.25, repeats=3)),
    "given": _listed,
    "overlapping": _overlapping,
    "time": _plan(TimeSeriesSplit(3)),
    "nested in time": _plan(TimeSeriesSplit(2, test_size=9), 2, inner=2),
    "three parts": _plan(TrainValidationTest(), 2),
    "nested": _plan(KFold(3), 2),
    "nested twice": _plan(KFold(4), 3),
    "nested in repeats": _plan(KFold(3, repeats=2), 2),
    "nested in a hold-out": _plan(HoldOut(0.3), 2),
    "inside training sets": _inside,
    "learning curve": _growing(KFold(2)),
    "learning curve of repeats": _growing(RandomSubsampling(0.25, repeats=2)),
    "leave-one-out": _plan(LeaveOneOut()),
    "bootstrap": _plan(Bootstrap(3)),
    "resubstitution": lambda codes, groups: resubstitution(len(codes)),
    "training rows": lambda codes, groups: with_training(splits_of(KFold(2), codes, groups)),
}
