"""How far a measured figure may be from the truth: one interval for each kind of figure.

They take tested rows as independent, or groups of rows where these are given. Models of different folds share training
rows: the corrected resampled t-test is made for that, and `instability` widens the intervals of procedures that choose.

Weighted rows count as ``(Σw)² / Σw²`` rows (Kish), which does not depend on the scale of the weights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from assay.decision.grouped import group_error, several
from assay.decision.measures import check_scores, check_weight, placements, present_classes
from assay.notes import Note
from assay.types import Array

SMALLEST = float(np.finfo(np.float64).tiny)


class Interval(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


class Estimate(NamedTuple):
    """A figure, its standard error and its interval."""

    value: float
    standard_error: float
    interval: Interval


class ResampledT(NamedTuple):
    """Result of the corrected resampled t-test."""

    mean: float
    standard_error: float
    t: float
    p_value: float
    interval: Interval


def effective_size(weight: npt.ArrayLike) -> float:
    """Number of equally weighted rows that carry as much information as these weights, ``(Σw)² / Σw²``.

    Examples
    --------
    >>> effective_size([2, 2, 2, 2]), effective_size([1, 0])
    (4.0, 1.0)
    """
    weights = check_weight(weight, np.size(weight))
    weights = weights / weights.max()
    return float(weights.sum() ** 2 / (weights**2).sum())


def wilson(errors: float, n: float, level: float = 0.95) -> Interval:
    """Wilson's score interval for a share, from `errors` among `n` rows.

    Neither needs to be whole: where repeats test a row several times, the row's own mean error counts once.

    Examples
    --------
    >>> low, high = wilson(0, 10)
    >>> low, round(high, 4)
    (0.0, 0.2775)
    """
    if not (np.isfinite(n) and n > 0):
        raise ValueError(Note("L005", n=n))
    if not 0 <= errors <= n:
        raise ValueError(Note("L006", errors=errors, n=n))
    low, high = wilson_bounds(np.array([errors / n]), np.array([float(n)]), level)
    return Interval(float(low[0]), float(high[0]))


def wilson_bounds(share: Array, n: Array, level: float = 0.95) -> tuple[Array, Array]:
    """Lower and upper ends of Wilson's interval for many shares at once."""
    z = float(special.ndtri(_upper(level)))
    scale = 1.0 + z**2 / n
    center = (share + z**2 / (2 * n)) / scale
    half = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / scale
    # At the ends the formula is exact on paper and off by rounding in floating point.
    low = np.where(share == 0, 0.0, np.maximum(center - half, 0.0))
    high = np.where(share == 1, 1.0, np.minimum(center + half, 1.0))
    return low, high


def t_interval(
    values: npt.ArrayLike,
    weight: npt.ArrayLike | None = None,
    level: float = 0.95,
    groups: npt.ArrayLike | None = None,
) -> Estimate:
    """Mean of one value a row, with Student's interval; for mean loss, log loss and Brier score.

    With `groups`, rows of one group may depend on each other; of a single group nothing is known but the mean.

    Examples
    --------
    >>> estimate = t_interval([1.0, 2.0, 3.0])
    >>> estimate.value, round(estimate.standard_error, 4), round(estimate.interval.low, 4)
    (2.0, 0.5774, -0.4841)
    """
    rows = _finite_row(values, "values")
    weights = check_weight(weight, len(rows))
    n = effective_size(weights)
    if not n > 1:
        raise ValueError(Note("L007"))
    weights = weights / weights.sum()
    mean = float(weights @ rows)
    # Losses may be as large as the loss matrix allows: the deviations are scaled before they are squared.
    deviations = rows - mean
    together = several(groups, len(rows))
    if together is not None:
        error, n = group_error(weights * deviations, weights, together)
        if not n > 1:
            return Estimate(mean, error, Interval(-np.inf, np.inf))
        reach = float(special.stdtrit(n - 1, _upper(level))) * error
        return Estimate(mean, error, Interval(mean - reach, mean + reach))
    scale = float(np.abs(deviations).max()) or 1.0
    error = scale * float(np.sqrt(weights**2 @ (deviations / scale) ** 2 * n / (n - 1)))
    reach = float(special.stdtrit(n - 1, _upper(level))) * error
    return Estimate(mean, error, Interval(mean - reach, mean + reach))


