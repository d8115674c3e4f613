r"""Logistic regression of many training parts and a whole path of penalties, solved together by Newton's method.

    minimise  (1/N_g) Σ_{n ∈ g} w_n loss(y_n, θ z_n) + (l2 / 2) Σ_j ρ_gj |θ_j|²    for every training part g

The training parts differ by a fold or two, so one model of all rows, the pilot, leads the way. Its second
derivatives are kept fold by fold; those of a part are the sum over its folds, and stay good while the weights move
little (the chord method). The gradients of all parts come from one pass, their models stacked in one matrix
product. Every part goes on until its own gradient vanishes: the sharing changes the way, not the end.

On the way single precision serves as well as double and is quicker; the end is always seen in double precision.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from assay.solvers.divergence import separated, solved_again
from assay.solvers.logistic_objective import ABSENT, LEAST_SCALE, LogisticObjective
from assay.solvers.part_factors import PartFactors
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.points import Points, Which
from assay.solvers.result import PathSolution

Array = NDArray[np.float64]
SLOW = 0.8  # a step leaves at most this share of a part's gradient, or the part gets second derivatives of its own
NEAR = 1e-3  # a pilot that only leads the way need not come nearer
FEW = 3  # passes, at least, that the parts may need at a penalty before the second derivatives count as old
READY = 0.5  # of the gradient that is asked for: where a part should be with its next step, at the rate of the last
FLOOR = 1e-6  # relative gradient down to which single precision can be trusted
MOST_PASSES = 200
ONLY = np.zeros(1, dtype=np.intp)


class FoldNewton:
    """Solves all parts along a path; see the module's formula."""

    def __init__(self, passes: Passes, parts: Parts, n_classes: int, tol: float = 1e-6) -> None:
        self.passes, self.tol, self.n_classes = passes, tol, n_classes
        self.problem = LogisticObjective(passes, n_classes)
        # The pilot's coordinates are those of the first part with the mean penalties of all.
        self.alone = len(parts.member) == 1 and bool(parts.member.all())
        self.parts, self.pilot = parts, parts if self.alone else _pilot(parts)
        shape = (self.problem.classes, parts.penalty.shape[1] + 1)
        self.lead, self.lead_factor = Points((1, *shape)), PartFactors(self.problem, self.pilot)
        self.points, self.factors = self.lead, self.lead_factor
        if not self.alone:
            self.points = Points((len(parts.member), *shape))
            self.factors = PartFactors(self.problem, parts)
        self.coarse = passes.coarse  # whether single precision still serves
        self.curved = False  # whether there are second derivatives
        self.old = False  # whether they have served too long
        # A pass for second derivatives costs about so many passes for gradients of the pilot, and of all parts.
        self.price = len(self.problem.pairs) * (passes.rows.width + 1) / (4 * self.problem.classes)
        self.patience = max(FEW, round(self.price / len(parts.member)))
        self.correction: Array | float = 0.0  # of the parts' first steps: it changes little along the path
        self.lead_scale = np.zeros(0)
        self.l2 = 0.0  # that earlier steps were taken under
        self.guess = 0.1  # what a first step leaves of the parts' gradients
        self.history: list[tuple[float, float, float]] = []

    def path(self, l2: Array) -> PathSolution:
        """Solve for every penalty, the largest first; the results are in the order given."""
        order = np.argsort(-l2, kind="stable")
        shape = (len(l2), len(self.parts.member))
        B = np.zeros((*shape, self.problem.classes, self.passes.rows.width + 1))
        gradient, loss, converged = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
        if not self.alone:
            self.scale = self.problem.scale(self.parts)
        begin, points = self.problem.start(self.pilot), self.points
        behind: list[Array] = []  # the pilot's last two solutions, for a guess at the next one
        for at in order:
            if behind:
                begin = behind[-1] if len(behind) == 1 else 2.0 * behind[-1] - behind[-2]
            self._repenalise(float(l2[at]))
            self._lead(begin, float(l2[at]))
            behind = [*behind[-1:], self.lead.tried(ONLY) if self.lead.done[0] else self.lead.theta.copy()]
            if not self.alone:
                self._follow(float(l2[at]))
            B[at] = self.parts.to_columns(points.theta)
            gradient[at], converged[at] = points.norm, points.done
            squares = (self.parts.penalty[:, None, :] * points.theta[..., :-1] ** 2).sum(axis=(1, 2))
            loss[at] = points.loss - 0.5 * l2[at] * squares
        found = PathSolution(B, gradient, loss, converged, self.passes.count, self.history)
        return found if l2.min() > 0 else self._without_penalty(found, l2)

    def _repenalise(self, l2: float) -> None:
        """Another penalty: what earlier steps taught stays true of the losses, and is corrected for it."""
        change, self.l2 = l2 - self.l2, l2
        self.points.repenalise(change * self.parts.penalty)
        if not self.alone:
            self.lead.repenalise(change * self.pilot.penalty)

    def _without_penalty(self, found: PathSolution, l2: Array) -> PathSolution:
        """Parts whose classes are separated are solved again with a small penalty."""
        torn = [
            g
            for g, theta in enumerate(self.points.theta)
            if (self.alone or self.renewed[g])
            and separated(self.problem, self.parts.pick(np.array([g])), theta)
        ]
        return solved_again(
            found,
            l2,
            torn,
            self.parts,
            lambda some, value: FoldNewton(self.passes, some, self.n_classes, self.tol).path(value),
        )

    def _lead(self, theta: Array, l2: float) -> None:
        """Newton steps of the pilot from θ; second derivatives only when the old ones no longer serve."""
        lead, tol = self.lead, self.tol if self.alone else max(self.tol, NEAR)
        lead.restart(theta)
        exact, factored, fresh = not self.coarse, False, False
        for _ in range(MOST_PASSES):
            taken = self._lead_pass(l2, exact)
            left = _passes_left(float(lead.norm[0]), float(lead.rate[0]), tol)
            slow = taken and factored and lead.norm[0] > tol and left > FEW + self.price
            if not exact and (lead.stuck[0] or (slow and fresh) or self.lead_factor.lifted):
                exact, self.coarse, self.curved = True, False, False  # single precision does not serve here
                lead.restart(lead.theta)
                continue
            if lead.stuck[0]:
                break
            if not taken:
                continue
            near = bool(lead.norm[0] <= tol)
            lead.done[0] = near and (exact or not self.alone)
            if lead.done[0] and self.alone:
                break
            fresh = not self.curved or (near and self.old) or slow
            if fresh:
                self._curve(exact)
            if fresh or not factored:
                self.lead_factor.factorise(l2)
                factored = True
            lead.direct(ONLY, self.lead_factor.solve)
            if lead.done[0]:
                break
            exact = exact or (self.alone and self._ready(lead, ONLY))

    def _lead_pass(self, l2: float, exact: bool) -> bool:
        """Loss and gradient of the pilot where it wants to go; whether it goes there."""
        lead, theta = self.lead, self.lead.tried(ONLY)
        summed, lost = self.passes.fold_gradients(self.pilot.to_columns(theta)[0], exact=exact)
        gradient = self.problem.gradient(self.pilot, theta, summed.sum(axis=0)[None], l2)
        loss = self.problem.value(self.pilot, theta, lost.sum(keepdims=True), l2)
        largest = np.abs(gradient).max(axis=(1, 2))
        if not len(self.lead_scale):  # the first pass is that of the model without features
            self.lead_scale = np.maximum(largest, LEAST_SCALE)
        norm = largest / self.lead_scale
        if not len(lead.take(ONLY, theta, loss, gradient, norm, not exact)):
            return False
        self.fold_sums = summed
        self.history.append((l2, float(loss[0]), float(norm[0])))
        return True

    def _curve(self, exact: bool) -> None:
        """Second derivatives where the pilot is."""
        self.grams = self.passes.fold_grams(self.pilot.to_columns(self.lead.theta)[0], exact=exact)
        summed = self.grams.sum(axis=0)
        self.lead_factor.renew(self.grams, summed)
        if not self.alone:
            self.factors.renew(self.grams, summed)
        self.curved, self.old, self.correction = True, False, 0.0
        self.lead.forget(ONLY)
        self.points.forget(np.arange(len(self.points.norm)))

    def _follow(self, l2: float) -> None:
        """All parts from the pilot to their own solutions."""
        points = self.points
        first = self._begin(l2)
        points.restart(first + self.correction)
        self.renewed = np.zeros(len(points.norm), dtype=bool)
        exact, turns = not self.coarse, 0
        while len(live := points.live) and turns < MOST_PASSES:
            turns += 1
            taken = self._pass(live, l2, exact)
            if turns == 2:
                self.guess = float(np.median(points.rate[live]))
            slow = taken[(points.rate[taken] > SLOW) & (points.rate[taken] < np.inf)]
            if not exact and (len(slow) or points.stuck.any()):
                exact, points.stuck[:] = True, False
            else:
                self._renew(slow, l2)
            points.direct(taken, self.factors.solve)
            exact = exact or self._ready(points, live)
        self.old = turns > self.patience
        self.correction = points.theta - first

    def _pass(self, live: Which, l2: float, exact: bool) -> Which:
        """Losses and gradients of parts where they want to go; those that go there and are not at their end."""
        points, some, theta = self.points, self.parts.pick(live), self.points.tried(live)
        summed, lost = self.passes.gradients(some.to_columns(theta), some.member, exact=exact)
        gradient = self.problem.gradient(some, theta, summed, l2)
        norm = np.abs(gradient).max(axis=(1, 2)) / self.scale[live]
        loss = self.problem.value(some, theta, lost, l2)
        taken = live[points.take(live, theta, loss, gradient, norm, not exact)]
        points.done[taken] = exact & (points.norm[taken] <= self.tol)
        return taken[~points.done[taken]]

    def _ready(self, points: Points, live: Which) -> bool:
        """Whether most of the parts should be at their ends with the next step."""
        rate = np.where(points.rate[live] < np.inf, points.rate[live], self.guess)
        near = points.norm[live] * np.minimum(rate, 1.0) <= READY * max(self.tol, FLOOR)
        return bool(2 * near.sum() > len(live))

    def _begin(self, l2: float) -> Array:
        """One Newton step of every part from the pilot's solution: its sums are known fold by fold, no pass needed."""
        mask = self.problem.mask(self.parts)
        start = self.problem.start(self.parts)
        theta = np.where(start == ABSENT, ABSENT, np.where(mask, self.lead.theta, 0.0))
        summed = np.einsum("gf,fcp->gcp", self.parts.member.astype(float), self.fold_sums)
        gradient = self.problem.gradient(self.parts, theta, summed, l2)
        self.factors.factorise(l2)
        theta -= self.factors.solve(np.arange(len(theta)), gradient)
        # The pilot may know a class that a part does not, whose weights are then missing in the sum.
        return self.problem.balanced(self.parts, theta)

    def _renew(self, slow: Which, l2: float) -> None:
        """Second derivatives at a part's own weights, for parts that the pilot's serve badly."""
        for g in slow:
            part = self.parts.pick(np.array([g]))
            grams = self.passes.fold_grams(part.to_columns(self.points.theta[[g]])[0], part.member[0])
            self.factors.renew_part(g, grams.sum(axis=0))
        if len(slow):
            self.factors.factorise(l2, slow)
            self.points.forget(slow)
            self.renewed[slow] = True


def _pilot(parts: Parts) -> Parts:
    """All rows, in the mean coordinates of the parts."""
    everyone = np.ones((1, parts.member.shape[1]), dtype=bool)
    maps = None if parts.maps is None else parts.maps.mean(axis=0)[None]
    return Parts(everyone, parts.penalty.mean(axis=0)[None], np.atleast_2d(parts.active.any(axis=0)), maps)


def _passes_left(norm: float, rate: float, tol: float) -> float:
    """Passes until the gradient is small enough, at the rate of the last one."""
    return math.log(norm / tol) / -math.log(rate) if norm > tol and 0.0 < rate < 1.0 else np.inf
