"""Figures of a population whose class shares are the given priors, from rows drawn in other shares.

Posteriors are re-weighted, P'(k | x) ∝ P(k | x) · prior_k / trained_k, and a tested row of class k weighs
prior_k / share_k, with share_k the share of class k among the tested rows. A mean over rows is then
Σ_k prior_k · (mean over the tested rows of class k).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.decision import effective_size, independent_rows, several
from assay.notes import Note
from assay.types import Array, Codes, Index, Labels


def row_weights(
    codes: NDArray[np.int32], weight: Array | None, priors: Array, tested: NDArray[np.bool_] | slice
) -> Array:
    """Weight of each row, (N,): its own times prior / share of its class; classes without tested rows weigh 0."""
    before = np.ones(len(codes)) if weight is None else weight
    amount = np.bincount(codes[tested], before[tested], len(priors))
    ratio = np.divide(priors * amount.sum(), amount, out=np.zeros(len(priors)), where=amount > 0)
    return np.asarray(before * ratio[codes])


def untested(
    codes: NDArray[np.int32], rows: Index | None, classes: Labels, priors: Array | None
) -> tuple[Note, ...]:
    """A note for each class that has a prior and no tested row."""
    if priors is None:
        return ()
    tested = np.bincount(codes if rows is None else codes[rows], minlength=len(classes)) > 0
    return tuple(
        Note("P704", str(classes[k]), prior=float(priors[k])) for k in np.flatnonzero(~tested & (priors > 0))
    )


def effective_rows(wrong: Array, weight: Array) -> float:
    """Equally weighted rows that would tell a share as precisely as these.

    The smaller of Kish's number, which knows the weights alone, and of p (1 - p) / Σ w² (x - p)², which sees
    whether the heavy rows are the uncertain ones.
    """
    shares = weight / weight.sum()
    mean = float(shares @ wrong)
    variance, spread = float(shares**2 @ (wrong - mean) ** 2), mean * (1.0 - mean)
    kish = effective_size(weight)
    return min(kish, spread / variance) if variance > 0 and spread > 0 else kish


def share_size(
    wrong: Array, weight: Array | None, groups: Codes | None, uneven: bool, level: float = 0.95
) -> float:
    """Equal, independent rows that would tell the share of wrong ones as precisely as these.

    Parameters
    ----------
    wrong : (N,)
        1 for a row that is wrong, 0 for one that is right, between them where tests of a row differ.
    uneven : bool
        Whether weights go by class, as under priors: heavy rows may be the uncertain ones.
    """
    if weight is None:
        size = float(len(wrong))
    else:
        size = effective_rows(wrong, weight) if uneven else effective_size(weight)
    together = several(groups, len(wrong))
    return size if together is None else independent_rows(wrong, weight, together, size, level)