def delong(
    codes: npt.ArrayLike,
    scores: npt.ArrayLike,
    weight: npt.ArrayLike | None = None,
    level: float = 0.95,
    groups: npt.ArrayLike | None = None,
) -> Estimate:
    """Area under the ROC curve with DeLong's standard error, in O(N log N) (Biometrics 44, 1988).

    Three and more classes: the mean of the one-vs-rest areas, as :func:`assay.decision.auc` gives it, its
    error from the same placements summed over the classes, so that their correlation is counted.  Every class
    present needs two rows.  Perfectly ordered rows have standard error 0 and an interval of length 0.

    Parameters
    ----------
    codes : int array of shape (N,)
    scores : array of shape (N,) or (N, 2) for two classes, (N, K) for more
    weight : array of shape (N,), optional
    level : float
    groups : array of shape (N,), optional
        Rows of one group may depend on each other (Obuchowski, Biometrics 53, 1997).

    Examples
    --------
    >>> estimate = delong([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> estimate.value, round(estimate.standard_error, 4)
    (0.75, 0.3536)
    """
    truth, columns, weights = check_scores(codes, scores, weight)
    present = present_classes(truth, weights)
    weights = weights / weights.sum()
    targets = [(1, 0)] if columns.shape[1] == 1 else [(k, k) for k in present]
    area = 0.0
    influence = np.zeros(len(truth))
    for k, column in targets:
        positive = truth == k
        placed = placements(positive, columns[:, column], weights)
        mass = float(weights[positive].sum())
        area += float(weights[positive] @ placed[positive]) / mass / len(targets)
        influence += placed / np.where(positive, mass, 1.0 - mass) / len(targets)
    error = float(np.sqrt(sum(_class_variance(influence, truth == k, weights, k) for k in present)))
    reach = float(special.ndtri(_upper(level))) * error
    together = several(groups, len(truth))
    if together is not None:
        mean = np.bincount(truth, weights * influence) / np.maximum(np.bincount(truth, weights), SMALLEST)
        error, n = group_error(weights * (influence - mean[truth]), weights, together)
        reach = float(special.stdtrit(n - 1, _upper(level))) * error if n > 1 else np.inf
    area = min(area, 1.0)
    return Estimate(area, error, Interval(max(area - reach, 0.0), min(area + reach, 1.0)))


def corrected_resampled_t(
    differences: npt.ArrayLike, n_train: float, n_test: float, level: float = 0.95
) -> ResampledT:
    """Nadeau and Bengio's t-test of the mean difference over splits (Machine Learning 52, 2003).

    The splits share training rows, so the variance of their mean is not s²/J; it is taken as
    ``(1/J + n_test/n_train) s²``.  Differences that are all equal have standard error 0: t is 0 and p is 1 if
    they are 0, otherwise t is infinite and p is 0.

    Parameters
    ----------
    differences : array of shape (J,)
        Measure of one model less that of the other, one a split.
    n_train, n_test : float
        Rows trained on and tested in a split.

    Examples
    --------
    >>> test = corrected_resampled_t([0.1, 0.2, 0.3], n_train=90, n_test=10)
    >>> round(test.t, 4), round(test.p_value, 4)
    (3.0, 0.0955)
    """
    rows = _finite_row(differences, "differences")
    if len(rows) < 2:
        raise ValueError(Note("L008"))
    if not (np.isfinite(n_train) and np.isfinite(n_test) and n_train > 0 and n_test > 0):
        raise ValueError(Note("L009", n_train=n_train, n_test=n_test))
    mean = float(rows.mean())
    variance = 0.0 if (rows == rows[0]).all() else float(rows.var(ddof=1))
    error = float(np.sqrt((1 / len(rows) + n_test / n_train) * variance))
    t = mean / error if error > 0 else (float(np.copysign(np.inf, mean)) if mean != 0 else 0.0)
    p_value = float(2 * special.stdtr(len(rows) - 1, -abs(t)))
    reach = float(special.stdtrit(len(rows) - 1, _upper(level))) * error
    return ResampledT(mean, error, t, p_value, Interval(mean - reach, mean + reach))


def _upper(level: float) -> float:
    """The quantile above which half of the excluded probability lies."""
    if not 0 < level < 1:
        raise ValueError(Note("L010", confidence=level))
    return 0.5 + level / 2


def _finite_row(values: npt.ArrayLike, name: str) -> Array:
    """One finite number a row, shape (N,), N at least 1."""
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim != 1 or len(rows) == 0:
        raise ValueError(Note("L011", name=name, shape=rows.shape))
    for i in np.flatnonzero(~np.isfinite(rows))[:1]:
        raise ValueError(Note("L012", row=i, name=name, value=rows[i]))
    return rows


def _class_variance(influence: Array, member: npt.NDArray[np.bool_], weight: Array, code: int) -> float:
    """Variance of the weighted sum of one class's influences, the class's weight being given."""
    weights, values = weight[member], influence[member]
    n = effective_size(weights)
    if not n > 1:
        raise ValueError(Note("L013", class_code=code))
    mean = float(weights @ values) / float(weights.sum())
    return float(weights**2 @ (values - mean) ** 2) * n / (n - 1)
