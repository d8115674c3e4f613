"""The objectives that both sides minimise, computed anew: how near to the optimum did each of them stop?

    logistic:  (1/N) Σ -ln P(class of n | x_n) + (l2 / 2) |W|²
    hinge:     (1/N) Σ max(0, 1 - y_n f(x_n)) + (l2 / 2) |w|²

Two classes have one row of weights, for the second class. The intercept is free.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit, softmax

from benchmarks.data import Array, Labels


def posteriors(X: Any, W: Array, b: Array) -> Array:
    """Posteriors (N, K) of weights W (K, D), or (1, D) for two classes."""
    scores = np.asarray(X @ W.T) + b
    if len(W) == 1:
        second = expit(scores[:, 0])
        return np.column_stack([1.0 - second, second])
    found: Array = softmax(scores, axis=1)
    return found


def start_gradient(X: Any, y: Labels) -> float:
    """Largest entry of the gradient of the model that knows the class shares and no feature."""
    shares = np.bincount(y) / len(y)
    b = np.log(shares[1:] / shares[:1]) if len(shares) == 2 else np.log(shares)
    return float(np.abs(_gradient(X, y, np.zeros((len(b), X.shape[1])), b, 0.0)).max())


def relative_gradient(X: Any, y: Labels, W: Array, b: Array, l2: float, start: float) -> float:
    """Largest entry of the gradient at W and b, as a share of that at the start."""
    return float(np.abs(_gradient(X, y, W, b, l2)).max()) / start


def _gradient(X: Any, y: Labels, W: Array, b: Array, l2: float) -> Array:
    """Derivatives by the weights, and last by the intercept."""
    residual = posteriors(X, W, b)
    residual[np.arange(len(y)), y] -= 1.0
    residual = residual[:, -len(W) :] / len(y)
    by_weights = np.asarray(X.T @ residual).T + l2 * W
    return np.column_stack([by_weights, residual.sum(axis=0)])


def hinge(X: Any, y: Labels, w: Array, b: float, l2: float, *, free_intercept: bool = True) -> float:
    """The hinge objective of two classes, the second one positive; LinearSVC penalises the intercept too."""
    margin = (2.0 * y - 1.0) * (np.asarray(X @ w) + b)
    penalised = w @ w if free_intercept else w @ w + b * b
    return float(np.maximum(0.0, 1.0 - margin).mean() + 0.5 * l2 * penalised)


def fold_weights(X: Array, log_posterior: Array) -> tuple[Array, Array]:
    """Weights and intercepts behind the log posteriors of the tested rows of a fold.

    Log posteriors are linear in x up to a term that all classes share, so least squares on the tested rows finds the
    weights to rounding wherever these rows outnumber the columns.
    """
    if log_posterior.shape[1] == 2:
        target = log_posterior[:, 1:] - log_posterior[:, :1]
    else:
        target = log_posterior - log_posterior.mean(axis=1, keepdims=True)
    table = np.column_stack([X, np.ones(len(X))])
    solved: Array = np.asarray(np.linalg.lstsq(table, target, rcond=None)[0], dtype=np.float64)
    return solved[:-1].T, solved[-1]
