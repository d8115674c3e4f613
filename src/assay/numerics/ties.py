"""Classes that a row speaks for alike: rounding must not choose between them."""

from __future__ import annotations

import numpy as np

from assay.types import Array

TIE = 1e-12  # share of a score below which a difference is that of rounding


def settle_ties(scores: Array) -> Array:
    """The scores with those made equal that only rounding keeps from being the best of their row, in place.

    Rows that speak as much for one class as for another are then of the first one, in whatever order their words or
    neighbours were added up, and by a fit or by folds together.

    >>> settle_ties(np.array([[-3.0000000000000004, -3.0, -9.0]])).argmax(axis=1)
    array([0])
    """
    best = scores.max(axis=-1, keepdims=True)
    np.copyto(scores, best, where=scores >= best - TIE * np.abs(best))
    return scores
