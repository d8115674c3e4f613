"""How good decisions and posteriors were, from the true classes: every figure is a function of arrays.

Codes are class indices 0 to K-1.  A predicted code of -1 is a rejected row: it is neither right nor wrong,
and error rates and confusion tables leave it out.  Weights count rows: weight 2 is the row twice.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.decision.loss import LossMatrix
from assay.decision.priors import check_log_posterior, check_posterior
from assay.notes import Note
from assay.types import Array

IntArray = npt.NDArray[np.intp]
# A class that training never saw has probability 0; it is charged as the smallest normal number.
LOG_FLOOR = float(np.log(np.finfo(np.float64).tiny))


class LogLoss(NamedTuple):
    """Mean of ``-log P(true class)`` and the number of rows where that probability was 0 and was clipped."""

    value: float
    n_clipped: int


def check_codes(codes: npt.ArrayLike, n_rows: int, n_classes: int, *, rejected: bool = False) -> IntArray:
    """The codes as integers of shape (n_rows,), from 0 (-1 if `rejected` are allowed) to n_classes - 1."""
    values = np.asarray(codes)
    if values.dtype.kind not in "iu":
        raise ValueError(Note("L035", dtype=values.dtype, last=n_classes - 1))
    if values.shape != (n_rows,):
        raise ValueError(Note("L036", shape=values.shape, n_rows=n_rows))
    lowest = -1 if rejected else 0
    if n_rows and (values.min() < lowest or values.max() >= n_classes):
        i = np.flatnonzero((values < lowest) | (values >= n_classes))[0]
        raise ValueError(Note("L037", row=i, class_code=values[i], lowest=lowest, last=n_classes - 1))
    return values.astype(np.intp, copy=False)


def check_weight(weight: npt.ArrayLike | None, n_rows: int) -> Array:
    """The weights as float64 of shape (n_rows,), ones for None; finite, none negative, not all 0."""
    if weight is None:
        return np.ones(n_rows)
    values = np.asarray(weight, dtype=np.float64)
    if values.shape != (n_rows,):
        raise ValueError(Note("L038", shape=values.shape, n_rows=n_rows))
    for i in np.flatnonzero(~(np.isfinite(values) & (values >= 0)))[:1]:
        raise ValueError(Note("L039", row=i, weight=values[i]))
    total = float(values.sum())
    if total == 0 or total == np.inf:
        raise ValueError(Note("L040", total=total))
    return values


def error_rate(codes: npt.ArrayLike, predicted: npt.ArrayLike, weight: npt.ArrayLike | None = None) -> float:
    """Proportion of wrong predictions among the rows that were not rejected.

    Examples
    --------
    >>> error_rate([0, 1, 1, 0], [0, 1, 0, -1]) == 1 / 3
    True
    """
    truth, guess, weights = _pairs(codes, predicted, None, weight)
    return float(weights[truth != guess].sum() / weights.sum())


def confusion(
    codes: npt.ArrayLike, predicted: npt.ArrayLike, n_classes: int, weight: npt.ArrayLike | None = None
) -> Array:
    """Weight (without weights: number) of rows by true class (row) and predicted class (column).

    Examples
    --------
    >>> confusion([0, 0, 1, 1], [0, 1, 1, 1], 2)
    array([[1., 1.],
           [0., 2.]])
    """
    truth, guess, weights = _pairs(codes, predicted, n_classes, weight)
    return _crosstab(truth, guess, weights, n_classes)


def error_by_cell(
    codes: npt.ArrayLike, predicted: npt.ArrayLike, n_classes: int, weight: npt.ArrayLike | None = None
) -> Array:
    """P(true class is the row's and the prediction the column's) for each kind of error.

    The diagonal is 0, and the cells sum to the error rate.

    Examples
    --------
    >>> error_by_cell([0, 0, 1, 1], [0, 1, 1, 1], 2)
    array([[0.  , 0.25],
           [0.  , 0.  ]])
    """
    counts = confusion(codes, predicted, n_classes, weight)
    total = counts.sum()
    np.fill_diagonal(counts, 0.0)
    shares: Array = counts / total
    return shares


def row_losses(codes: npt.ArrayLike, action_codes: npt.ArrayLike, loss: LossMatrix | npt.ArrayLike) -> Array:
    """Loss of the action (a column of `loss`) taken for each row, shape (N,).

    Examples
    --------
    >>> row_losses([0, 1], [1, 1], [[0, 4], [1, 0]])
    array([4., 0.])
    """
    values = np.asarray(loss.values if isinstance(loss, LossMatrix) else loss, dtype=np.float64)
    if values.ndim != 2:
        raise ValueError(Note("L015", n_axes=values.ndim))
    n_rows = len(np.atleast_1d(codes))
    truth = check_codes(codes, n_rows, values.shape[0])
    taken = np.asarray(action_codes)
    if taken.shape != (n_rows,) or taken.dtype.kind not in "iu":
        raise ValueError(Note("L041", n_rows=n_rows))
    for i in np.flatnonzero((taken < 0) | (taken >= values.shape[1]))[:1]:
        raise ValueError(Note("L042", row=i, action=taken[i], last=values.shape[1] - 1))
    taken_losses: Array = values[truth, taken]
    return taken_losses


def mean_loss(
    codes: npt.ArrayLike,
    action_codes: npt.ArrayLike,
    loss: LossMatrix | npt.ArrayLike,
    weight: npt.ArrayLike | None = None,
) -> float:
    """Mean loss of the actions taken; zero-one loss gives the error rate.

    `action_codes` are columns of `loss` (``Decision.action_codes``), not class codes.

    Examples
    --------
    >>> mean_loss([0, 1], [1, 1], [[0, 4], [1, 0]])
    2.0
    """
    return _mean(row_losses(codes, action_codes, loss), weight)


def row_log_losses(codes: npt.ArrayLike, log_posterior: npt.ArrayLike) -> tuple[Array, int]:
    """``-log P(true class)`` of each row, and how many rows had probability 0 and were clipped.

    Examples
    --------
    >>> losses, n_clipped = row_log_losses([0, 1], [[-0.5, -0.9327521], [0.0, -float("inf")]])
    >>> losses.round(4).tolist(), n_clipped
    ([0.5, 708.3964], 1)
    """
    values = check_log_posterior(log_posterior)
    truth = check_codes(codes, *values.shape)
    chosen = values[np.arange(len(values)), truth]
    impossible = np.isneginf(chosen)
    chosen[impossible] = LOG_FLOOR
    return -chosen, int(impossible.sum())


def log_loss(
    codes: npt.ArrayLike, log_posterior: npt.ArrayLike, weight: npt.ArrayLike | None = None
) -> LogLoss:
    """Mean of ``-log P(true class)``, natural logarithm, from the log posterior.

    A true class of probability 0 (never seen in training) is charged 708.4 and counted in `n_clipped`.

    Examples
    --------
    >>> log_loss([0, 1], [[-0.25, -1.5], [-1.0, -0.5]])
    LogLoss(value=0.375, n_clipped=0)
    """
    losses, n_clipped = row_log_losses(codes, log_posterior)
    return LogLoss(_mean(losses, weight), n_clipped)


def row_briers(codes: npt.ArrayLike, posterior: npt.ArrayLike) -> Array:
    """Squared distance of each row's posterior from the truth, shape (N,).

    Examples
    --------
    >>> row_briers([0, 1], [[1.0, 0.0], [0.5, 0.5]])
    array([0. , 0.5])
    """
    values = check_posterior(posterior)
    truth = check_codes(codes, *values.shape)
    chosen = values[np.arange(len(values)), truth]
    others = np.maximum(np.einsum("nk,nk->n", values, values) - chosen**2, 0.0)
    distances: Array = others + (1.0 - chosen) ** 2
    return distances


def brier(codes: npt.ArrayLike, posterior: npt.ArrayLike, weight: npt.ArrayLike | None = None) -> float:
    """Mean of ``Σ_k (P(k | x) - [k is true])²``, summed over all classes: from 0 to 2.

    For two classes this is twice scikit-learn's `brier_score_loss`, which looks at the column of one class alone.

    Examples
    --------
    >>> brier([0, 1], [[1.0, 0.0], [0.5, 0.5]])
    0.25
    """
    return _mean(row_briers(codes, posterior), weight)


def placements(positive: npt.NDArray[np.bool_], score: Array, weight: Array) -> Array:
    """For each row the share (by weight) of the other group that it stands rightly to; ties are half.

    A positive row is right above a negative one, a negative row below a positive one.
    """
    order, starts = _runs(score)
    run = np.empty(len(score), dtype=np.intp)
    run[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(score))))
    result = np.empty(len(score))
    for group in (True, False):
        members, others = positive == group, positive != group
        tied = np.bincount(run[others], weights=weight[others], minlength=len(starts))
        below = np.cumsum(tied) - 0.5 * tied
        total = tied.sum()
        share = below / total
        result[members] = share[run[members]] if group else 1.0 - share[run[members]]
    return result


def auc(
    codes: npt.ArrayLike,
    scores: npt.ArrayLike,
    weight: npt.ArrayLike | None = None,
    *,
    average: Literal["one_vs_rest", "one_vs_one"] = "one_vs_rest",
) -> float:
    """Area under the ROC curve: the chance that a row of a class scores above another row; ties half.

    Parameters
    ----------
    codes : int array of shape (N,)
    scores : array of shape (N, K), or (N,) for two classes
        Posterior, log posterior or any score that grows with the class; of two columns the second is used.
    weight : array of shape (N,), optional
    average : {"one_vs_rest", "one_vs_one"}
        Three and more classes: the mean over the classes present of each against the rest, or Hand and Till's
        mean over pairs of classes (Machine Learning 45, 2001).

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    truth, values, weights = check_scores(codes, scores, weight)
    present = present_classes(truth, weights)
    if average not in ("one_vs_rest", "one_vs_one"):
        raise ValueError(Note("L043", average=average))
    if values.shape[1] == 1:
        return _area(truth == 1, values[:, 0], weights)
    if average == "one_vs_rest":
        return float(np.mean([_area(truth == k, values[:, k], weights) for k in present]))
    areas = []
    for pair in combinations(present, 2):
        rows = np.flatnonzero(np.isin(truth, pair))
        areas += [_area(truth[rows] == k, values[rows, k], weights[rows]) for k in pair]
    return float(np.mean(areas))


