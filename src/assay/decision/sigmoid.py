r"""Scores to posteriors by a logistic curve, learned from scores of rows that the model did not see.

    P(k | s) = exp(a s_k + b_k) / Σ_j exp(a s_j + b_j),    a >= 0

One slope for all classes and an offset each. With two classes, scores ∓f/2, this is 1 / (1 + exp(-(a f + b))) with
b = b_1 - b_0: Platt's curve (Advances in Large Margin Classifiers, 1999), of which it is the extension to K classes
(bias-corrected temperature scaling: Alexandari, Kundaje and Shrikumar, ICML 2020). K curves fitted one against the
rest would not add up to 1, and a slope a class is badly determined for rare classes.

Targets are Platt's, not 0 and 1: a row of a class of n rows counts as (n + 1)/(n + K) for its class and 1/(n + K) for
each other one. So the solution is finite however well the scores separate the classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.decision.intervals import effective_size
from assay.types import Array

MOST_STEPS = 100
SMALL = 1e-10  # gradient of the mean log loss, scores measured in deviations


@dataclass(frozen=True, eq=False)
class SigmoidMap:
    """The fitted curve: a slope and an offset for each class.

    Examples
    --------
    >>> curve = SigmoidMap(2.0, np.array([0.0, 0.0]))
    >>> curve.log_posterior(np.array([[-0.5, 0.5]])).round(3)
    array([[-2.127, -0.127]])
    """

    slope: float
    offset: Array

    def log_posterior(self, scores: Array) -> Array:
        """Logarithm of the posterior of each row and class, (N, K)."""
        return _log_softmax(self.slope * scores + self.offset)


def fit_sigmoid(scores: Array, codes: npt.NDArray[np.integer], weight: Array | None = None) -> SigmoidMap:
    """The curve of least mean log loss against Platt's targets, by Newton's method.

    Parameters
    ----------
    scores : array of shape (N, K)
        Finite scores of rows under a model that did not see them.
    codes : int array of shape (N,)
    weight : array of shape (N,), optional
        Rows of a class count for as many as Kish's effective size says, so the scale of weights does not matter.

    Where the best slope would be negative, it is 0: the scores then say nothing, and the posteriors are the shares.

    Examples
    --------
    >>> scores = np.array([[2.0, -2.0], [1.0, -1.0], [-1.0, 1.0], [-2.0, 2.0]])
    >>> curve = fit_sigmoid(scores, np.array([0, 0, 1, 1]))
    >>> np.exp(curve.log_posterior(scores))[:, 1].round(3)
    array([0.206, 0.338, 0.662, 0.794])
    """
    rows = np.full(len(scores), 1.0 / len(scores)) if weight is None else weight / weight.sum()
    middle = rows @ scores
    unit = float(np.sqrt(rows @ ((scores - middle) ** 2).mean(axis=1))) or 1.0
    targets = smoothed_targets(codes, scores.shape[1], weight)
    shares = rows @ targets
    start = np.append(0.0, np.log(shares))
    solution = _newton((scores - middle) / unit, targets, rows, start)
    slope = solution[0] / unit
    offset = solution[1:] - slope * middle if slope > 0 else start[1:]
    slope = max(slope, 0.0)
    return SigmoidMap(float(slope), offset - offset.mean())


def smoothed_targets(codes: npt.NDArray[np.integer], n_classes: int, weight: Array | None = None) -> Array:
    """Platt's targets, (N, K).

    >>> smoothed_targets(np.array([0, 0, 1]), 2).round(3).tolist()
    [[0.75, 0.25], [0.75, 0.25], [0.333, 0.667]]
    """
    weights = np.ones(len(codes)) if weight is None else weight
    by_class = [weights[codes == k] for k in range(n_classes)]
    sizes = np.array([effective_size(part) if part.any() else 0.0 for part in by_class])
    other = 1.0 / (sizes + n_classes)
    targets = np.repeat(other[codes][:, None], n_classes, axis=1)
    targets[np.arange(len(codes)), codes] = ((sizes + 1.0) * other)[codes]
    return np.asarray(targets)


def _newton(scores: Array, targets: Array, rows: Array, start: Array) -> Array:
    """Slope and offsets (K + 1,) of least Σ_n rows_n (-Σ_k targets_nk ln P(k | s_n)); convex, so any start will do."""
    theta, loss = start, np.inf
    step: Array = np.zeros(len(start))
    for _ in range(MOST_STEPS):
        trial = theta - step
        log_posterior = _log_softmax(trial[0] * scores + trial[1:])
        trial_loss = -float(rows @ (targets * log_posterior).sum(axis=1))
        if not trial_loss <= loss + 1e-14:  # too far: the loss is convex, so half a step will do at last
            step = step / 2
            continue
        theta, loss = trial, trial_loss
        posterior = np.exp(log_posterior)
        gradient = _gradient(scores, posterior - targets, rows)
        if np.abs(gradient).max() <= SMALL:
            break
        step = np.asarray(np.linalg.solve(_hessian(scores, posterior, rows), gradient), dtype=np.float64)
    return theta


def _gradient(scores: Array, excess: Array, rows: Array) -> Array:
    return np.append(rows @ (excess * scores).sum(axis=1), rows @ excess)


def _hessian(scores: Array, posterior: Array, rows: Array) -> Array:
    """Second derivatives (K + 1, K + 1). Equal offsets change nothing: that direction is pinned."""
    weighted = posterior * rows[:, None]
    mean = (posterior * scores).sum(axis=1)
    out = np.empty((scores.shape[1] + 1,) * 2)
    out[0, 0] = (weighted * (scores - mean[:, None]) ** 2).sum()
    out[0, 1:] = out[1:, 0] = (weighted * (scores - mean[:, None])).sum(axis=0)
    out[1:, 1:] = np.diag(weighted.sum(axis=0)) - weighted.T @ posterior
    out[1:, 1:] += 1.0 / scores.shape[1]
    # Scores that are all equal leave the slope free; a little curvature keeps it where it is.
    out[0, 0] += 1e-12
    return out


def _log_softmax(values: Array) -> Array:
    shifted = values - values.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
