"""Which columns separate: the plane of least Σ |w| that separates as well, and none of its columns to spare.

    minimise  Σ |w_kj|    subject to  m ≥ 1 for the rows that are separated,  m = 0 for those held on the boundary

Such a plane uses few columns. While they are few, each is left out in turn, the lightest first, and stays out if the
others separate without it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from assay.solvers.separation_rows import Constraints, RivalPairs
from assay.types import Array

ROUNDS = 60
MOST_LEFT_OUT = 30  # columns that are left out in turn
MOST_UNKNOWNS = 150  # weights of all classes; for more, the columns of the plane at hand are named
NEGLIGIBLE = 1e-7  # of the largest weight, in deviations of the columns
SECONDS = 60.0


class Fewest(NamedTuple):
    plane: Array  # (K, D+1)
    columns: tuple[int, ...]


def fewest_columns(rows: Constraints, held: NDArray[np.bool_], picked: RivalPairs, plane: Array) -> Fewest:
    """A plane of few columns that separates what `plane` does; margins (N, K) in `held` stay 0."""
    best = Fewest(plane, _carrying(plane))
    if len(best.columns) <= 1 or rows.unknowns > MOST_UNKNOWNS:
        return best
    search = _ColumnSearch(rows, held, picked)
    best = search.within(best.columns) or best
    if len(best.columns) > MOST_LEFT_OUT:
        return best
    for column in _lightest_first(best):
        if column in best.columns and len(best.columns) > 1:
            best = search.within(tuple(c for c in best.columns if c != column)) or best
    return best


def _carrying(plane: Array) -> tuple[int, ...]:
    weight = np.abs(plane[:, :-1]).max(axis=0)
    return tuple(np.flatnonzero(weight > NEGLIGIBLE * weight.max(initial=0.0)).tolist())


def _lightest_first(best: Fewest) -> list[int]:
    weight = np.abs(best.plane[:, list(best.columns)]).max(axis=0)
    return [best.columns[i] for i in np.argsort(weight, kind="stable")]


class _ColumnSearch:
    """Programmes over the same rows and fewer columns; rows that mattered once are kept."""

    def __init__(self, rows: Constraints, held: NDArray[np.bool_], picked: RivalPairs) -> None:
        self.rows, self.held = rows, held
        on_it = held[picked.rows, picked.rivals]
        self.kept, self.apart = picked[on_it], picked[~on_it]

    def within(self, columns: tuple[int, ...]) -> Fewest | None:
        """The lightest plane that uses these columns only; None if there is none."""
        for _ in range(ROUNDS):
            plane = self._solve(columns)
            if plane is None:
                return None
            margins = self.rows.margins(plane)
            short = np.where(self.held, np.inf, margins)
            if short.min() > 0.5:
                return Fewest(plane, _carrying(plane))
            more = self.apart.joined(
                self.rows.worst(np.where(short < 0.99, short, np.inf), self.rows.unknowns)
            )
            if len(more) == len(self.apart):
                return None
            self.apart = more
        return None

    def _solve(self, columns: tuple[int, ...]) -> Array | None:
        width, blocks = self.rows.Z.shape[1], self.rows.n_classes - 1
        used = np.append(np.array(columns, dtype=np.intp), width - 1)
        unknowns = (width * np.arange(blocks)[:, None] + used).ravel()
        free = np.tile(np.append(np.ones(len(columns)), 0.0), blocks)
        A, on_it = self.rows.matrix(self.apart)[:, unknowns], self.rows.matrix(self.kept)[:, unknowns]
        result = linprog(
            np.concatenate([free, free]),  # w = p - q, both at least 0
            A_ub=np.hstack([-A, A]),
            b_ub=np.full(len(A), -1.0),
            A_eq=np.hstack([on_it, -on_it]) if len(on_it) else None,
            b_eq=np.zeros(len(on_it)) if len(on_it) else None,
            method="highs-ds",
            options={"time_limit": SECONDS},
        )
        if result.status != 0:
            return None
        weights = np.zeros(width * blocks)
        weights[unknowns] = result.x[: len(unknowns)] - result.x[len(unknowns) :]
        return self.rows.plane(weights)
