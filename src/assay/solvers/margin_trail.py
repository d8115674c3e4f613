"""One class against the rest along a path of penalties, and such problems put together to models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.solvers.logistic_objective import ABSENT
from assay.solvers.result import PathSolution
from assay.types import Array

History = list[tuple[float, float, float]]


@dataclass(frozen=True, eq=False)
class Trail:
    """One problem along the path: L solutions."""

    B: Array  # (L, P+1)
    gap: Array
    loss: Array
    history: History
    passes: int
    alpha: list[Array] = field(default_factory=list)  # multipliers, where they are kept


def one_sided(side: float, count: int, width: int, classes: int) -> Trail:
    """Rows of one side alone: no weights, and the score that costs nothing; an absent class is never predicted."""
    B = np.zeros((count, width + 1))
    B[:, -1] = ABSENT if side < 0 and classes > 1 else side
    return Trail(B, np.zeros(count), np.zeros(count), [], 0)


def solution_of(
    trails: Sequence[Trail], order: NDArray[np.intp], n_parts: int, tol: float, passes: int = 0
) -> PathSolution:
    """The problems of every part, class by class, solved for penalties in this order; results are in the order given.

    passes : those made beside the trails' own
    """
    back = np.argsort(order)
    shape = (n_parts, len(trails) // n_parts, len(order))
    B = np.stack([trail.B[back] for trail in trails]).reshape(*shape, -1)
    gap = np.stack([trail.gap[back] for trail in trails]).reshape(shape)
    loss = np.stack([trail.loss[back] for trail in trails]).reshape(shape)
    worst = gap.max(axis=1).T
    return PathSolution(
        B=np.ascontiguousarray(np.moveaxis(B, 2, 0)),
        gradient=worst,
        loss=loss.sum(axis=1).T,
        converged=worst <= tol,
        passes=sum(trail.passes for trail in trails) + passes,
        history=_joined([trail.history for trail in trails[: shape[1]]]),
    )


def _joined(histories: list[History]) -> History:
    """Of the classes of one part: objectives added, the largest gap, step by step; who is done waits."""
    steps = max((len(history) for history in histories), default=0)
    waiting = [history + history[-1:] * (steps - len(history)) for history in histories if history]
    return [
        (entries[0][0], sum(entry[1] for entry in entries), max(entry[2] for entry in entries))
        for entries in zip(*waiting, strict=True)
    ]
