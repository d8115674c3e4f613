r"""Kernel machines of two classes by sequential minimal optimisation.

    minimise  |f|²/2 + Σ_n C_n max(0, 1 - y_n f(x_n)),    f = Σ_n β_n k(x_n, ·) + b,    y = ±1

by its dual: maximise Σ y β - β'Kβ/2 over 0 ≤ y β ≤ C, Σ β = 0. With v = y - Kβ, a solution has
max {v_n : β_n may rise} ≤ min {v_n : β_n may fall}; the solver stops where they differ by no more than the tolerance.
Rows with C = 0 take no part and y = 0 is theirs: f(x_n) = b - v_n is their decision value, which costs nothing more.

The steps are compiled (core/svm/smo.hpp). Kernel values may be float32, as LIBSVM keeps them; β and v are float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay import _core
from assay.notes import Note
from assay.solvers.backprop import usable
from assay.solvers.kernels import KernelFunction
from assay.types import Array, Floats

MOST_STEPS = 10_000_000  # of pairs, or a hundred a row if that is more


@dataclass(frozen=True)
class Machine:
    """A solution.

    Attributes
    ----------
    beta, gradient : (N,)
        β, and v = y - Kβ.
    shift : b
    steps : pairs moved
    violation : what is left of it; converged where it is no more than the tolerance
    bends_down : whether negative curvature was met, so that K is not positive semidefinite
    history : (rounds, 4) pairs moved so far, violation, value of the dual and of the primal problem
    """

    beta: Array
    gradient: Array
    shift: float
    steps: int
    violation: float
    bends_down: bool
    history: Array

    def decisions(self, y: Array) -> Array:
        """f of every row; y is 0 for rows that took no part."""
        return np.asarray(y - self.gradient + self.shift)


Point = tuple[Array, Array]  # β and v
# Of compiled code: steps, violation, shift, whether a direction bends down, history.
Outcome = tuple[int, float, float, bool, list[tuple[int, float, float, float]]]


def solve_gram(
    gram: Floats, y: Array, cost: Array, tolerance: float, threads: int, start: Point | None = None
) -> Machine:
    """From a whole Gram matrix (N, N), and a start that keeps the bounds and sums to 0 (None: zeros)."""
    beta, gradient = (np.zeros(len(y)), y.copy()) if start is None else start
    result = _core.svm.smo_gram(
        gram=gram, **_problem(y, cost, tolerance), threads=threads, b=beta, v=gradient
    )
    return _machine(y, cost, beta, gradient, result)


def solve_rows(
    kernel: KernelFunction,
    points: Floats,
    y: Array,
    cost: Array,
    tolerance: float,
    threads: int,
    most_bytes: int,
) -> Machine:
    """From rows: those of the Gram matrix are made when they are needed, and kept as far as memory allows."""
    beta, gradient = np.zeros(len(y)), y.copy()
    most_rows = max(4, most_bytes // (points.itemsize * len(points)))
    try:
        result = _core.svm.smo_rows(
            kernel=kernel.compiled(points.dtype), points=points, most_rows=most_rows,
            **_problem(y, cost, tolerance), threads=usable(threads), b=beta, v=gradient,
        )  # fmt: skip
    except ValueError:
        raise ValueError(Note("N045", kind=kernel.kind, dtype=points.dtype)) from None
    return _machine(y, cost, beta, gradient, result)


def warm_start(machine: Machine, y: Array, cost: Array, ratio: float) -> Point:
    """Where to begin for `ratio` times the costs at which a machine was solved.

    Coefficients between the bounds hardly change; those on a bound stay on it, and then all grow alike.
    """
    size, used = np.abs(machine.beta), machine.beta != 0
    bound = used & (size >= cost)
    if 2 * bound.sum() < used.sum():
        return machine.beta.copy(), machine.gradient.copy()
    beta = np.where(bound, np.sign(y) * (ratio * cost), ratio * machine.beta)
    return beta, y - ratio * (y - machine.gradient)


def _problem(y: Array, cost: Array, tolerance: float) -> dict[str, Any]:
    return {
        "low": np.where(y < 0, -cost, 0.0),
        "high": np.where(y > 0, cost, 0.0),
        "tolerance": tolerance,
        "most_steps": max(MOST_STEPS, 100 * len(y)),
    }


def _machine(y: Array, cost: Array, beta: Array, gradient: Array, result: Outcome) -> Machine:
    steps, violation, shift, bends_down, history = result
    shift = _middle(y, cost, beta, gradient, shift)
    return Machine(beta, gradient, shift, steps, violation, bends_down, np.array(history))


def _middle(y: Array, cost: Array, beta: Array, gradient: Array, shift: float) -> float:
    """The middle of the intercepts allowed, where but for rounding every coefficient is on a bound.

    Classes of equal total weight may end so. What rounding of their sums leaves to one coefficient, which may be far
    more than rounding of that one, must not decide the intercept.
    """
    part, size = cost > 0, np.abs(beta)
    noise = np.minimum(len(y) * np.finfo(np.float64).eps * cost.max(initial=0.0), 0.5 * cost)
    zero, full = size <= noise, size >= cost - noise
    between = part & (beta != 0) & (size < cost)
    if not between.any() or (between & ~zero & ~full).any():
        return shift
    rises, falls = part & np.where(y > 0, ~full, ~zero), part & np.where(y > 0, ~zero, ~full)
    if not rises.any() or not falls.any():
        return shift
    return 0.5 * float(gradient[rises].max() + gradient[falls].min())
