r"""Logistic regression of wide data: Newton's method without second derivatives in memory.

Each Newton step solves H d = g by conjugate gradients, which need only products H v. Those are passes over the rows,
made for all training parts at once:

    H v = (1/N) Zᵀ (w p (1 - p) · Z v) + l2 ρ v,    more classes: w p_k (s_k - Σ_j p_j s_j) with s = Z v

The posteriors p are kept while the steps of one system are found. The diagonal of H is the preconditioner.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.solvers.divergence import solved_again
from assay.solvers.logistic_objective import LogisticObjective
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.types import Array

MOST_STEPS = 100  # Newton steps a penalty
MOST_INNER = 300  # conjugate gradients a step
SLACK = 1e-13  # relative rounding of a loss
KEPT_NUMBERS = 1 << 27  # posteriors in memory: 1 GiB


class FoldKrylov:
    """Solves all parts along a path, each from its last solution."""

    def __init__(self, passes: Passes, parts: Parts, n_classes: int, tol: float = 1e-6) -> None:
        self.passes, self.parts, self.tol, self.n_classes = passes, parts, tol, n_classes
        self.problem = LogisticObjective(passes, n_classes)
        self.history: list[tuple[float, float, float]] = []

    def path(self, l2: Array, start: Array | None = None) -> PathSolution:
        """Solve for every penalty, the largest first, from `start` (G, C, E+1); the results are in the order given."""
        part_numbers = len(self.passes.codes) * self.problem.classes
        together = max(1, KEPT_NUMBERS // max(1, part_numbers))
        count = len(self.parts)
        paths = [
            self._path_of(np.arange(first, min(first + together, count)), l2, start)
            for first in range(0, count, together)
        ]
        B, gradient, loss, converged = (np.concatenate(values, axis=1) for values in zip(*paths, strict=True))
        solution = PathSolution(B, gradient, loss, converged, self.passes.count, self.history)
        return solution if l2.min() > 0 else self._without_penalty(solution, l2)

    def _without_penalty(self, solution: PathSolution, l2: Array) -> PathSolution:
        """Parts whose rows are all on their own side are solved again with a small penalty."""
        at = int(np.argmin(l2))
        torn = [
            g
            for g, folds in enumerate(self.parts.trained)
            if self.passes.margins(solution.B[at, g], folds)[0] > 0
        ]
        return solved_again(
            solution,
            l2,
            torn,
            self.parts,
            lambda parts, value: FoldKrylov(self.passes, parts, self.n_classes, self.tol).path(value),
        )

    def _path_of(
        self, which: NDArray[np.intp], l2: Array, start: Array | None
    ) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
        parts = self.parts.pick(which)
        theta = self.problem.start(parts) if start is None else self.problem.begun(parts, start[which])
        scale = self.problem.scale(parts)
        shape = (len(l2), len(which))
        B = np.zeros((*shape, self.problem.classes, self.passes.rows.width + 1))
        gradient, loss = np.zeros(shape), np.zeros(shape)
        for at in np.argsort(-l2, kind="stable"):
            theta, loss[at], gradient[at] = self._solve(parts, theta, scale, float(l2[at]))
            theta = self.problem.balanced(parts, theta)
            B[at] = parts.to_columns(theta)
        return B, gradient, loss, gradient <= self.tol

    def _solve(self, parts: Parts, theta: Array, scale: Array, l2: float) -> tuple[Array, Array, Array]:
        """Newton steps of a stack of parts until every gradient vanishes: weights, losses and gradients there."""
        count = len(theta)
        accepted, step = theta.copy(), np.zeros(theta.shape)
        value, norm, loss = np.full(count, np.inf), np.full(count, np.inf), np.zeros(count)
        for _ in range(MOST_STEPS):
            summed, lost = self.passes.gradients(parts.to_columns(theta), parts.share)
            gradient = self.problem.gradient(parts, theta, summed, l2)
            now = self.problem.value(parts, theta, lost, l2)
            better = now <= value + SLACK * np.maximum(1.0, np.abs(now))
            first = ~np.isfinite(value)
            taken = better | first
            accepted[taken], value[taken], loss[taken] = theta[taken], now[taken], lost[taken]
            norm[taken] = np.abs(gradient[taken]).max(axis=(1, 2)) / scale[taken]
            self.history += [(l2, float(now[0]), float(norm[0]))] if taken[0] else []
            step[~taken] /= 2.0
            stuck = np.abs(step).max(axis=(1, 2)) < 1e-14
            live = taken & (norm > self.tol)
            if not live.any() and not (~taken & ~stuck).any():
                break
            if live.any():
                live_parts = np.flatnonzero(live)
                step[live_parts] = self._direction(
                    parts.pick(live_parts), accepted[live_parts], gradient[live_parts], norm[live_parts], l2
                )
            theta = np.where((norm > self.tol)[:, None, None], accepted - step, accepted)
        return accepted, loss / self.problem.weight(parts), norm

    def _direction(self, parts: Parts, theta: Array, gradient: Array, norm: Array, l2: float) -> Array:
        """d with H d = g, to a share of the gradient that shrinks with it: the last steps are the exact ones."""
        posteriors = self.passes.posteriors(parts.to_columns(theta), parts.share)
        mask, weight = self.problem.mask(parts), self.problem.weight(parts)[:, None, None]
        penalty = l2 * np.append(parts.penalty, np.zeros((len(theta), 1)), axis=1)[:, None, :]
        diagonal = self._diagonal(parts, posteriors) / weight + penalty
        inverse = np.where(mask & (diagonal > 0), 1.0 / np.where(diagonal > 0, diagonal, 1.0), 0.0)

        def times(v: Array) -> Array:
            summed = self.passes.curvatures(parts.to_columns(v), parts.share, posteriors)
            return np.where(mask, parts.from_columns(summed) / weight + penalty * v, 0.0)

        enough = np.maximum(np.minimum(0.7, norm**0.2), 0.3 * self.tol / norm)  # no nearer than is asked for
        return _conjugate_gradients(times, gradient, inverse, enough)

    def _diagonal(self, parts: Parts, posteriors: list[Array]) -> Array:
        """Diagonal of the summed second derivatives; of the columns themselves where coordinates are mixtures."""
        squares = self.passes.curvature_diagonals(parts.share, posteriors)
        if parts.maps is None:
            return squares
        return np.asarray(squares @ parts.maps**2)


def _conjugate_gradients(
    times: Callable[[Array], Array], right: Array, inverse: Array, enough: Array
) -> Array:
    """Solutions of a stack of systems, each until its residual is `enough` of its right-hand side."""

    def dot(a: Array, b: Array) -> Array:
        return np.asarray((a * b).sum(axis=(1, 2)))

    x, r = np.zeros(right.shape), right.copy()
    z = inverse * r
    p, rho = z.copy(), dot(r, z)
    goal = enough**2 * dot(right, right)
    for _ in range(MOST_INNER):
        live = (dot(r, r) > goal) & (rho > 0)
        if not live.any():
            break
        q = times(p)
        bent = dot(p, q)
        live &= bent > 0
        alpha = np.where(live, rho / np.where(bent > 0, bent, 1.0), 0.0)[:, None, None]
        x += alpha * p
        r -= alpha * q
        z = inverse * r
        new = dot(r, z)
        beta = np.where(live, new / np.where(rho > 0, rho, 1.0), 0.0)[:, None, None]
        p, rho = z + beta * p, np.where(live, new, 0.0)
    return x
