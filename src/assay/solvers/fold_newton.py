r"""Logistic regression of many training parts and a whole path of penalties, solved together by Newton's method.

    minimise  (1/N_g) Σ_{n ∈ g} w_n loss(y_n, θ z_n) + (l2 / 2) Σ_j ρ_gj |θ_j|²    for every training part g

The training parts differ by a fold or two, so one model of all rows, the pilot, leads the way. Its second
derivatives are kept fold by fold; those of a part are the sum over its folds, and stay good while the weights move
little (the chord method). The gradients of all parts come from one pass, their models stacked in one matrix
product. Every part goes on until its own gradient vanishes: the sharing changes the way, not the end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dpotrs

from assay.solvers.divergence import separated, solved_again
from assay.solvers.logistic_objective import ABSENT, LogisticObjective
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution

Array = NDArray[np.float64]
SLOW = 0.8  # a step leaves at most this share of a part's gradient, or the part gets second derivatives of its own
REMEMBERED = 8  # steps of a part from which its own second derivatives are guessed
NEAR = 1e-3  # a pilot that only leads the way need not come nearer
FEW = 2  # passes, at least, that the parts may need at a penalty before the second derivatives count as old
SLACK = 1e-13  # relative rounding of a loss
MOST_PASSES = 200


@dataclass
class _Point:
    """Where a part stands: the accepted weights with loss and gradient there, and the step last tried."""

    theta: Array
    loss: float = np.inf
    gradient: Array = field(default_factory=lambda: np.zeros(0))
    step: Array = field(default_factory=lambda: np.zeros(1))
    norm: float = np.inf
    done: bool = False
    pairs: list[tuple[Array, Array]] = field(
        default_factory=list
    )  # steps taken, and what they did to the gradient
    renewed: bool = False  # whether it needed second derivatives of its own

    def learn(self, theta: Array, gradient: Array) -> None:
        """Remember what the step to θ does to the gradient."""
        if np.isfinite(self.loss):
            moved, bent = theta - self.theta, gradient - self.gradient
            if float((moved * bent).sum()) > 0:
                self.pairs = [*self.pairs[1 - REMEMBERED :], (moved, bent)]


class FoldNewton:
    """Solves all parts along a path; see the module's formula."""

    def __init__(self, passes: Passes, parts: Parts, n_classes: int, tol: float = 1e-6) -> None:
        self.passes, self.tol, self.n_classes = passes, tol, n_classes
        self.problem = LogisticObjective(passes, n_classes)
        everyone = np.ones((1, passes.n_folds), dtype=bool)
        # The pilot's coordinates are those of the first part with the mean penalties of all.
        self.alone = len(parts.member) == 1 and bool(parts.member.all())
        maps = None if parts.maps is None else parts.maps.mean(axis=0)[None]
        self.pilot = (
            parts
            if self.alone
            else Parts(
                everyone, parts.penalty.mean(axis=0)[None], np.atleast_2d(parts.active.any(axis=0)), maps
            )
        )
        self.parts = parts
        self.grams: Array | None = None
        self.summed = np.zeros(0)  # over the folds
        self.old = False  # whether the second derivatives have served too long
        # A pass for second derivatives costs about so many passes for gradients of the pilot, and of all parts.
        self.price = len(self.problem.pairs) * (passes.rows.width + 1) / (4 * self.problem.classes)
        self.patience = max(FEW, round(self.price / len(parts.member)))
        self.correction: Array | float = 0.0  # of the parts' first steps: it changes little along the path
        self.history: list[tuple[float, float, float]] = []

    def path(self, l2: Array) -> PathSolution:
        """Solve for every penalty, the largest first; the results are in the order given."""
        order = np.argsort(-l2, kind="stable")
        shape = (len(l2), len(self.parts.member))
        B = np.zeros((*shape, self.problem.classes, self.passes.rows.width + 1))
        gradient, loss, converged = np.zeros(shape), np.zeros(shape), np.zeros(shape, dtype=bool)
        lead = _Point(self.problem.start(self.pilot)[0])
        points = [lead] if self.alone else [_Point(theta) for theta in self.problem.start(self.parts)]
        behind: list[Array] = []  # the pilot's last two solutions, for a guess at the next one
        for at in order:
            begin = lead.theta if not behind else behind[-1]
            if len(behind) > 1:
                begin = 2.0 * behind[-1] - behind[-2]
            self._lead(lead, begin, float(l2[at]))
            behind = [*behind[-1:], lead.theta - lead.step if lead.done else lead.theta]
            if not self.alone:
                self._follow(lead, points, float(l2[at]))
            B[at] = self.parts.to_columns(np.stack([point.theta for point in points]))
            gradient[at] = [point.norm for point in points]
            loss[at] = self._data_loss(points, float(l2[at]))
            converged[at] = [point.done for point in points]
        found = PathSolution(B, gradient, loss, converged, self.passes.count, self.history)
        return found if l2.min() > 0 else self._without_penalty(found, l2, points)

    def _without_penalty(self, found: PathSolution, l2: Array, points: list[_Point]) -> PathSolution:
        """Parts whose classes are separated are solved again with a small penalty."""
        torn = [
            g
            for g, point in enumerate(points)
            if (self.alone or point.renewed)
            and separated(self.problem, self.parts.pick(np.array([g])), point.theta)
        ]
        return solved_again(
            found,
            l2,
            torn,
            self.parts,
            lambda some, value: FoldNewton(self.passes, some, self.n_classes, self.tol).path(value),
        )

    def _data_loss(self, points: list[_Point], l2: float) -> Array:
        theta = np.stack([point.theta for point in points])
        squares = (self.parts.penalty[:, None, :] * theta[..., :-1] ** 2).sum(axis=(1, 2))
        return np.asarray([point.loss for point in points] - 0.5 * l2 * squares)

    def _lead(self, lead: _Point, theta: Array, l2: float) -> None:
        """Newton steps of the pilot from θ; second derivatives only when the old ones no longer serve."""
        if self.grams is None:
            self.scale = self.problem.scale(self.parts)
            self.lead_scale = self.scale if self.alone else self.problem.scale(self.pilot)
        lead.done, lead.loss, lead.norm, lead.pairs = False, np.inf, np.inf, []
        factor, previous = None, np.inf
        tol = self.tol if self.alone else max(self.tol, NEAR)
        for _ in range(MOST_PASSES):
            summed, lost = self.passes.fold_gradients(self.pilot.to_columns(theta[None])[0])
            gradient = self.problem.gradient(self.pilot, theta[None], summed.sum(axis=0)[None], l2)[0]
            loss = float(self.problem.value(self.pilot, theta[None], np.array([lost.sum()]), l2)[0])
            if not loss <= lead.loss + SLACK * max(1.0, abs(lead.loss)):  # too far, or not a number
                if not np.isfinite(lead.loss) or np.abs(lead.step).max() < 1e-14:
                    break
                lead.step = lead.step / 2
                theta = lead.theta - lead.step
                continue
            lead.learn(theta, gradient)
            lead.theta, lead.loss, lead.gradient, self.fold_sums = theta, loss, gradient, summed
            lead.norm = float(np.abs(gradient).max() / self.lead_scale[0])
            self.history.append((l2, loss, lead.norm))
            near = lead.norm <= tol
            slow = factor is not None and _passes_left(lead.norm, previous, tol) > FEW + self.price
            if self.grams is None or (near and self.old) or (slow and not near):
                self.grams = self.passes.fold_grams(self.pilot.to_columns(theta[None])[0])
                self.summed = self.grams.sum(axis=0)
                self.old, factor, lead.pairs = False, None, []
            if factor is None and not (near and self.alone):
                factor = self.problem.factor(self.pilot, l2, self.summed)
            if factor is not None:
                lead.step = _step(factor, gradient, lead.pairs)
            if near:
                lead.done = True
                break
            previous = lead.norm
            theta = lead.theta - lead.step

    def _follow(self, lead: _Point, points: list[_Point], l2: float) -> None:
        """All parts from the pilot to their own solutions."""
        first = self._begin(lead, l2)
        for g, theta in enumerate(first + self.correction):
            points[g].theta, points[g].loss, points[g].norm, points[g].done = theta, np.inf, np.inf, False
            points[g].renewed, points[g].pairs = False, []
        tried = [point.theta for point in points]
        live = list(range(len(points)))
        for turn in range(MOST_PASSES):
            some = self.parts.pick(np.array(live))
            theta = np.stack([tried[g] for g in live])
            summed, lost = self.passes.gradients(some.to_columns(theta), some.member)
            gradient = self.problem.gradient(some, theta, summed, l2)
            loss = self.problem.value(some, theta, lost, l2)
            slow = [
                g
                for place, g in enumerate(live)
                if self._accept(points[g], tried, g, theta[place], float(loss[place]), gradient[place])
            ]
            self._renew(points, slow, l2)
            live = [g for g in live if not points[g].done]
            if not live:
                self.old = turn + 1 > self.patience
                break
            for g in live:
                if len(points[g].step) == 0:
                    points[g].step = _step(self.factors[g], points[g].gradient, points[g].pairs)
                tried[g] = points[g].theta - points[g].step
        self.correction = np.stack([point.theta for point in points]) - first

    def _begin(self, lead: _Point, l2: float) -> Array:
        """One Newton step of every part from the pilot's solution: its sums are known fold by fold, no pass needed."""
        assert self.grams is not None
        count = len(self.parts.member)
        mask = self.problem.mask(self.parts)
        theta = np.where(self.problem.start(self.parts) == ABSENT, ABSENT, np.where(mask, lead.theta, 0.0))
        summed = np.einsum("gf,fcp->gcp", self.parts.member.astype(float), self.fold_sums)
        gradient = self.problem.gradient(self.parts, theta, summed, l2)
        self.factors = self.passes.map(lambda g: self._part_factor(g, l2), range(count))
        for g in range(count):
            theta[g] -= _solve(self.factors[g], gradient[g])
        # The pilot may know a class that a part does not, whose weights are then missing in the sum.
        return self.problem.balanced(self.parts, theta)

    def _part_factor(self, g: int, l2: float) -> Array:
        assert self.grams is not None
        folds = self.parts.member[g]
        if 2 * folds.sum() > len(folds):
            grams = self.summed - self.grams[~folds].sum(axis=0)
        else:
            grams = self.grams[folds].sum(axis=0)
        return self.problem.factor(self.parts.pick(np.array([g])), l2, grams)

    def _accept(
        self, point: _Point, tried: list[Array], g: int, theta: Array, loss: float, gradient: Array
    ) -> bool:
        """Take a step that lowers the loss, halve one that does not; whether it went too slowly."""
        if not loss <= point.loss + SLACK * max(1.0, abs(point.loss)):
            if not np.isfinite(point.loss) or np.abs(point.step).max() < 1e-14:
                point.theta, point.step, point.done = tried[g], np.zeros(theta.shape), False
                return True
            point.step = point.step / 2
            return True
        norm = float(np.abs(gradient).max() / self.scale[g])
        slow = np.isfinite(point.norm) and norm > SLOW * point.norm
        point.learn(theta, gradient)
        point.theta, point.loss, point.gradient, point.norm = theta, loss, gradient, norm
        point.step = np.zeros(0)
        point.done = norm <= self.tol
        return slow and not point.done

    def _renew(self, points: list[_Point], slow: list[int], l2: float) -> None:
        """Second derivatives at a part's own weights, for parts that the pilot's serve badly."""
        for g in slow:
            if len(points[g].step) or points[g].done:
                continue
            part = self.parts.pick(np.array([g]))
            grams = self.passes.fold_grams(part.to_columns(points[g].theta[None])[0], part.member[0])
            self.factors[g] = self.problem.factor(part, l2, grams.sum(axis=0))
            points[g].renewed, points[g].pairs = True, []


def _passes_left(norm: float, previous: float, tol: float) -> float:
    """Passes until the gradient is small enough, at the rate of the last one."""
    return math.log(norm / tol) / math.log(previous / norm) if tol < norm < previous else np.inf


def _step(factor: Array, gradient: Array, pairs: list[tuple[Array, Array]]) -> Array:
    """H⁻¹ g, where H is the factorised matrix corrected by what earlier steps taught (Nocedal, 1980)."""
    q, shares = gradient, []
    for moved, bent in reversed(pairs):
        share = float((moved * q).sum() / (moved * bent).sum())
        q = q - share * bent
        shares.append(share)
    out = _solve(factor, q)
    for (moved, bent), share in zip(pairs, reversed(shares), strict=True):
        out = out + moved * (share - float((bent * out).sum() / (moved * bent).sum()))
    return out


def _solve(factor: Array, gradient: Array) -> Array:
    solution, _ = dpotrs(factor, gradient.ravel(), lower=1)
    return np.asarray(solution).reshape(gradient.shape)
