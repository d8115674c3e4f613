r"""Logistic regression of many training parts and a whole path of penalties, solved together by Newton's method.

    minimise  (1/N_g) Σ_{n ∈ g} w_n loss(y_n, θ z_n) + (l2 / 2) Σ_j ρ_gj |θ_j|²    for every training part g

One model of all rows, the pilot, leads the way; the parts follow it, each to its own solution. The steps are compiled
(core/logistic/newton.hpp tells how they go): between passes no Python runs. Here the problem is put together, and
classes that turn out to be separated are solved again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.divergence import separated, solved_again
from assay.solvers.logistic_objective import LogisticObjective
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.types import Array


class FoldNewton:
    """Solves all parts along a path; see the module's formula."""

    def __init__(self, passes: Passes, parts: Parts, n_classes: int, tol: float = 1e-6) -> None:
        self.passes, self.parts, self.n_classes, self.tol = passes, parts, n_classes, tol
        self.problem = LogisticObjective(passes, n_classes)
        self.alone = parts.alone

    def path(self, l2: Array, start: Array | None = None) -> PathSolution:
        """Solve for every penalty, the largest first; the results are in the order given.

        start : (1, C, E+1), where a single part of all rows begins; otherwise all begin without features
        """
        shape = (len(l2), len(self.parts))
        B = np.zeros((*shape, self.problem.classes, self.passes.rows.width + 1))
        gradient, loss = np.zeros(shape), np.zeros(shape)
        theta = np.zeros((shape[1], self.problem.classes, self.parts.penalty.shape[1] + 1))
        converged, renewed = np.zeros(shape, dtype=bool), np.zeros(shape[1], dtype=bool)
        before = self.passes.count
        history, passes = _core.logistic.newton_path(
            self.passes.sums, self._given(self.parts), None if self.alone else self._given(self.parts.pilot()),
            l2, self.tol, self.passes.threads, B, gradient, loss, converged, theta, renewed,
            None if start is None else self.problem.begun(self.parts, start)[0],
        )  # fmt: skip
        self.passes.count = before + passes  # whoever made them
        solution = PathSolution(B, gradient, loss, converged, self.passes.count, history)
        return solution if l2.min() > 0 else self._without_penalty(solution, l2, theta, renewed)

    def _given(self, parts: Parts) -> _core.logistic.TrainingParts:
        """Parts as the compiled steps want them."""
        problem, maps = self.problem, parts.maps
        return _core.logistic.TrainingParts(
            parts.share, np.ascontiguousarray(parts.penalty), problem.mask(parts),
            problem.start(parts), problem.weight(parts), None if maps is None else np.ascontiguousarray(maps),
        )  # fmt: skip

    def _without_penalty(
        self, solution: PathSolution, l2: Array, theta: Array, renewed: NDArray[np.bool_]
    ) -> PathSolution:
        """Parts whose classes are separated are solved again with a small penalty."""
        torn = [
            g
            for g in range(len(renewed))
            if (self.alone or renewed[g])
            and separated(self.problem, self.parts.pick(np.array([g])), theta[g])
        ]
        return solved_again(
            solution,
            l2,
            torn,
            self.parts,
            lambda parts, value: FoldNewton(self.passes, parts, self.n_classes, self.tol).path(value),
        )
