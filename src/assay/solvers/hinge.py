r"""The linear support vector machine by augmented Lagrangians and semismooth Newton steps, one problem after the other.

    t = α + σ (1 - y f),  p = clip(t, 0, 1);    minimise  ½ Σ D u² + Σ c (t² - (t - p)²) / 2σ,    then α ← p, σ ← 8 σ

The gradient is D u - Σ c p y z and the second derivatives D + σ Σ_J c z zᵀ over the few rows J with 0 < t < 1. Rows
whose t is far from [0, 1] count by a constant sum, so that Newton steps read the rows near the margin alone; every
outer step then scores all rows, and the duality gap over all of them says when to stop. Li, Sun and Toh (2018), "A
highly efficient semismooth Newton augmented Lagrangian method".
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.margin_problem import MarginProblem, best_intercept, lower_bound
from assay.solvers.newton_step import newton_step
from assay.types import Array

GROWTH = 8.0  # of σ
REACH = (
    4.0  # rows with t beyond [-REACH, 1 + REACH] are taken to stay on their side; it grows where they do not
)
MOST_OUTER, MOST_TURNS, MOST_INNER = 100, 12, 40
MOST_IDLE, BETTER = 6, 0.8  # outer steps in a row that leave the gap above this share of the best one
FIRST = 8.0  # σ after a sample
EPSILON = float(np.finfo(np.float64).eps)
SLACK = 1e-12  # relative rounding of a sum
SAMPLE = 4000  # rows, or 20 a coordinate, that a cold start looks at first


@dataclass
class State:
    """Where a problem stands: weights, multipliers, scores of all rows, and the sums of rows at their bound."""

    theta: Array
    alpha: Array
    f: Array
    sigma: float
    upper: NDArray[np.bool_]  # rows in `held`
    held: Array  # (2, E+1): Σ c z over the positive and the negative rows of `upper`
    history: list[tuple[float, float, float]] = field(default_factory=list)
    gap: float = np.inf
    objective: float = np.inf


@dataclass(frozen=True)
class Start:
    """The solution of a problem that has nearly the same rows, for one penalty: weights, multipliers of the rows."""

    theta: Array
    alpha: Array


class Hinge:
    """Solves one problem for penalty after penalty, each from the last or from a solution of nearly the same rows."""

    def __init__(self, problem: MarginProblem, tol: float) -> None:
        self.problem, self.tol = problem, tol
        self.state: State | None = None
        self.passes, self.reach = 0, REACH

    def solve(self, l2: float, near: Start | None = None) -> State:
        """The solution for a penalty; call with falling penalties."""
        D = self.problem.penalties(l2)
        if near is not None:
            self.state = self._beside(near)
        warm = self.state is not None
        state = self.state = self._begin(D) if self.state is None else self.state
        self._evaluate(state, D, first=warm)
        start, best, idle = state.f, np.inf, 0
        for _ in range(MOST_OUTER):
            idle = 0 if state.gap < BETTER * best else idle + 1
            best = min(best, state.gap)
            if state.gap <= self.tol or idle == MOST_IDLE:  # rounding leaves nothing to gain
                break
            self._outer(state, D)
            state.history.append((l2, state.objective, state.gap))
            self._evaluate(state, D)
        self._finish(state, D)
        state.history.append((l2, state.objective, state.gap))
        # The next penalty moves scores about as far as this one did: that far the margin must be seen.
        moved = float(np.quantile(np.abs(state.f - start), 0.9)) if len(start) else 0.0
        state.sigma = min(1.0 / max(moved, 1e-8), state.sigma)
        return state

    def _beside(self, near: Start) -> State:
        """From a solution nearby; what is held of the rows at their bound stays."""
        state, last = self._state(near.theta, FIRST), self.state
        if last is not None:
            state.upper, state.held, state.history = last.upper, last.held, last.history
        state.alpha, self.reach = near.alpha, REACH
        return state

    def _begin(self, D: Array) -> State:
        """From a sample of the rows where they are many."""
        problem = self.problem
        n, width = len(problem.y), len(D)
        theta, sigma = np.zeros(width), 1.0
        step = n // max(SAMPLE, 20 * width)
        if step > 1:
            which = np.arange(0, n, step)
            sample = problem.near(which)
            share = sample.c / sample.c.sum()
            if 0.0 < share[sample.y > 0].sum() < 1.0:
                small = MarginProblem(sample.rows, sample.y, share, sample.coordinates, sample.most_bytes)
                solver = Hinge(small, max(self.tol, 1e-3))
                theta, sigma = solver._cold(D).theta, FIRST
        return self._state(theta, sigma)

    def _cold(self, D: Array) -> State:
        state = self.state = self._state(np.zeros(len(D)), 1.0)
        self._evaluate(state, D)
        for _ in range(MOST_OUTER):
            if state.gap <= self.tol:
                break
            self._outer(state, D)
            self._evaluate(state, D)
        return state

    def _state(self, theta: Array, sigma: float) -> State:
        problem = self.problem
        f = problem.scores(theta)
        self.passes += 1
        # At the margin multipliers are half way; without weights every row is taken to be there.
        r = 1.0 - problem.y * f
        alpha = 0.5 - sigma * r if not theta.any() else np.full(len(f), 0.5)
        nobody = np.zeros(len(f), dtype=bool)
        return State(theta, alpha, f, sigma, nobody, np.zeros((2, len(theta))))

    # One outer step -------------------------------------------------------------------------------------

    def _outer(self, state: State, D: Array) -> None:
        """Minimise the augmented Lagrangian, update multipliers."""
        y, sigma = self.problem.y, min(state.sigma, self._sharpest(state, D))
        state.sigma = sigma
        for _ in range(MOST_TURNS):
            t = state.alpha + sigma * (1.0 - y * state.f)
            upper, inside = t >= 1.0 + self.reach, np.abs(t - 0.5) < 0.5 + self.reach
            which = np.flatnonzero(inside)
            if len(which) <= len(D):
                which = np.argsort(np.abs(t - 0.5), kind="stable")[: 2 * len(D)]
                inside[which], upper[which] = True, False
            settled = self._turn(state, D, which, upper)
            p = np.clip(state.alpha + sigma * (1.0 - y * state.f), 0.0, 1.0)
            if settled and not ((p != upper) & ~inside).any():
                state.alpha, state.sigma = p, sigma * GROWTH
                return
            self.reach *= 1.5
        state.sigma = sigma / GROWTH  # too sharp for where we stand
        self.reach = REACH

    def _sharpest(self, state: State, D: Array) -> float:
        """σ at which rounding of the scores, σ times larger in the multipliers, would be seen in the gap."""
        seen = 0.02 * self.tol * state.objective / max(float((1.0 / D[:-1]).sum()), 1e-300)
        share = min(1.0, 4.0 * len(D) * float(self.problem.c.max()))  # of the free rows
        return max(float(np.sqrt(seen)) / (4.0 * EPSILON * share), 1e-6)

    def _turn(self, state: State, D: Array, which: NDArray[np.intp], upper: NDArray[np.bool_]) -> bool:
        """Newton steps of the near rows, then as far as all rows allow; whether the near rows are done."""
        problem, sigma = self.problem, state.sigma
        self._hold(state, upper)
        base = float(problem.c[upper].sum())
        near = _AugmentedLagrangian(problem.near(which), D, state.held[0] - state.held[1], base)
        far = np.inf if len(which) == len(upper) else 2.0 * (1.0 + self.reach) / sigma
        theta, settled = near.minimise(state.theta, state.f[which], state.alpha[which], sigma, self.tol, far)
        f = problem.scores(theta)
        self.passes += 1
        if len(which) == len(upper):
            state.theta, state.f = theta, f
            return settled
        d, along = theta - state.theta, f - state.f
        t = state.alpha + sigma * (1.0 - problem.y * state.f)
        all_rows = _AugmentedLagrangian(problem, D, np.zeros(len(D)), 0.0)
        length = all_rows.length(state.theta, d, along, t, sigma)
        state.theta, state.f = state.theta + length * d, state.f + length * along
        return settled and length == 1.0

    def _hold(self, state: State, upper: NDArray[np.bool_]) -> None:
        """Sums of c z over the rows at the upper bound: only what changed is added."""
        changed = np.flatnonzero(upper != state.upper)
        problem = self.problem
        if len(changed) > len(upper) // 4:
            weight = np.where(upper, problem.c, 0.0)
            state.held = problem.sums(by_side(problem.y, weight))
            self.passes += 1
        elif len(changed):
            weight = np.where(upper[changed], problem.c[changed], -problem.c[changed])
            state.held = state.held + problem.sums_of(changed, by_side(problem.y[changed], weight))
        state.upper = upper

    def _evaluate(self, state: State, D: Array, first: bool = False) -> None:
        """Objective and relative duality gap over all rows."""
        problem = self.problem
        alpha = np.clip(state.alpha, 0.0, 1.0)
        self._hold(state, alpha == 1.0)
        rest = np.flatnonzero((alpha > 0.0) & (alpha < 1.0))
        v = state.held
        if len(rest) > len(alpha) // 4:
            v = problem.sums(by_side(problem.y, problem.c * alpha))
        elif len(rest):
            v = v + problem.sums_of(rest, by_side(problem.y[rest], problem.c[rest] * alpha[rest]))
        state.objective = self._objective(state, D)
        lower, times = lower_bound(v, D)
        if first:  # separated classes: multipliers fall with the penalty
            state.alpha = times * state.alpha
        state.gap = (state.objective - lower) / max(state.objective, 1e-300)

    def _objective(self, state: State, D: Array) -> float:
        lost = np.maximum(1.0 - self.problem.y * state.f, 0.0)
        return 0.5 * float(D @ state.theta**2) + float(self.problem.c @ lost)

    def _finish(self, state: State, D: Array) -> None:
        """The best intercept for these weights: a solution has nothing left to chance."""
        problem, before = self.problem, float(state.theta[-1])
        after = best_intercept(problem.y, problem.c, state.f, before)
        previous = state.theta, state.f, state.objective
        state.theta = np.append(state.theta[:-1], after)
        state.f = state.f + (after - before)
        objective = self._objective(state, D)
        if objective > state.objective * (1.0 + SLACK):
            state.theta, state.f, objective = previous
        lower = state.objective * (1.0 - state.gap)
        state.gap = (objective - lower) / max(objective, 1e-300)
        state.objective = objective


def by_side(y: Array, weight: Array) -> Array:
    """Weights of the positive and of the negative rows, (2, N)."""
    return np.stack([np.where(y > 0, weight, 0.0), np.where(y > 0, 0.0, weight)])


class _AugmentedLagrangian:
    """The augmented Lagrangian of the rows near the margin, beside a linear term for the others."""

    def __init__(self, problem: MarginProblem, D: Array, constant: Array, base: float) -> None:
        self.problem, self.D, self.constant, self.base = problem, D, constant, base

    def minimise(
        self, theta: Array, f: Array, alpha: Array, sigma: float, tol: float, far: float
    ) -> tuple[Array, bool]:
        """Weights, and whether the gradient vanished before the scores had moved by more than `far`."""
        problem, D = self.problem, self.D
        c, inverse = problem.c, 1.0 / D[:-1]
        rows = _core.svm.HingeRows(problem.y, c, f, alpha, sigma)
        total = problem.sums((c * problem.y * rows.multipliers())[None])[0]  # Σ c y p z
        for _ in range(MOST_INNER):
            hinge, open_, moved = rows.figures()
            if moved > far:  # rows that were left out would have come near
                break
            g = D * theta - self.constant - total
            left = 0.5 * float(inverse @ g[:-1] ** 2) + abs(float(g[-1])) * (1.0 + abs(float(theta[-1])))
            objective = self.base + 0.5 * float(D @ theta**2) - float(self.constant @ theta) + hinge
            if left <= 0.1 * max(open_, tol * objective):
                return theta, True
            free = rows.free()
            if len(free) == 0:  # no curvature: that of the rows that come next
                free = np.argsort(np.abs(rows.nearness() - 0.5), kind="stable")[: len(D)]
            d = newton_step(D, problem.dense(free), sigma * c[free], g)
            theta = theta + rows.move(problem.scores(d), *self._along(theta, d)) * d
            which, r = rows.changed()
            if len(which):
                total = total + problem.sums_of(which, r[None])[0]
        return theta, False

    def length(self, theta: Array, d: Array, along: Array, t: Array, sigma: float) -> float:
        """Where the function has fallen along d and its slope is a half or less, by bisection; 1 if it is so there."""
        bent = sigma * self.problem.y * along
        return _core.svm.hinge_length(t, bent, self.problem.c, sigma, *self._along(theta, d))

    def _along(self, theta: Array, d: Array) -> tuple[float, float]:
        """Slope and curvature of what is quadratic, along d."""
        return float(d @ (self.D * theta - self.constant)), float(d @ (self.D * d))
