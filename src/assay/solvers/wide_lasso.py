r"""Logistic regression under l1 on wide tables: only columns that may be worth their weight are looked at closely.

Most weights are 0. The columns in question begin with none; the problem among them is solved, then one pass over the
whole table shows which other columns violate the conditions of a minimum,

    |∂_j| <= l1 √ρ_j where θ_j = 0,

and the worst of these join. When none is left the solution is that of all columns. Where more are in use than second
derivatives can be held for, the solution is that of the ones found worth most, and does not count as converged.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.solvers.fold_lasso import FoldLasso
from assay.solvers.logistic_objective import LogisticObjective
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import DenseBlock, RowBlock, SolverRows, SparseBlock
from assay.types import Array

JOIN = 100  # columns that join at a time, or as many as there are already
MOST_UNKNOWNS = 4000  # weights whose second derivatives are held
MOST_ROUNDS = 100
KEPT_DERIVATIVES = 1 << 27
KEPT_NUMBERS = 1 << 26  # entries of the columns in question that are kept in memory


class WideLasso:
    """Solves all parts along a path; parts whose columns are mixtures of the table's go one by one."""

    def __init__(self, passes: Passes, parts: Parts, n_classes: int, tol: float = 1e-6) -> None:
        self.passes, self.parts, self.n_classes, self.tol = passes, parts, n_classes, tol
        self.problem = LogisticObjective(passes, n_classes)
        self.history: list[tuple[float, float, float]] = []

    def path(self, l2: Array, l1: Array, start: Array | None = None) -> PathSolution:
        """Solve for every pair of penalties, the largest first, from `start` (G, C, E+1); in the order given."""
        count = len(self.parts)
        together = [np.arange(count)] if self.parts.maps is None else [np.array([g]) for g in range(count)]
        shape = (len(l2), count)
        B = np.zeros((*shape, self.problem.classes, self.passes.rows.width + 1))
        gradient, loss = np.zeros(shape), np.zeros(shape)
        for group in together:
            parts = self.parts.pick(group)
            scale = self.problem.scale(parts)
            theta = self.problem.start(parts) if start is None else self.problem.begun(parts, start[group])
            for at in np.lexsort((-l2, -l1)):
                theta, gradient[at, group], loss[at, group] = self._solve(
                    parts, theta, scale, float(l2[at]), float(l1[at])
                )
                B[at, group] = parts.to_columns(theta)
        return PathSolution(B, gradient, loss, gradient <= self.tol, self.passes.count, self.history)

    def _solve(
        self, parts: Parts, theta: Array, scale: Array, l2: float, l1: float
    ) -> tuple[Array, Array, Array]:
        """Weights, violations and losses of a stack of parts."""
        chosen = (theta[..., :-1] != 0).any(axis=(0, 1))
        narrow: _Narrow | None = None
        within = np.zeros(len(theta))  # violations among the chosen columns
        for _ in range(MOST_ROUNDS):
            summed, lost = self.passes.gradients(parts.to_columns(theta), parts.share)
            outside = self._outside(parts, theta, summed, chosen, l1) / scale[:, None]
            worst = outside.max(axis=1, initial=0.0)
            norm = np.maximum(worst, within)
            if narrow is not None:
                self.history.append((l2, narrow.value, float(norm[0])))
            if narrow is not None and narrow.tol <= self.tol and (worst <= self.tol).all():
                break
            joined = self._joined(chosen, theta, outside.max(axis=0))
            if narrow is not None and not (joined & ~chosen).any() and (worst > self.tol).any():
                break  # no room for all the columns that are worth it: the violation tells
            chosen = joined
            tol = max(self.tol, 0.1 * float(worst.max()))
            narrow = self._among(np.flatnonzero(chosen), parts, theta, scale, l2, l1, tol)
            theta, within = narrow.theta, narrow.gradient
        return theta, norm, lost / self.problem.weight(parts)

    def _outside(
        self, parts: Parts, theta: Array, summed: Array, chosen: NDArray[np.bool_], l1: float
    ) -> Array:
        """By how much each column that is not chosen is worth more than its penalty, (G, E)."""
        gradient = self.problem.gradient(parts, theta, summed, 0.0)[..., :-1]
        over = np.abs(gradient).max(axis=1) - l1 * np.sqrt(parts.penalty)
        return np.where(chosen, 0.0, np.maximum(over, 0.0))

    def _most(self) -> int:
        """Columns whose second derivatives can be held: of all classes for a part, and of all pairs fold by fold."""
        n_matrices = self.passes.n_folds * len(self.problem.pairs)
        return min(MOST_UNKNOWNS // self.problem.classes, int((KEPT_DERIVATIVES / n_matrices) ** 0.5))

    def _joined(self, chosen: NDArray[np.bool_], theta: Array, outside: Array) -> NDArray[np.bool_]:
        """The chosen columns with the worst of the others, as far as there is room."""
        most = self._most()
        worst = np.argsort(-outside, kind="stable")[: max(JOIN, int(chosen.sum()))]
        worst = worst[outside[worst] > self.tol]
        if chosen.sum() + len(worst) > most:  # those that turned out to be worth nothing go first
            chosen = (theta[..., :-1] != 0).any(axis=(0, 1))
        out = chosen.copy()
        out[worst[: max(0, most - int(chosen.sum()))]] = True
        return out

    def _among(
        self,
        columns: NDArray[np.intp],
        parts: Parts,
        theta: Array,
        scale: Array,
        l2: float,
        l1: float,
        tol: float,
    ) -> _Narrow:
        """The solution among some columns."""
        picked = np.append(columns, theta.shape[2] - 1)
        maps = None if parts.maps is None else parts.maps[0][:, picked]
        count = len(self.passes.codes)
        few = Parts(parts.copies, parts.penalty[:, columns], parts.active[:, columns], factor=parts.factor)
        passes = self.passes.through(lambda rows: _ChosenRows(rows, columns, maps, count))
        solver = FoldLasso(passes, few, self.n_classes, tol)
        solver.scale = scale
        solution = solver.path(np.array([l2]), np.array([l1]), theta[..., picked])
        full = np.zeros(theta.shape)
        full[..., picked] = solution.B[0]
        value = solution.history[-1][1] if solution.history else np.nan
        return _Narrow(full, solution.gradient[0], value, tol)


@dataclass(frozen=True)
class _Narrow:
    """A solution among some columns, as weights of all."""

    theta: Array
    gradient: Array
    value: float
    tol: float


@dataclass(frozen=True)
class _ChosenRows:
    """Some columns of a table, or some mixtures of them; blocks are kept while there is room."""

    rows: SolverRows
    columns: NDArray[np.intp]
    maps: Array | None
    count: int
    blocks: dict[tuple[int, int], RowBlock] = field(default_factory=dict)

    @property
    def rows_a_block(self) -> int:
        return self.rows.rows_a_block

    @property
    def rows_a_chunk(self) -> int:
        return self.rows.rows_a_chunk

    @property
    def width(self) -> int:
        return len(self.columns)

    def block(self, which: NDArray[np.int64]) -> RowBlock:
        key = (int(which[0]), len(which))
        if key in self.blocks:
            return self.blocks[key]
        block = self._cut(self.rows.block(which))
        if self.count * (self.width + 1) <= KEPT_NUMBERS:
            self.blocks[key] = block
        return block

    def _cut(self, block: RowBlock) -> RowBlock:
        if self.maps is not None:
            return DenseBlock(np.ascontiguousarray(block.scores(np.ascontiguousarray(self.maps.T)).T))
        if isinstance(block, SparseBlock):
            return SparseBlock(block.X[:, self.columns], block.unit[self.columns], block.threads)
        assert isinstance(block, DenseBlock)
        return DenseBlock(block.Z[:, np.append(self.columns, -1)])
