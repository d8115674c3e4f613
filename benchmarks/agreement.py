"""Do ours and the rival give the same answers?  A ratio between different answers means nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Array, Labels

Splits = Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]]


def predictions(evaluation: Any, n_rows: int) -> Labels:
    """Our prediction of every row of a plan that tests each row once."""
    predicted = np.empty(n_rows, dtype=np.int64)
    predicted[evaluation.rows] = evaluation.predicted
    return predicted


def fold_errors(evaluation: Any, y: Labels, splits: Splits) -> Array:
    """Our error in each fold."""
    wrong = predictions(evaluation, len(y)) != y
    return np.array([wrong[test].mean() for _, test in splits])


def fold_error_note(evaluation: Any, y: Labels, splits: Splits, accuracies: Array) -> str:
    """How far our fold errors are from those of cross_val_score on the same folds."""
    ours = fold_errors(evaluation, y, splits)
    sizes = np.array([len(test) for _, test in splits])
    differing = np.rint(np.abs(ours - (1.0 - accuracies)) * sizes).astype(int)
    worst = int(np.argmax(differing))
    error = f"error {np.average(ours, weights=sizes):.5f}"
    if differing[worst] == 0:
        return f"{error}, equal in every fold"
    return f"{error}, fold errors differ by at most {differing[worst]} of {sizes[worst]} rows"


def equal_note(ours: Labels, theirs: Labels, what: str) -> str:
    """Share of equal predictions."""
    return f"{np.mean(ours == theirs):.2%} of {len(theirs)} {what} equal"


def replicate_note(evaluation: Any, draws: Splits, predicted: Sequence[Labels]) -> str:
    """Share of equal out-of-bag predictions over replicates that both sides fitted."""
    ours = evaluation.predicted
    equal = total = 0
    for replicate, ((_, left_out), theirs) in enumerate(zip(draws, predicted, strict=True)):
        mine = np.flatnonzero(evaluation.split == replicate)
        mine = mine[np.argsort(evaluation.rows[mine])]
        equal += int(np.sum(ours[mine] == theirs[np.argsort(left_out)]))
        total += len(left_out)
    return f"{equal / total:.2%} of {total} out-of-bag predictions equal"
