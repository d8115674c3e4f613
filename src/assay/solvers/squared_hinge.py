r"""The squared hinge, Σ c max(0, 1 - y f)² + ½ Σ D u², by Newton's method on the rows inside the margin.

The second derivatives are D + 2 Σ_I c z zᵀ over the rows I with y f < 1. From step to step, and from penalty to
penalty, few rows enter or leave I: only these are added to the sum or taken from it. The multipliers of the lower bound
are α = 2 max(0, 1 - y f).
"""

from __future__ import annotations

import numpy as np

from assay.solvers.hinge import State, by_side
from assay.solvers.margin_problem import MarginProblem, lower_bound
from assay.solvers.newton_step import newton_step, step_by
from assay.types import Array

FEW_STEPS, MOST_STEPS, OLD = 25, 200, 8
LARGER = tuple(4.0**k for k in range(10, 0, -1))
BLOCK = 4096  # rows added to the sum at a time


class SquaredHinge:
    """Solves one problem for penalty after penalty, each from the last."""

    def __init__(self, problem: MarginProblem, tol: float) -> None:
        self.problem, self.tol = problem, tol
        self.passes = 0
        width = len(problem.coordinates.penalty) + 1
        nobody = np.zeros(len(problem.y), dtype=bool)
        self.state = State(
            np.zeros(width), np.zeros(len(nobody)), np.zeros(len(nobody)), 1.0, nobody, np.zeros((2, width))
        )
        self.gram: Array | None = None  # Σ_I c z zᵀ of the rows in state.upper

    def solve(self, l2: float) -> State:
        """The solution for a penalty; where steps grow short, as between separated classes, down from larger ones."""
        if self._descend(l2, FEW_STEPS):
            return self.state
        for times in LARGER:
            self._descend(l2 * times, FEW_STEPS)
        self._descend(l2, MOST_STEPS)
        return self.state

    def _descend(self, l2: float, most: int) -> bool:
        """Newton steps; whether the gap closed."""
        problem, state, D = self.problem, self.state, self.problem.penalties(l2)
        v = self._evaluate(state, D)
        for step in range(most):
            if state.gap <= self.tol:
                break
            if step % OLD == OLD - 1:
                self.gram = None  # rounding of what was added and taken away may be what holds us up
            g = D * state.theta - (v[0] - v[1])
            d = self._step(state, D, g)
            along = problem.scores(d)
            self.passes += 1
            length = self._length(state, D, d, along)
            state.theta, state.f = state.theta + length * d, state.f + length * along
            before = state.objective
            state.history.append((l2, state.objective, state.gap))
            v = self._evaluate(state, D)
            if state.objective >= before and length * float(np.abs(d).max()) <= 1e-15:
                break
        state.history.append((l2, state.objective, state.gap))
        return state.gap <= self.tol

    def _step(self, state: State, D: Array, g: Array) -> Array:
        problem = self.problem
        inside = problem.y * state.f < 1.0
        if int(inside.sum()) < len(D):
            which = np.flatnonzero(inside)
            if len(which) == 0:  # every row is beyond the margin: the nearest ones bend first
                which = np.argsort(problem.y * state.f, kind="stable")[: len(D)]
            return newton_step(D, problem.dense(which), 2.0 * problem.c[which], g)
        changed = np.flatnonzero(inside != state.upper)
        if self.gram is None or 2 * len(changed) > int(inside.sum()):
            self.gram, changed = np.zeros((len(D), len(D))), np.flatnonzero(inside)
        for first in range(0, len(changed), BLOCK):
            block = changed[first : first + BLOCK]
            Z = problem.dense(block)
            sign = np.where(inside[block], problem.c[block], -problem.c[block])
            self.gram += Z.T @ (Z * sign[:, None])
        state.upper = inside
        return step_by(2.0 * self.gram, D, g)

    def _length(self, state: State, D: Array, d: Array, along: Array) -> float:
        """Where the slope along d has fallen to a half or less, by bisection; 1 if it is so there."""
        y, c = self.problem.y, self.problem.c
        linear, square = float(d @ (D * state.theta)), float(d @ (D * d))
        r, bent = 1.0 - y * state.f, y * along
        pull = 2.0 * c * bent
        first = linear - float(pull @ np.maximum(r, 0.0))
        low, high, length = 0.0, np.inf, 1.0
        for _ in range(40):
            slope = linear + length * square - float(pull @ np.maximum(r - length * bent, 0.0))
            if abs(slope) <= 0.5 * abs(first):
                break
            if slope > 0.0:
                high = length
            else:
                low = length
            length = 0.5 * (low + high) if np.isfinite(high) else 2.0 * length
        return length

    def _evaluate(self, state: State, D: Array) -> Array:
        """Objective and relative duality gap; the sums of c α z of both sides, (2, E+1)."""
        problem = self.problem
        lost = np.maximum(1.0 - problem.y * state.f, 0.0)
        state.alpha = 2.0 * lost
        weight = by_side(problem.y, problem.c * state.alpha)
        v = problem.sums(weight)
        self.passes += 1
        state.objective = 0.5 * float(D @ state.theta**2) + float(problem.c @ lost**2)
        lower, _ = lower_bound(v, D, by_side(problem.y, problem.c * state.alpha**2).sum(axis=1))
        state.gap = (state.objective - lower) / max(state.objective, 1e-300)
        return v
