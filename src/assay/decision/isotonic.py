r"""Scores to probabilities by the best curve that never falls: isotonic regression.

    minimise  Σ_n w_n (t_n - g(s_n))²    over all g with  g(s) <= g(s') where s < s'

Pool adjacent violators (Ayer and others, 1955): rows in the order of their scores, rows of equal score as one; a block
whose mean lies below that of the block before it is merged with it, until none does. Between blocks the curve is a
straight line, beyond the first and the last score it is constant (Zadrozny and Elkan, KDD 2002, use it on scores).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.decision.intervals import effective_size
from assay.types import Array


@dataclass(frozen=True, eq=False)
class IsotonicMap:
    """Knots of K curves, one a class against the rest; `scores[k]` and `values[k]` rise together.

    Attributes
    ----------
    scores, values : tuples of K arrays
    least : float
        No class of any row gets less before the values are divided by their sum: half a row of those learned from,
        1/(2n). A step curve is often exactly 0 or 1, and a single surprise would then make the log loss infinite.

    Examples
    --------
    >>> curve = fit_isotonic(np.array([[-1.0, 1.0], [0.0, 0.0], [2.0, -2.0]]), np.array([1, 0, 0]))
    >>> np.exp(curve.log_posterior(np.array([[-1.0, 1.0], [-0.5, 0.5], [9.0, -9.0]]))).round(3).tolist()
    [[0.167, 0.833], [0.5, 0.5], [0.833, 0.167]]
    """

    scores: tuple[Array, ...]
    values: tuple[Array, ...]
    least: float

    def log_posterior(self, scores: Array) -> Array:
        """Logarithm of the posterior of each row and class, (N, K)."""
        drawn = [
            np.interp(column, knots, values)
            for column, knots, values in zip(scores.T, self.scores, self.values, strict=True)
        ]
        posterior = np.clip(np.stack(drawn, axis=1), self.least, 1.0 - self.least)
        return np.asarray(np.log(posterior / posterior.sum(axis=1, keepdims=True)))


def fit_isotonic(scores: Array, codes: npt.NDArray[np.integer], weight: Array | None = None) -> IsotonicMap:
    """A rising curve for each class, by least squares against 1 for its rows and 0 for the others.

    Parameters
    ----------
    scores : array of shape (N, K)
        Finite scores of rows under a model that did not see them.
    codes : int array of shape (N,)
    weight : array of shape (N,), optional
    """
    weights = np.ones(len(scores)) if weight is None else weight
    curves = [
        pool_adjacent_violators(scores[:, k], (codes == k).astype(np.float64), weights)
        for k in range(scores.shape[1])
    ]
    # Never above 1/(2K): there would be no room for the other classes.
    least = 0.5 / max(effective_size(weights), float(scores.shape[1]))
    return IsotonicMap(tuple(knots for knots, _ in curves), tuple(values for _, values in curves), least)


def pool_adjacent_violators(scores: Array, targets: Array, weight: Array) -> tuple[Array, Array]:
    """Knots of the best rising curve: the first and the last score of each block, and the block's mean.

    Rows of weight 0 do not count.

    >>> pool_adjacent_violators(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4))
    (array([1., 2., 3., 4.]), array([0. , 0.5, 0.5, 1. ]))
    """
    counts = weight > 0
    places, group = np.unique(scores[counts], return_inverse=True)
    score_weight = np.bincount(group, weight[counts]).astype(np.float64, copy=False)
    hits = np.bincount(group, weight[counts] * targets[counts]).astype(np.float64, copy=False)
    first, mass, sums = _merged(score_weight, hits)
    last = np.append(first[1:], len(places)) - 1
    ends = np.stack([first, last], axis=1).ravel()
    values = np.repeat(sums / mass, 2)
    single = np.append(True, ends[1:] != ends[:-1])  # a block of one score has one knot
    return places[ends][single], values[single]


def _merged(mass: Array, sums: Array) -> tuple[npt.NDArray[np.intp], Array, Array]:
    """First place, weight and sum of each block, blocks with rising means; one pass over plain floats."""
    first: list[int] = []
    weights: list[float] = []
    totals: list[float] = []
    for place, (w, t) in enumerate(zip(mass.tolist(), sums.tolist(), strict=True)):
        start = place
        # Means are compared as products: weights are positive.
        while first and totals[-1] * w >= t * weights[-1]:
            start = first.pop()
            w += weights.pop()
            t += totals.pop()
        first.append(start)
        weights.append(w)
        totals.append(t)
    return np.array(first, dtype=np.intp), np.array(weights), np.array(totals)
