"""Newton steps of many training parts: their second derivatives, factorised for one penalty after the other.

The second derivatives without a penalty are put together once and kept; a new penalty changes their diagonal alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.solvers.logistic_objective import LogisticObjective
from assay.solvers.parts import Parts

Array = NDArray[np.float64]
MOST_LIFTS = 20


class PartFactors:
    """Cholesky factors of the second derivatives of every part."""

    def __init__(self, problem: LogisticObjective, parts: Parts) -> None:
        self.problem, self.parts = problem, parts
        self.threads = problem.passes.threads
        self.free = problem.mask(parts).reshape(len(parts.member), -1)
        count, size = self.free.shape
        self._hessian = np.empty((count, size, size))
        self._factor = np.empty((count, _core.factor_size(size)))
        self._penalty = np.tile(np.append(parts.penalty, np.zeros((count, 1)), axis=1), (1, problem.classes))
        self.lifted = False  # whether a matrix was singular to rounding

    def renew(self, grams: Array, summed: Array) -> None:
        """Second derivatives of all parts from sums of each fold (F, pairs, P+1, P+1), and of all folds."""

        def of_part(g: int) -> None:
            folds = self.parts.member[g]
            few = 2 * folds.sum() <= len(folds)
            sums = grams[folds].sum(axis=0) if few else summed - grams[~folds].sum(axis=0)
            self.renew_part(g, sums)

        self.problem.passes.map(of_part, range(len(self.parts.member)))

    def renew_part(self, g: int, sums: Array) -> None:
        """Second derivatives of one part from sums (pairs, P+1, P+1)."""
        self._hessian[g] = self.problem.hessian(self.parts.pick(np.array([g])), sums)

    def factorise(self, l2: float, which: NDArray[np.intp] | None = None) -> None:
        """Factors for a penalty; a matrix that is singular to rounding is lifted, which only shortens the step."""
        which = np.arange(len(self.free)) if which is None else which
        every = len(which) == len(self.free)
        hessian = self._hessian if every else self._hessian[which]
        diagonal = np.where(self.free[which], l2 * self._penalty[which], 0.0)
        factor = self._factor if every else np.empty((len(which), self._factor.shape[1]))
        good = np.zeros(len(which), dtype=bool)
        largest = np.einsum("gii->gi", hessian).max(axis=1, keepdims=True)
        lift = 1e-15
        for _ in range(MOST_LIFTS):
            _core.cholesky_factors(hessian, diagonal, self.threads, factor, good)
            if good.all():
                if not every:
                    self._factor[which] = factor
                return
            lift, self.lifted = 10 * lift, True
            diagonal = diagonal + np.where(good, 0.0, lift)[:, None] * np.maximum(largest, 1e-300)
        raise ValueError("The second derivatives are not finite; rescale the columns.")

    def solve(self, which: NDArray[np.intp], right: Array) -> Array:
        """H⁻¹ of these parts times right-hand sides (G, C, E+1)."""
        out = right.reshape(len(right), self.free.shape[1]).copy()
        _core.cholesky_solve(self._factor, np.asarray(which, dtype=np.int64), self.threads, out)
        return out.reshape(right.shape)
