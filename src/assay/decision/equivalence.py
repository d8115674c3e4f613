"""Is a difference large enough to matter? The probability that it is, that it is not, and that it points the other way.

With a flat prior the true mean difference δ, given the differences of J splits, is Student's t with J - 1 degrees of
freedom about their mean; its scale is that of the corrected resampled t-test, (1/J + n_test/n_train) s², because splits
share training rows (Corani and Benavoli, *Machine Learning* 100, 2015). The region of practical equivalence is
[-margin, margin].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from assay.notes import Note


class Practical(NamedTuple):
    """Probabilities that the difference is below the region, within it and above it."""

    below: float
    within: float
    above: float
    margin: float


def practical(mean: float, standard_error: float, freedom: float, margin: float = 0.01) -> Practical:
    """Probabilities of the three places of a difference, from its mean and standard error.

    Parameters
    ----------
    mean, standard_error : float
        As `corrected_resampled_t` or `t_interval` give them.
    freedom : float
        Degrees of freedom: splits (rows) less one.
    margin : float
        Differences up to here do not matter.

    Examples
    --------
    >>> [round(p, 3) for p in practical(0.0, 0.01, 9, margin=0.01)[:3]]
    [0.172, 0.657, 0.172]
    >>> practical(0.02, 0.0, 9, margin=0.01)[:3]
    (0.0, 0.0, 1.0)
    """
    if not (np.isfinite(margin) and margin >= 0):
        raise ValueError(Note("L003", margin=margin))
    if standard_error == 0.0:
        below, above = float(mean < -margin), float(mean > margin)
    else:
        below = float(special.stdtr(freedom, (-margin - mean) / standard_error))
        above = float(special.stdtr(freedom, (mean - margin) / standard_error))
    return Practical(below, max(0.0, 1.0 - below - above), above, margin)