def check_scores(
    codes: npt.ArrayLike, scores: npt.ArrayLike, weight: npt.ArrayLike | None
) -> tuple[IntArray, Array, Array]:
    """Codes, scores (N, K) or, for two classes, (N, 1), and weights; no NaN."""
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim not in (1, 2) or 0 in values.shape:
        raise ValueError(Note("L044", shape=values.shape))
    n_classes = max(values.shape[1], 2) if values.ndim == 2 else 2
    columns = values[:, 1:] if values.shape[1:] == (2,) else values.reshape(len(values), -1)
    for i in np.flatnonzero(np.isnan(columns).any(axis=1))[:1]:
        raise ValueError(Note("L045", row=i))
    return check_codes(codes, len(values), n_classes), columns, check_weight(weight, len(values))


def present_classes(codes: IntArray, weight: Array) -> list[int]:
    """Codes of the classes that have weight; at least two."""
    present = np.flatnonzero(np.bincount(codes, weights=weight))
    if len(present) < 2:
        raise ValueError(Note("L046", label=present[0]))
    return [int(k) for k in present]


def _runs(score: Array) -> tuple[IntArray, IntArray]:
    """The order of the scores, and where each run of equal ones starts in it."""
    order = np.argsort(score)
    ranked = score[order]
    return order, np.flatnonzero(np.append(True, ranked[1:] != ranked[:-1]))


