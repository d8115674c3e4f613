"""Errors of figures where rows are not independent: patients measured twice, sentences of one document.

The deviations of a group's rows are added up before they are squared, so that whatever they share is counted:

    variance of a mean = n/(n-1) Σ_g (Σ_{i in g} v_i (x_i - mean))²,    v_i = w_i / Σw,  n = 1 / Σ_g (Σ_{i in g} v_i)²

with Student's quantile for n - 1 degrees of freedom, n being the number of groups where all are of one size (Liang and
Zeger, Biometrika 73, 1986). Groups of one row each are rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from assay.notes import Note
from assay.types import Array

Groups = npt.NDArray[np.integer]
MOST_GAPS = 4  # numbers for each row


class GroupError(NamedTuple):
    """Standard error of a sum over groups, NaN of a single group, and the effective number of groups."""

    error: float
    groups: float


def several(groups: npt.ArrayLike | None, n_rows: int) -> Groups | None:
    """Groups by number, 0 and up, not all of which need occur; None where no two rows share one."""
    if groups is None:
        return None
    labels = np.asarray(groups)
    if labels.shape != (n_rows,):
        raise ValueError(Note("L004", shape=labels.shape, n_rows=n_rows))
    numbered = labels.dtype.kind in "iu" and n_rows > 0 and labels.min() >= 0
    if not numbered or labels.max() > MOST_GAPS * n_rows:  # numbers that are dense need no sorting
        labels = np.unique(labels, return_inverse=True)[1]
    return None if n_rows == 0 or np.bincount(labels).max() == 1 else labels


def group_error(deviations: Array, shares: Array, groups: Groups) -> GroupError:
    """The error of a sum of deviations, each times its row's share of the weight already."""
    size = 1.0 / float((np.bincount(groups, shares) ** 2).sum())
    if not size > 1.0 + 1e-12:
        return GroupError(float("nan"), 1.0)
    scale = float(np.abs(deviations).max()) or 1.0  # losses may be as large as a loss matrix allows
    sums = np.bincount(groups, deviations / scale)
    return GroupError(scale * float(np.sqrt((sums**2).sum() * size / (size - 1.0))), size)


def effective_units(weight: Array | None, groups: Groups | None, n_rows: int) -> float:
    """Rows, or groups where rows share some, of equal weight that carry as much information as these.

    Examples
    --------
    >>> effective_units(None, None, 8), effective_units(None, np.array([0, 0, 1, 1]), 4)
    (8.0, 2.0)
    """
    shares = np.full(n_rows, 1.0 / n_rows) if weight is None else weight / weight.sum()
    together = several(groups, n_rows)
    amount = shares if together is None else np.bincount(together, shares)
    return float(n_rows) if weight is None and together is None else 1.0 / float((amount**2).sum())


def independent_rows(
    wrong: Array, weight: Array | None, groups: Groups, most: float, level: float = 0.95
) -> float:
    """Independent rows, at most so many, that would tell a share as precisely as these groups.

    Where all rows are wrong or all are right nothing shows how alike those of a group are: then groups are counted.

    Examples
    --------
    >>> import numpy as np
    >>> wrong, groups = np.repeat(np.arange(100) % 4 == 0, 5).astype(float), np.repeat(np.arange(100), 5)
    >>> round(independent_rows(wrong, None, groups, 500.0))  # five copies of each row tell no more than one
    97
    """
    shares = np.full(len(wrong), 1.0 / len(wrong)) if weight is None else weight / weight.sum()
    mean = float(shares @ wrong)
    error, size = group_error(shares * (wrong - mean), shares, groups)
    if size <= 1.0:
        return 1.0
    spread = mean * (1.0 - mean)
    upper = 0.5 + level / 2
    few = float(special.ndtri(upper) / special.stdtrit(size - 1.0, upper)) ** 2
    if spread <= 0.0:
        return max(min(most, size * few), 1.0)
    return max(min(most, few * spread / error**2 if error > 0 else most), 1.0)
