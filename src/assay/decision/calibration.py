"""Do rows given probability p turn out right in a share p of cases?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.decision.intervals import wilson_bounds
from assay.decision.measures import check_codes, check_weight
from assay.decision.priors import check_posterior
from assay.notes import Note
from assay.numerics.scalars import is_whole
from assay.types import Array


@dataclass(frozen=True)
class CalibrationBin:
    """One line of a calibration table."""

    lower: float
    upper: float
    count: float
    mean_predicted: float
    observed: float
    low: float
    high: float


@dataclass(frozen=True, eq=False)
class CalibrationTable:
    """Predicted against observed shares, one entry a bin that holds rows.

    Attributes
    ----------
    lower, upper : arrays of shape (B,)
        Edges: a bin holds lower <= p < upper, the last one also p = 1.
    count : array of shape (B,)
        Rows in the bin, or their weight.
    mean_predicted, observed : arrays of shape (B,)
        Mean probability given, and proportion of rows where the event happened.
    low, high : arrays of shape (B,)
        Wilson interval of `observed`.

    Examples
    --------
    >>> table = calibration_table([0, 1], [[0.9, 0.1], [0.7, 0.3]])
    >>> table.mean_predicted, table.observed
    (array([0.7, 0.9]), array([0., 1.]))
    """

    lower: Array
    upper: Array
    count: Array
    mean_predicted: Array
    observed: Array
    low: Array
    high: Array

    @property
    def rows(self) -> list[CalibrationBin]:
        """The table line by line."""
        columns = (
            self.lower,
            self.upper,
            self.count,
            self.mean_predicted,
            self.observed,
            self.low,
            self.high,
        )
        return [CalibrationBin(*line) for line in zip(*(column.tolist() for column in columns), strict=True)]

    @property
    def expected_error(self) -> float:
        """Expected calibration error: mean of |observed - mean predicted| over rows."""
        return float(np.average(np.abs(self.observed - self.mean_predicted), weights=self.count))


def calibration_table(
    codes: npt.ArrayLike,
    posterior: npt.ArrayLike,
    bins: int = 10,
    *,
    of: int | None = None,
    weight: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> CalibrationTable:
    """Compare probabilities with what happened, in bins of equal width.

    Parameters
    ----------
    codes : int array of shape (N,)
        True classes.
    posterior : array of shape (N, K)
    bins : int
        Bins between 0 and 1; empty ones are left out of the table.
    of : int, optional
        Code of the class whose probability is examined.  Without it, the probability of the class predicted
        for each row (the confidence) is compared with the proportion of right predictions.
    weight : array of shape (N,), optional
    level : float
        Level of the Wilson intervals.

    Examples
    --------
    >>> table = calibration_table([0, 1, 1], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]], bins=2)
    >>> table.rows[0].count, round(table.rows[0].mean_predicted, 4), round(table.rows[0].observed, 4)
    (3.0, 0.7667, 0.6667)
    >>> round(table.expected_error, 4)
    0.1
    """
    values = check_posterior(posterior)
    truth = check_codes(codes, *values.shape)
    weights = check_weight(weight, len(values))
    if not is_whole(bins, 1):
        raise ValueError(Note("L001", bins=bins))
    predicted, happened = _event(values, truth, of)
    # k / bins, unlike a multiple of 1 / bins, is the nearest number to what a reader calls 0.3.
    edges = np.arange(bins + 1) / bins
    place = np.clip(np.searchsorted(edges, predicted, side="right") - 1, 0, bins - 1)
    count = _sums(place, weights, bins)
    filled = count > 0
    mean = _sums(place, weights * predicted, bins)[filled] / count[filled]
    observed = _sums(place, weights * happened, bins)[filled] / count[filled]
    # Kish's size of each bin, from shares of the bin's weight: squares of raw weights may underflow.
    share = weights / np.where(filled, count, 1.0)[place]
    low, high = wilson_bounds(observed, 1.0 / _sums(place, share**2, bins)[filled], level)
    return CalibrationTable(edges[:-1][filled], edges[1:][filled], count[filled], mean, observed, low, high)


def _sums(place: npt.NDArray[np.intp], values: Array, bins: int) -> Array:
    """Sum of the values in each bin."""
    return np.bincount(place, weights=values, minlength=bins).astype(np.float64, copy=False)


def _event(
    posterior: Array, codes: npt.NDArray[np.intp], of: int | None
) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Probability of the event examined and whether it happened, for each row."""
    if of is None:
        return posterior.max(axis=1), posterior.argmax(axis=1) == codes
    if not 0 <= of < posterior.shape[1]:
        raise ValueError(Note("L002", class_code=of, last=posterior.shape[1] - 1))
    return posterior[:, of], codes == of
