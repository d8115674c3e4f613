"""Class scores of independent normal features, from their variances."""

from __future__ import annotations

import numpy as np

from assay.sharing.forms import Diagonal
from assay.statistics import Moments
from assay.statistics.variances import LOG_2PI, Variances
from assay.types import Array


def diagonal_form(m: Moments, v: Variances, log_prior: Array, *, marginal: bool = False) -> Diagonal:
    """Class scores of independent normal features."""
    active = (v.scale > 0)[..., None, :]
    precision = np.where(active, 1.0 / v.values, 0.0)
    log_factor = np.where(active, -0.5 * (LOG_2PI + np.log(v.values)), 0.0)
    return Diagonal(m.mean, precision, log_prior + log_factor.sum(axis=-1), marginal)
