r"""Logistic regression with absolute values in its penalty, of many training parts and a path of penalties together.

    minimise  (1/N_g) Σ_{n ∈ g} w_n loss(y_n, θ z_n) + (l2 / 2) Σ_j ρ_gj |θ_j|² + l1 Σ_j √ρ_gj |θ_j|

Newton's method: each step minimises the quadratic about the weights plus the absolute values, by coordinate descent.
The second derivatives are those of a model of all rows, the pilot, kept fold by fold; a part that they serve badly
gets its own. Gradients of all parts come from one pass. A part is solved when the conditions of its minimum hold,

    |∂_j + l1 √ρ_j sign θ_j| = 0 where θ_j ≠ 0,    |∂_j| <= l1 √ρ_j where θ_j = 0,

up to `tol` of the largest gradient without features.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from assay.solvers.logistic_objective import ABSENT, LogisticObjective
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.quadratic_l1 import with_intercepts
from assay.solvers.result import PathSolution
from assay.types import Array

ENOUGH = (
    0.1  # a pilot's step leaves at most this share of its violation, or second derivatives are taken anew
)
SLOW = 0.3  # the same for a part and its own
NEAR = 1e-3  # a pilot that only leads the way need not come nearer
FEW = 3  # passes that the parts may need at a penalty before the second derivatives count as old
INNER = 0.01  # share of the violation that is left in the quadratic's minimum
SLACK = 1e-13  # relative rounding of a loss
MOST_PASSES = 200


@dataclass
class _Point:
    """Where a part stands: accepted weights with what was found there, and the step last tried from them."""

    theta: Array
    value: float = np.inf
    loss: float = np.inf
    gradient: Array = field(default_factory=lambda: np.zeros(0))
    step: Array = field(default_factory=lambda: np.zeros(1))
    norm: float = np.inf
    done: bool = False
    grams: Array | None = None  # its own second derivatives
    fresh: bool = False  # whether the second derivatives are those at the accepted weights

    def begin(self, theta: Array) -> None:
        self.theta, self.value, self.norm = theta, np.inf, np.inf
        self.done, self.grams, self.fresh, self.step = False, None, False, np.zeros(1)


@dataclass(frozen=True)
class _Stack:
    """Parts solved side by side under one pair of penalties."""

    parts: Parts
    l2: float
    l1: Array  # (G, E+1), 0 for the intercept
    scale: Array
    tol: float
    patience: float


class FoldLasso:
    """Solves all parts along a path; see the module's formula."""

    def __init__(self, passes: Passes, parts: Parts, n_classes: int, tol: float = 1e-6) -> None:
        self.passes, self.parts, self.tol = passes, parts, tol
        self.problem = LogisticObjective(passes, n_classes)
        self.alone = parts.alone
        self.pilot = parts if self.alone else parts.pilot()
        self.scale: Array | None = None
        self.grams: Array | None = None
        self.old = False
        self.history: list[tuple[float, float, float]] = []

    def path(self, l2: Array, l1: Array, start: Array | None = None) -> PathSolution:
        """Solve for every pair of penalties, the largest first, from `start` (G, C, E+1); in the order given."""
        shape = (len(l2), len(self.parts))
        B = np.zeros((*shape, self.problem.classes, self.passes.rows.width + 1))
        gradient, loss = np.zeros(shape), np.zeros(shape)
        theta = self.problem.start(self.parts) if start is None else start
        points = [_Point(weights) for weights in theta]
        if self.scale is None:
            self.scale = self.problem.scale(self.parts)
        begin = self.problem.start(self.pilot)[0] if start is None else _middle(theta)
        lead = points[0] if self.alone else _Point(begin)
        for at in np.lexsort((-l2, -l1)):
            self._lead(lead, float(l2[at]), float(l1[at]))
            if not self.alone:
                self._follow(lead, points, float(l2[at]), float(l1[at]))
            theta = self._levelled(np.stack([point.theta for point in points]))
            B[at] = self.parts.to_columns(theta)
            gradient[at] = [point.norm for point in points]
            loss[at] = [point.loss for point in points]
        return PathSolution(B, gradient, loss, gradient <= self.tol, self.passes.count, self.history)

    def _levelled(self, theta: Array) -> Array:
        """The same posteriors with intercepts that sum to 0 over the classes that are there."""
        if self.problem.classes > 1:
            theta[..., -1] = self.problem.balanced(self.parts, theta)[..., -1]
        return theta

    def _stack(self, parts: Parts, l2: float, l1: float, tol: float, patience: float) -> _Stack:
        assert self.scale is not None
        scale = self.scale if parts is self.parts else np.array([self.scale.mean()])
        rates = np.append(l1 * np.sqrt(parts.penalty), np.zeros((len(parts), 1)), axis=1)
        return _Stack(parts, l2, rates, scale, tol, patience)

    def _lead(self, lead: _Point, l2: float, l1: float) -> None:
        """The pilot from its last solution; its second derivatives are kept by fold."""
        tol = self.tol if self.alone else max(self.tol, NEAR)
        stack = self._stack(self.pilot, l2, l1, tol, ENOUGH)
        lead.begin(lead.theta)
        self._solve(stack, [lead], leading=True)
        if not self.alone and (self.old or self.grams is None):
            self._renew(self.pilot, lead, leading=True)
            self.old = False

    def _follow(self, lead: _Point, points: list[_Point], l2: float, l1: float) -> None:
        """All parts from the pilot to their own solutions."""
        stack = self._stack(self.parts, l2, l1, self.tol, SLOW)
        mask, begin = self.problem.mask(self.parts), self.problem.start(self.parts)
        theta = np.where(begin == ABSENT, ABSENT, np.where(mask, lead.theta, 0.0))
        by_fold, _ = self.passes.fold_gradients(self.pilot.to_columns(lead.theta[None])[0])
        summed = np.einsum("gf,fcp->gcp", self.parts.share, by_fold)
        gradient = self.problem.gradient(self.parts, theta, summed, l2)
        for g, point in enumerate(points):
            point.begin(theta[g])
            point.gradient = gradient[g]
            point.norm = _violation(theta[g], gradient[g], stack.l1[g]) / float(stack.scale[g])
        # The pilot's sums are known by fold: the first step of every part needs no pass.
        steps = self.passes.map(lambda g: self._step(stack, points[g], g), range(len(points)))
        for point, step in zip(points, steps, strict=True):
            point.begin(point.theta + step)
        self.old = self._solve(stack, points, leading=False) > FEW

    def _solve(self, stack: _Stack, points: list[_Point], *, leading: bool) -> int:
        """Steps of every part until it is solved; the number of passes."""
        tried = [point.theta for point in points]
        live = list(range(len(points)))
        for turn in range(MOST_PASSES):
            self._measure(stack, points, tried, live, leading=leading)
            live = [g for g in live if not points[g].done]
            if not live:
                return turn + 1
            fresh = [g for g in live if len(points[g].step) == 0]
            for g, step in zip(
                fresh, self.passes.map(lambda g: self._step(stack, points[g], g), fresh), strict=True
            ):
                points[g].step = step
            for g in live:
                tried[g] = points[g].theta + points[g].step
        return MOST_PASSES

    def _measure(
        self, stack: _Stack, points: list[_Point], tried: list[Array], live: list[int], *, leading: bool
    ) -> None:
        """One pass at the weights that are tried; second derivatives anew where they are wanted."""
        subset = stack.parts.pick(np.array(live))
        theta = np.stack([tried[g] for g in live])
        summed, lost = self.passes.gradients(subset.to_columns(theta), subset.share)
        gradient = self.problem.gradient(subset, theta, summed, stack.l2)
        loss = lost / self.problem.weight(subset)
        value = self.problem.value(subset, theta, lost, stack.l2)
        value += (stack.l1[live][:, None, :] * np.abs(theta)).sum(axis=(1, 2))
        for at, g in enumerate(live):
            point = points[g]
            norm = _violation(theta[at], gradient[at], stack.l1[g]) / float(stack.scale[g])
            candidate = _Point(theta[at], float(value[at]), float(loss[at]), gradient[at], norm=norm)
            wanted = _accept(point, candidate, stack)
            if leading and point.theta is candidate.theta:
                self.history.append((stack.l2, point.value, point.norm))
            if not point.done and (wanted or (leading and self.grams is None)):
                self._renew(subset.pick(np.array([at])), point, leading=leading)

    def _renew(self, part: Parts, point: _Point, *, leading: bool) -> None:
        """Second derivatives at the weights themselves."""
        grams = self.passes.fold_grams(part.to_columns(point.theta[None])[0], part.trained[0])
        if leading:
            self.grams = grams
        else:
            point.grams = (part.share[0][:, None, None, None] * grams).sum(axis=0)
        point.fresh, point.step = True, np.zeros(0)

    def _step(self, stack: _Stack, point: _Point, g: int) -> Array:
        """From the weights to the minimum of the quadratic about them plus the absolute values."""
        part = stack.parts.pick(np.array([g]))
        grams = point.grams
        if grams is None:
            assert self.grams is not None
            grams = np.tensordot(part.share[0], self.grams, axes=1)
        hessian = self.problem.curvature(part, grams)
        classes, width = hessian.shape[:2]
        diagonal = np.arange(width - 1)
        for k in range(classes):
            hessian[k, diagonal, k, diagonal] += stack.l2 * part.penalty[0]
        fixed = ~self.problem.mask(part)[0]
        hessian[fixed] = 0.0
        hessian[:, :, fixed] = 0.0
        tol = INNER * point.norm * float(stack.scale[g])
        return with_intercepts(hessian, point.gradient, point.theta, stack.l1[g, :-1], tol) - point.theta


