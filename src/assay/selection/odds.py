"""Scores to rank rows by: posteriors of 0 and 1, too, have an order as log odds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def log_odds(log_posterior: Array) -> Array:
    """Log odds of each class against the rest, (M, K), finite.

    >>> log_odds(np.log([[0.5, 0.25, 0.25]])).round(4).tolist()
    [[0.0, -1.0986, -1.0986]]
    """
    rest = [
        np.logaddexp.reduce(np.delete(log_posterior, k, axis=1), axis=1)
        for k in range(log_posterior.shape[1])
    ]
    return np.asarray(
        np.clip(log_posterior - np.stack(rest, axis=1), -1e300, 1e300)
    )  # a class never seen has -inf
