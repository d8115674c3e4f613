r"""What spoke for a prediction: the score of a class against the runner-up, as a sum over columns of the table.

linear      score_a - score_b = (b_a - b_b) + Σ_j (w_aj - w_bj) (x_j - c_j)
diagonal    score_a - score_b = ln P(a)/P(b) + Σ_j ln p(x_j | a) / p(x_j | b)

Both are identities of the model, not approximations, so the contributions add up to the difference. A model whose
columns act together (a covariance of its own for each class, trees) has no such sum, and none is made up for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data import Table
from assay.models.forms import Diagonal, Linear

Array = NDArray[np.float64]
LOG_2PI = float(np.log(2.0 * np.pi))


@dataclass(frozen=True)
class Contribution:
    """One column of the table: its value in the row, and what it adds to the difference."""

    column: str
    value: str
    amount: float


@dataclass(frozen=True)
class Explanation:
    """Why one row was given its class: start + Σ contributions = difference.

    Attributes
    ----------
    row : int
        The first row is 1.
    unit : str
        "log odds" of a model with posteriors, "score" of one without.
    start : float
        What is there before any column is looked at; `start_meaning` says what it is.
    contributions : tuple of Contribution
        The weightiest first; positive amounts speak for the predicted class.
    posterior : dict or None
        Of every class, if the model gives posteriors.
    """

    row: int
    predicted: str
    runner_up: str
    unit: str
    difference: float
    start: float
    start_meaning: str
    meaning: str
    contributions: tuple[Contribution, ...]
    posterior: dict[str, float] | None


@dataclass(frozen=True)
class _Parts:
    """Score differences of one row as a sum: what comes first, and one amount for each design column."""

    start: float
    amounts: Array
    start_meaning: str


def difference_parts(form: Any, x: Array, a: int, b: int) -> _Parts:
    """Score of class a less that of class b for one row of the design, in parts.

    Examples
    --------
    >>> form = Linear(np.zeros((1, 2)), np.array([[[1.0, 0.0], [0.0, 2.0]]]), np.array([[0.5, 0.0]]))
    >>> parts = difference_parts(form, np.array([3.0, 1.0]), 0, 1)
    >>> parts.start, parts.amounts.tolist()
    (0.5, [3.0, -2.0])
    """
    if isinstance(form, Linear):
        amounts = (form.weights[0, a] - form.weights[0, b]) * (x - form.center[0])
        return _Parts(float(form.bias[0, a] - form.bias[0, b]), amounts, "an average row")
    precision = form.precision[0, [a, b]]
    there = (precision > 0) & ~np.isnan(x)
    log_factor = np.zeros_like(precision)
    np.log(precision, out=log_factor, where=precision > 0)
    log_factor = np.where(precision > 0, 0.5 * (log_factor - LOG_2PI), 0.0)
    distance = np.where(there, x - form.mean[0, [a, b]], 0.0)
    densities = np.where(there, log_factor - 0.5 * precision * distance**2, 0.0)
    # The bias holds the factors of all columns; those of a column without a value are no evidence either way.
    start = (form.bias[0, a] - log_factor[0].sum()) - (form.bias[0, b] - log_factor[1].sum())
    return _Parts(float(start), densities[0] - densities[1], "shares of the classes")
