"""The machines of all pairs of classes, and what they come to together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import spread, thread_count
from assay.models.svm.gram import Rows, Space
from assay.models.svm.votes import Pairs, pairs_of
from assay.solvers.smo import Machine
from assay.types import Array


@dataclass(frozen=True)
class PairwiseSvm:
    """One machine for each pair; coefficients are by row of the table, (P, N)."""

    pairs: Pairs
    coef: Array
    intercept: Array
    history: Array  # (rounds, 3) objective, relative duality gap, violation
    steps: int
    bends_down: bool


def solve_pairs(
    space: Space, codes: NDArray[np.int32], cost: Array, n_classes: int, tolerance: float
) -> PairwiseSvm:
    """Each pair of classes by itself, on the rows that count."""
    counted = np.bincount(codes, cost > 0, n_classes)
    pairs = pairs_of(np.flatnonzero(counted))
    share = min(len(pairs), thread_count())

    def one(pair: tuple[int, int], threads: int) -> tuple[Rows, Machine]:
        rows = np.flatnonzero(((codes == pair[0]) | (codes == pair[1])) & (cost > 0))
        pair_space = space if len(rows) == len(codes) else space.take(rows)
        y = np.where(codes[rows] == pair[1], 1.0, -1.0)
        return rows, pair_space.solve(y, cost[rows], tolerance, threads, share)

    pair_machines = spread(one, pairs)
    coef = np.zeros((len(pairs), len(codes)))
    for p, (rows, machine) in enumerate(pair_machines):
        coef[p, rows] = machine.beta
    machines = [machine for _, machine in pair_machines]
    return PairwiseSvm(
        pairs,
        coef,
        np.array([machine.shift for machine in machines]),
        joined([machine.history for machine in machines]),
        sum(machine.steps for machine in machines),
        any(machine.bends_down for machine in machines),
    )


def joined(histories: list[Array]) -> Array:
    """Objective (the sum), relative duality gap and violation (the largest), round by round; who is done waits."""
    length = max(len(history) for history in histories)
    padded = np.stack([np.pad(h, ((0, length - len(h)), (0, 0)), mode="edge") for h in histories])
    violation, dual, primal = padded[:, :, 1], padded[:, :, 2], padded[:, :, 3]
    gap = (primal - dual) / np.where(np.abs(primal) > 0, np.abs(primal), 1.0)
    return np.column_stack([primal.sum(axis=0), gap.max(axis=0), violation.max(axis=0)])