def _area(positive: npt.NDArray[np.bool_], score: Array, weight: Array) -> float:
    """Proportion of (positive, negative) pairs in the right order: the mean placement, not one for each row."""
    order, starts = _runs(score)
    sign, ranked = positive[order], weight[order]
    inside = np.add.reduceat(ranked * sign, starts)
    outside = np.add.reduceat(ranked * ~sign, starts)
    inside, outside = inside / inside.sum(), outside / outside.sum()
    return min(float(inside @ (np.cumsum(outside) - 0.5 * outside)), 1.0)


def _mean(values: Array, weight: npt.ArrayLike | None) -> float:
    """Weighted mean over rows."""
    if weight is None:
        return float(values.mean())
    return float(np.average(values, weights=check_weight(weight, len(values))))


def _crosstab(truth: IntArray, guess: IntArray, weight: Array, n_classes: int) -> Array:
    """Sums of weight by (truth, guess)."""
    cells = np.bincount(truth * n_classes + guess, weights=weight, minlength=n_classes * n_classes)
    return cells.astype(np.float64, copy=False).reshape(n_classes, n_classes)


def _pairs(
    codes: npt.ArrayLike, predicted: npt.ArrayLike, n_classes: int | None, weight: npt.ArrayLike | None
) -> tuple[IntArray, IntArray, Array]:
    """True and predicted codes and weights of the rows that were not rejected; at least one."""
    n_rows = np.size(codes)
    limit = n_classes if n_classes is not None else int(np.iinfo(np.int32).max)
    truth = check_codes(codes, n_rows, limit)
    guess = check_codes(predicted, n_rows, limit, rejected=True)
    weights = check_weight(weight, n_rows)
    if n_rows and guess.min() < 0:
        truth, guess, weights = truth[guess >= 0], guess[guess >= 0], weights[guess >= 0]
    if not weights.any():
        raise ValueError(Note("L047"))
    return truth, guess, weights
