r"""Stochastic gradient descent on a margin loss, one row a step.

In a step of epoch e a row (x, y) is drawn, and with the step length η = m / (e + n)

    hinge          y f < 1:  a ← a - η (l2 a - y x),  b ← b + η y;                otherwise  a ← a - η l2 a
    squared hinge  y f < 1:  a ← a - η (l2 a - q y x),  b ← b + η q y,  q = 2 (1 - y f);   otherwise the same
    perceptron     y f ≤ 0:  as the hinge;                                        otherwise the same

with f = a·x + b. Between two rows that pull, the weights only shrink: margins of the rows to come are found by one
matrix product, and the first of them that pulls ends the stretch. The steps are those of the loop over single rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.solvers.margin_problem import lower_bound
from assay.types import Array, CompressedRows

LONGEST = 1024  # rows looked at ahead
EDGES = {"hinge": 1.0, "squared_hinge": 1.0, "perceptron": 0.0}


@dataclass(frozen=True)
class LearningRateSchedule:
    """Epochs first, first + 1, ... of η = m / (e + n)."""

    epochs: int
    m: float
    n: float
    first: int

    def lengths(self) -> list[float]:
        return [self.m / (e + self.n) for e in range(self.first, self.first + self.epochs)]


@dataclass(frozen=True)
class Descent:
    """Weights, intercept, and of each epoch the objective and the relative duality gap."""

    a: Array
    b: float
    history: list[tuple[float, float]]


def descend(
    X: NDArray[np.floating] | CompressedRows,
    y: Array,
    c: Array,
    rows: Callable[[int], NDArray[np.intp]],
    surrogate: str,
    l2: float,
    schedule: LearningRateSchedule,
    start: Array | None = None,
) -> Descent:
    """Run all epochs.

    Parameters
    ----------
    y, c : (N,)
        Sides ±1, and shares of the weight, which sum to 1.
    rows : epoch 0, 1, ... -> the rows of its steps
    start : (D+1,)
        The first weights a and b; None: zeros.
    """
    a, b = (np.zeros(X.shape[1]), 0.0) if start is None else (start[:-1], float(start[-1]))
    history = []
    with np.errstate(over="ignore", invalid="ignore"):
        for epoch, eta in enumerate(schedule.lengths()):
            a, b = run_epoch(X, y, rows(epoch), a, b, surrogate, l2, eta)
            if not (np.isfinite(a).all() and np.isfinite(b)):
                raise ValueError(Note("N043", first=schedule.first + epoch))
            history.append(state_of(X, y, c, a, b, surrogate, l2))
    return Descent(a, b, history)


def run_epoch(
    X: NDArray[np.floating] | CompressedRows,
    y: Array,
    rows: NDArray[np.intp],
    a: Array,
    b: float,
    surrogate: str,
    l2: float,
    eta: float,
) -> tuple[Array, float]:
    """One step for each of these rows, in order."""
    shrink, at, ahead = 1.0 - eta * l2, 0, 16
    powers = shrink ** np.arange(LONGEST + 1)
    while at < len(rows):
        block = rows[at : at + ahead]
        margins = y[block] * ((X[block] @ a) * powers[: len(block)] + b)
        pulls = margins <= 0.0 if surrogate == "perceptron" else margins < 1.0
        quiet = int(pulls.argmax()) if pulls.any() else len(block)
        a = a * powers[quiet]
        if quiet == len(block):
            at, ahead = at + quiet, min(2 * ahead, LONGEST)
            continue
        row = block[quiet]
        pull = eta * y[row] * (2.0 * (1.0 - margins[quiet]) if surrogate == "squared_hinge" else 1.0)
        a, b = shrink * a + pull * _filled(X, row), b + float(pull)
        at, ahead = at + quiet + 1, min(max(2 * quiet, 4), LONGEST)
    return a, b


def _filled(X: NDArray[np.floating] | CompressedRows, row: int) -> NDArray[np.floating]:
    """A row in full."""
    return X[row] if isinstance(X, np.ndarray) else np.asarray(X[row : row + 1].toarray()[0])


def state_of(
    X: NDArray[np.floating] | CompressedRows,
    y: Array,
    c: Array,
    a: Array,
    b: float,
    surrogate: str,
    l2: float,
) -> tuple[float, float]:
    """Objective, and relative duality gap by the multipliers of the rows inside the margin."""
    lost = np.maximum(EDGES[surrogate] - y * (X @ a + b), 0.0)
    squared = surrogate == "squared_hinge"
    objective = float(c @ (lost**2 if squared else lost)) + 0.5 * l2 * float(a @ a)
    if surrogate == "perceptron":  # its least value is 0, at a = 0
        return objective, float(objective > 0.0)
    alpha = c * (2.0 * lost if squared else (lost > 0.0))
    sides = np.stack([np.where(y > 0, alpha, 0.0), np.where(y < 0, alpha, 0.0)])
    v = np.hstack([sides @ X, sides.sum(axis=1, keepdims=True)])
    squares = 2.0 * sides @ lost if squared else None
    penalties = np.append(np.full(X.shape[1], l2), 0.0)
    lower, _ = lower_bound(v, penalties, squares)
    return objective, (objective - lower) / max(objective, 1e-300)
