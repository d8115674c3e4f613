"""Many classes from pairs of them: the class that wins most pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.types import Array

Pairs = list[tuple[int, int]]


def pairs_of(present: NDArray[np.intp]) -> Pairs:
    """Every pair of classes, the first before the second."""
    return [(int(j), int(k)) for j, k in combinations(present, 2)]


def voted(margins: Array, pairs: Pairs, n_classes: int) -> Array:
    """Scores (N, K) from margins (N, P) of the second class of each pair against the first; -inf in no pair.

    Of two classes, ∓f/2. Of more, the votes, and less than a third of a vote by the sum of the class's margins: they
    decide between equal votes and never against a vote.
    """
    scores = np.full((len(margins), n_classes), -np.inf)
    present = sorted({k for pair in pairs for k in pair})
    if len(pairs) == 1:
        scores[:, present] = margins * np.array([-0.5, 0.5])
        return scores
    votes, sums = np.zeros(scores.shape), np.zeros(scores.shape)
    for (j, k), f in zip(pairs, margins.T, strict=True):
        votes[:, k] += f > 0
        votes[:, j] += f <= 0
        sums[:, k] += f
        sums[:, j] -= f
    scores[:, present] = (votes + sums / (3.0 * (np.abs(sums) + 1.0)))[:, present]
    return scores
