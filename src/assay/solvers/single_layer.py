r"""Gradient descent for a single layer of units, whole passes or row by row.

    minimise  E(U) = (1/N) Σ_n s_n loss(U z̃_n, t_n) + ½ Σ_d penalty_d Σ_k U_kd²,    z̃ = (z, 1), N = Σ s_n

    batch         U ← U - η ∇E
    stochastic    U ← U - η ∇(s_n loss_n + penalty) for each row n in a new order every epoch

Without a given rate η, whole passes begin with 1 and halve it whenever E would rise (the step is not made), else raise
it by a tenth. The absolute error of linear units has corners, where no step along a slope need be downhill: steps of
one length go on until ten in a row find nothing better than the best, from where they go on at half the length, until
tol of the first. Single rows begin with η = 1/(1 + D) and go down to η / (1 + epoch / 10), never beyond 1/|z̃_n|²; a
compiled loop visits them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.notes import Note
from assay.numerics.interrupt import check_interrupt
from assay.solvers.outputs import SLOPES
from assay.solvers.standard_rows import StandardRows
from assay.types import Array, Index

BLOCK = 4096
PATIENCE = 10  # steps between corners without a better point, before they are halved
NOISE = 1e-15  # gradients of scaled columns below it are rounding


@dataclass(frozen=True)
class UnitProblem:
    """One layer of `units` output units; a single unit tells class 1 from class 0.

    weight : (N,) of mean 1, or None for all one
    low : the target of the rows of other classes, 0 or -1
    """

    rows: StandardRows
    codes: NDArray[np.int32]
    weight: Array | None
    units: int
    low: float
    output: str
    surrogate: str
    penalty: Array

    @property
    def has_corners(self) -> bool:
        """Whether the objective has no slope where a row is met exactly."""
        return (self.output, self.surrogate) == ("linear", "absolute_error")

    def targets(self, codes: NDArray[np.int32]) -> Array:
        """Targets (B, units)."""
        named = np.arange(self.units) if self.units > 1 else np.ones(1, dtype=int)
        return np.where(codes[:, None] == named, 1.0, self.low)

    def target_means(self) -> Array:
        """Weighted mean of each unit's targets."""
        shares = np.bincount(self.codes, self.weight, max(2, self.units)) / len(self.codes)
        return np.asarray(self.low + (1.0 - self.low) * (shares if self.units > 1 else shares[1:]))

    def gradient(self, U: Array) -> tuple[float, Array]:
        """E(U) and ∇E(U)."""
        total, G = 0.0, np.zeros_like(U)
        for start in range(0, len(self.rows), BLOCK):
            Z = self.rows.span(start, min(start + BLOCK, len(self.rows)))
            part = slice(start, start + len(Z))
            A = Z @ U[:, :-1].T + U[:, -1]
            losses = SLOPES[self.output, self.surrogate](A, self.targets(self.codes[part]))
            if self.weight is not None:
                A *= self.weight[part, None]
                losses = losses * self.weight[part]
            total += float(losses.sum())
            G[:, :-1] += A.T @ Z
            G[:, -1] += A.sum(axis=0)
        G /= len(self.rows)
        G[:, :-1] += self.penalty * U[:, :-1]
        return total / len(self.rows) + 0.5 * float((self.penalty * U[:, :-1] ** 2).sum()), G


@dataclass(frozen=True)
class SingleLayerFit:
    """Weights (units, D+1), the objective before and after every epoch, and whether it had converged."""

    U: Array
    history: list[float]
    converged: bool
    remaining: (
        float  # largest entry of the gradient, or between corners the step, relative to that at the start
    )

    @property
    def epochs(self) -> int:
        return len(self.history) - 1


