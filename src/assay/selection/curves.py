"""Curves of an evaluation: ROC, loss against threshold, error and loss against the share rejected.

A row that was tested several times counts once, its tests in equal parts, as in every figure of an evaluation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.decision import LossMatrix, expected_risk, threshold
from assay.decision.average_precision import average_precision
from assay.decision.curves import (
    MOST_POINTS,
    PrecisionRecall,
    RejectCurve,
    Roc,
    ThresholdCurve,
    precision_recall,
    roc,
    thinned_path,
)
from assay.decision.metrics import one_vs_rest_log_odds
from assay.selection.evaluation import Evaluation
from assay.types import Array

MOST_REJECTED = 0.6  # the error among the few rows left beyond says little


def pair_weights(evaluation: Evaluation) -> Array:
    """Weight of each tested pair: what the row counts, shared by its tests."""
    tests = np.bincount(evaluation.rows, minlength=len(evaluation.codes))
    weight = np.ones(len(evaluation.codes)) if evaluation.row_weight is None else evaluation.row_weight
    return np.asarray(weight[evaluation.rows] / tests[evaluation.rows])


def row_scores(evaluation: Evaluation) -> tuple[NDArray[np.int32], Array, Array]:
    """True class, weight and mean score of every class, of each row tested; log odds where posteriors exist."""
    scores = evaluation.scores
    if evaluation.probabilistic:
        scores = one_vs_rest_log_odds(scores)
    rows, place = np.unique(evaluation.rows, return_inverse=True)
    tests = np.bincount(place)
    means = np.stack([np.bincount(place, weights=column) / tests for column in scores.T], axis=1)
    weight = np.ones(len(rows)) if evaluation.row_weight is None else evaluation.row_weight[rows]
    return evaluation.codes[rows], weight, means


def roc_curves(evaluation: Evaluation, codes: list[int]) -> list[Roc]:
    """A curve for each of these classes that has rows on both sides."""
    truth, weight, scores = row_scores(evaluation)
    if scores.shape[1] == 2:
        difference = scores[:, 1] - scores[:, 0]
        scores = np.stack([-difference, difference], axis=1)
    curves = []
    for k in codes:
        positive = truth == k
        if weight[positive].any() and weight[~positive].any():
            x, y = roc(positive, scores[:, k], weight)
            keep = thinned_path(x, y)
            curves.append(Roc(k, x[keep], y[keep], float(np.trapezoid(y, x))))
    return curves


def precision_recall_curves(evaluation: Evaluation, codes: list[int]) -> list[PrecisionRecall]:
    """A curve for each of these classes that has rows on both sides."""
    truth, weight, scores = row_scores(evaluation)
    if scores.shape[1] == 2:
        difference = scores[:, 1] - scores[:, 0]
        scores = np.stack([-difference, difference], axis=1)
    curves = []
    for k in codes:
        positive = truth == k
        if weight[positive].any() and weight[~positive].any():
            x, y = precision_recall(positive, scores[:, k], weight)
            keep = np.unique(np.searchsorted(x, np.linspace(0.0, 1.0, MOST_POINTS)))
            average = average_precision(positive, scores[:, k], weight).value
            share = float(weight[positive].sum() / weight.sum())
            curves.append(PrecisionRecall(k, x[keep], y[keep], average, share))
    return curves


def threshold_curve(evaluation: Evaluation, loss: LossMatrix | None = None) -> ThresholdCurve:
    """Mean loss at every threshold on the posterior of the second of two classes."""
    matrix = loss if loss is not None else LossMatrix.zero_one(evaluation.classes)
    chosen = threshold(matrix)
    columns = {int(k): a for a, k in enumerate(matrix.class_of_action)}
    weight = pair_weights(evaluation)
    weight = weight / weight.sum()
    cost_zero = matrix.values[evaluation.truth_codes, columns[0]] * weight
    cost_one = matrix.values[evaluation.truth_codes, columns[1]] * weight
    p = evaluation.posterior[:, 1]
    order = np.argsort(p, kind="stable")
    # With threshold t all rows p <= t are said to be of class 0, the others of class 1.
    below = np.append(0.0, np.cumsum(cost_zero[order]))
    above = np.append(np.cumsum(cost_one[order][::-1])[::-1], 0.0)
    steps = below + above
    at = np.append(0.0, p[order])
    # Of equal posteriors the last step counts; a row of posterior 0 is below every threshold.
    last = np.flatnonzero(np.append(at[1:] != at[:-1], True))
    thresholds, values = at[last], steps[last]
    place = max(int(np.searchsorted(thresholds, chosen, side="right")) - 1, 0)
    least = int(values.argmin())
    right = thresholds[least + 1] if least + 1 < len(thresholds) else 1.0
    return ThresholdCurve(
        thresholds,
        values,
        chosen,
        float(values[place]),
        float((thresholds[least] + right) / 2),
        float(values[least]),
    )


def reject_curve(evaluation: Evaluation, loss: LossMatrix | None = None) -> RejectCurve:
    """Rows rejected by their expected loss, the largest first, when they must be given one of the classes."""
    matrix = loss if loss is not None else LossMatrix.zero_one(evaluation.classes)
    predicts = np.flatnonzero(matrix.class_of_action >= 0)
    risks = expected_risk(evaluation.posterior, matrix)[:, predicts]
    action = predicts[risks.argmin(axis=1)]
    weight = pair_weights(evaluation)
    order = np.argsort(risks.min(axis=1), kind="stable")
    ranked = risks.min(axis=1)[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))[::-1]
    accepted = np.cumsum(weight[order])
    wrong = np.cumsum((weight * (matrix.class_of_action[action] != evaluation.truth_codes))[order])
    cost = np.cumsum((weight * matrix.values[evaluation.truth_codes, action])[order])
    rate = 1.0 - accepted[last] / accepted[-1]
    in_range = rate <= MOST_REJECTED
    rate, error, mean = (
        rate[in_range],
        (wrong[last] / accepted[last])[in_range],
        (cost[last] / accepted[last])[in_range],
    )
    return RejectCurve(*_thinned(rate, error, mean))


def _thinned(rate: Array, error: Array, loss: Array) -> tuple[Array, Array, Array]:
    """At most MOST_POINTS entries, evenly over the share rejected."""
    if len(rate) > MOST_POINTS:
        at = np.unique(np.searchsorted(rate, np.linspace(rate[0], rate[-1], MOST_POINTS)))
        rate, error, loss = rate[at], error[at], loss[at]
    return rate, error, loss