def _accept(point: _Point, candidate: _Point, stack: _Stack) -> bool:
    """Take what lowers the objective, shorten a step that does not; whether new second derivatives are wanted."""
    if not candidate.value <= point.value + SLACK * max(1.0, abs(point.value)):
        if np.abs(point.step).max() < 1e-14:
            point.done = True
        point.step = point.step / 2
        return not point.fresh
    slow = np.isfinite(point.norm) and candidate.norm > stack.patience * point.norm
    point.theta, point.value, point.loss = candidate.theta, candidate.value, candidate.loss
    point.gradient, point.norm, point.step, point.fresh = (
        candidate.gradient,
        candidate.norm,
        np.zeros(0),
        False,
    )
    point.done = point.norm <= stack.tol
    return bool(slow)


def _violation(theta: Array, gradient: Array, l1: Array) -> float:
    """How far the conditions of a minimum are from being met, in units of the gradient."""
    moving = np.abs(gradient + l1 * np.sign(theta))
    resting = np.maximum(np.abs(gradient) - l1, 0.0)
    return float(np.where(theta != 0, moving, resting).max())


def _middle(theta: Array) -> Array:
    """The mean of the parts' weights; a class that some do not know is there for the others."""
    known = theta > ABSENT / 2
    return np.asarray((theta * known).sum(axis=0) / np.maximum(known.sum(axis=0), 1))