def batch(problem: UnitProblem, start: Array, rate: float | None, epochs: int, tol: float) -> SingleLayerFit:
    """Steps along the gradient of all rows."""
    if problem.has_corners and rate is None:
        return between_corners(problem, start, epochs, tol)
    U, careful = start, rate is None and problem.output not in ("step", "sign")
    eta = 1.0 if rate is None else rate
    value, G = problem.gradient(U)
    first, history, best = float(np.abs(G).max()), [value], (value, U, G)
    limit = max(tol * first, NOISE)
    while np.abs(G).max() > limit and len(history) <= epochs:
        check_interrupt()
        trial = U - eta * G
        new, slope = problem.gradient(trial)
        # Near the minimum rounding hides a fall of the objective, but not a shorter gradient.
        level = new <= value + 1e-12 * abs(value)
        falls = new < value or bool(level and np.vdot(slope, slope) <= np.vdot(G, G))
        if careful and not falls:
            eta *= 0.5
        else:
            U, value, G = trial, new, slope
            eta *= 1.1 if careful else 1.0
            _check_finite(value, eta, len(history))
        history.append(value)
        if not value > best[0]:
            best = (value, U, G)
    if np.abs(G).max() > limit:
        _, U, G = best
    return _found(U, history, G, first, tol)


def between_corners(problem: UnitProblem, start: Array, epochs: int, tol: float) -> SingleLayerFit:
    """Steps along a slope of all rows, ever shorter from the best point."""
    eta, idle, U = 1.0, 0, start
    value, G = problem.gradient(U)
    history, best = [value], (value, U, G)
    while eta > tol and G.any() and len(history) <= epochs:
        check_interrupt()
        U = U - eta * G
        value, G = problem.gradient(U)
        history.append(value)
        idle += 1
        if value < best[0]:
            best, idle = (value, U, G), 0
        elif idle == PATIENCE:
            eta, idle = 0.5 * eta, 0
            _, U, G = best
    return SingleLayerFit(best[1], history, eta <= tol or not G.any(), eta)


def stochastic(
    problem: UnitProblem, start: Array, rate: float | None, epochs: int, tol: float, rng: np.random.Generator
) -> SingleLayerFit:
    """Steps along the gradient of one row after another."""
    U, steps = start.copy(), problem.output in ("step", "sign")
    value, G = problem.gradient(U)
    first, history, best, converged = float(np.abs(G).max()), [value], (value, U.copy(), G), False
    while not converged and np.abs(G).max() > 0 and len(history) <= epochs:
        eta = rate if rate is not None else 1.0 / (1 + problem.rows.width) / (1 + 0.1 * (len(history) - 1))
        if steps and rate is None:
            eta = 1.0
        check_interrupt()
        _one_epoch(problem, U, eta, rate is None and not steps, rng.permutation(len(problem.rows)))
        before, (value, G) = value, problem.gradient(U)
        _check_finite(value, eta, len(history))
        history.append(value)
        if not value > best[0]:
            best = (value, U.copy(), G)
        converged = not steps and abs(before - value) <= tol * abs(before)
    fit = _found(best[1], history, best[2], first, tol)
    return SingleLayerFit(fit.U, history, fit.converged or converged, fit.remaining)


def _one_epoch(problem: UnitProblem, U: Array, eta: float, capped: bool, order: Index) -> None:
    """Go through the rows in this order, changing U."""
    decay = np.append(np.maximum(0.0, 1.0 - eta * problem.penalty), 1.0) if problem.penalty.any() else None
    Z = np.ones((min(BLOCK, len(order)), problem.rows.width + 1))
    for start in range(0, len(order), BLOCK):
        which = order[start : start + BLOCK]
        problem.rows.take(which, Z[: len(which), :-1])
        rates = np.full(len(which), eta)
        if capped:
            rates = np.minimum(eta, 1.0 / np.einsum("nd,nd->n", Z[: len(which)], Z[: len(which)]))
        if problem.weight is not None:
            rates *= problem.weight[which]
        _core.network.single_layer_steps(
            Z[: len(which)], problem.codes[which], rates, decay, problem.output,
            problem.surrogate, problem.low, U,
        )  # fmt: skip


def _check_finite(value: float, eta: float, epoch: int) -> None:
    if not np.isfinite(value):
        raise ValueError(Note("N044", epoch=epoch, eta=eta))


def _found(U: Array, history: list[float], G: Array, first: float, tol: float) -> SingleLayerFit:
    left = float(np.abs(G).max())
    return SingleLayerFit(U, history, left <= max(tol * first, NOISE), left / first if first else 0.0)
