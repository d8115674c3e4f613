r"""Classes that can be separated: the best weights are infinite, and Newton's method walks towards them for ever.

Along the way the gradient vanishes, since every row is ever more certain, but the Newton step d = H⁻¹ g does not. If
the scores of d are right, or neutral, for every row, it is a direction that improves without end: a certificate that
the classes are separated, completely or in part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.linalg.lapack import dpotrs

from assay.solvers.logistic_objective import LogisticObjective
from assay.solvers.parts import Parts
from assay.solvers.result import PathSolution
from assay.types import Array

SEPARATED = 1e-4  # penalty, in units of the columns' deviations, where the best weights would be infinite
STEP = 0.1  # scores that a Newton step still changes by this much have not settled
NEUTRAL = 1e-3  # share of the largest score that counts as none


def solved_again(
    solution: PathSolution,
    l2: Array,
    torn: list[int],
    parts: Parts,
    solve: Callable[[Parts, Array], PathSolution],
) -> PathSolution:
    """The solutions without a penalty, those of the parts that are torn solved with a small one instead."""
    flags = np.zeros(solution.converged.shape, dtype=bool)
    if torn:
        subset = parts.pick(np.array(torn))
        again = solve(replace(subset, penalty=np.ones(subset.penalty.shape)), np.array([SEPARATED]))
        for at in np.flatnonzero(l2 == 0):
            flags[at, torn] = True
            solution.B[at, torn], solution.gradient[at, torn] = again.B[0], again.gradient[0]
            solution.loss[at, torn], solution.converged[at, torn] = again.loss[0], again.converged[0]
        if len(solution.gradient[0]) == 1:  # a single part: its history goes on
            solution.history.extend(again.history)
    return replace(solution, separated=flags)


def separated(problem: LogisticObjective, part: Parts, theta: Array) -> bool:
    """Whether the rows of a single part are separated, seen from weights θ (C, E+1) with a small gradient."""
    passes, folds = problem.passes, part.trained[0]
    B = part.to_columns(theta[None])
    least, _ = passes.margins(B[0], folds)
    if least > 0:
        return True
    summed, _ = passes.gradients(B, part.share)
    gradient = problem.gradient(part, theta[None], summed, 0.0)[0]
    factor = problem.factor(
        part, (part.share[0][:, None, None, None] * passes.fold_grams(B[0], folds)).sum(axis=0)
    )
    step = -np.asarray(dpotrs(factor, gradient.ravel(), lower=1)[0]).reshape(gradient.shape)
    least, largest = passes.margins(part.to_columns(step[None])[0], folds)
    return largest > STEP and least >= -NEUTRAL * largest
