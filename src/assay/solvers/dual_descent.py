r"""Linear support vector machines on compressed rows, by coordinate descent in the dual, along a path of penalties.

    minimise  (l2 / 2) |v|² + Σ_n c_n loss(y_n f_n),    f = v·x' + b,  Σ c = 1

x' are the rows with columns over √ρ, so that every weight has the same penalty. A wide table of mostly zeros has no
room for second derivatives, and its rows are short: one look at a row costs as many multiplications as it has entries
(core/svm/dual_descent.hpp). Every problem, a class of a training part, goes down the path from its last multipliers
and stops at its duality gap; threads share out the problems, so their number changes no bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from assay import _core
from assay.numerics.interrupt import check_interrupt
from assay.solvers.hinge import by_side
from assay.solvers.margin_problem import best_intercept, lower_bound
from assay.solvers.margin_trail import History, Trail, one_sided, solution_of
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import SparseRows
from assay.types import Array

SWEEPS = 50  # over the rows between two looks at the gap
MOST_LOOKS = 200  # at the gap of one penalty
FIRST, FINER = 0.1, 0.2  # of the objective: what rows may be off at first, and from look to look


class FoldDualDescent:
    """Solves all parts along a path; see the module's formula.

    Parameters
    ----------
    tol : float
        Largest relative duality gap.
    surrogate : "hinge" or "squared_hinge"
    """

    def __init__(
        self, passes: Passes, rows: SparseRows, parts: Parts, n_classes: int, tol: float, surrogate: str
    ) -> None:
        self.passes, self.rows, self.parts, self.tol = passes, rows, parts, tol
        self.squared = surrogate == "squared_hinge"
        self.positives = [1] if n_classes == 2 else list(range(n_classes))
        self.folds = passes.fold_rows()

    def path(self, l2: Array) -> PathSolution:
        """Solve for every penalty, the largest first; the results are in the order given."""
        order = np.argsort(-l2, kind="stable")
        trails = [
            trail
            for g in range(len(self.parts))
            for trail in self.passes.visit(self._part(g, l2[order]), self.positives)
        ]
        return solution_of(trails, order, len(self.parts), self.tol)

    def _part(self, g: int, l2: Array) -> Callable[[int], Trail]:
        """How each class of a part goes down the path; rows without weight are not there."""
        folds = np.flatnonzero(self.parts.share[g])
        weight = np.repeat(self.parts.share[g][folds], [len(self.folds[f]) for f in folds])
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *(self.folds[f] for f in folds)])
        if self.passes.weight is not None:
            weight = weight * self.passes.weight[rows]
            rows, weight = rows[weight > 0.0], weight[weight > 0.0]
        root = np.where(self.parts.active[g], 1.0 / np.sqrt(self.parts.penalty[g]), 0.0)
        X, codes, total = self._scaled(rows, self.rows.unit * root), self.passes.codes[rows], weight.sum()

        def solve(positive: int) -> Trail:
            y = np.where(codes == positive, 1.0, -1.0)
            if len(y) == 0 or (y == y[0]).all():
                side = float(y[0]) if len(y) else -1.0
                return one_sided(side, len(l2), len(root), len(self.positives))
            problem = _TwoClassDual(X, y, weight / total, self.squared, self.tol)
            return problem.trail(l2, root)

        return solve

    def _scaled(self, rows: NDArray[np.int64], factor: Array) -> csr_array:
        """Some rows with their columns multiplied."""
        X = (
            self.rows.X
            if len(rows) == self.rows.X.shape[0] and (np.diff(rows) == 1).all()
            else self.rows.X[rows]
        )
        data = X.data * factor[X.indices]
        return csr_array((data, X.indices.astype(X.indptr.dtype, copy=False), X.indptr), shape=X.shape)


@dataclass
class _Stand:
    """Where a problem stands: multipliers, weights by the scaled columns, the intercept, and its anchor b0."""

    alpha: Array
    v: Array
    b: float = 0.0
    anchor: float = 0.0
    objective: float = np.inf
    gap: float = np.inf


class _TwoClassDual:
    """One class against the rest: rows with a side y = ±1 and a positive share c of the weight."""

    def __init__(self, X: csr_array, y: Array, c: Array, squared: bool, tol: float) -> None:
        self.X, self.y, self.c, self.squared, self.tol = X, y, c, squared, tol
        self.rows = _core.svm.DualRows(X.indptr, X.indices, X.data, X.shape[1], y, c, squared)
        # The intercept is pulled to its anchor as a weight would be to 0 whose column has the size of a row.
        self.size = float(c @ np.asarray(X.multiply(X).sum(axis=1)).ravel()) or 1.0

    def trail(self, l2: Array, root: Array) -> Trail:
        """Solutions for falling penalties, each from the last; `root`: what the columns were multiplied by."""
        stand, steps = _Stand(np.zeros(len(self.y)), np.zeros(self.X.shape[1])), 0
        history: History = []
        B, gap, loss = np.zeros((len(l2), len(root) + 1)), np.zeros(len(l2)), np.zeros(len(l2))
        before = float(l2[0])
        for at, value in enumerate(l2.tolist()):
            stand.v *= before / value  # of the same multipliers
            steps += self._solve(stand, value, history)
            B[at, :-1], B[at, -1] = stand.v * root, stand.b
            gap[at] = stand.gap
            loss[at] = stand.objective - 0.5 * value * float(stand.v @ stand.v)
            before = value
        return Trail(B, gap, loss, history, steps // len(self.y) + len(history))

    def _solve(self, stand: _Stand, l2: float, history: History) -> int:
        """Descend until the gap closes; returns how many rows were looked at."""
        pull, steps, off = l2 / self.size, 0, FIRST
        for _ in range(MOST_LOOKS):
            check_interrupt()
            self._evaluate(stand, l2)
            history.append((l2, stand.objective, stand.gap))
            if stand.gap <= self.tol:
                break
            done, violation, imbalance, b, stand.anchor = self.rows.solve(
                l2, pull, off * stand.objective, SWEEPS * len(self.y), stand.anchor, stand.alpha, stand.v
            )
            stand.b, steps = b, steps + done
            if max(violation, imbalance) <= off * stand.objective:
                off *= FINER
        return steps

    def _evaluate(self, stand: _Stand, l2: float) -> None:
        """Objective with the best intercept, and the relative duality gap."""
        y, c = self.y, self.c
        f = self.X @ stand.v + stand.b
        if not self.squared:
            b = best_intercept(y, c, f, stand.b)
            f, stand.b = f + (b - stand.b), b
        lost = np.maximum(1.0 - y * f, 0.0)
        stand.objective = 0.5 * l2 * float(stand.v @ stand.v) + float(c @ (lost**2 if self.squared else lost))
        sides = by_side(y, c * stand.alpha)
        sums = np.column_stack([(self.X.T @ sides.T).T, sides.sum(axis=1)])
        squares = by_side(y, c * stand.alpha**2).sum(axis=1) if self.squared else None
        lower, _ = lower_bound(sums, np.append(np.full(len(stand.v), l2), 0.0), squares)
        stand.gap = (stand.objective - lower) / max(stand.objective, 1e-300)
