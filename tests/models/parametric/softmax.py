"""Logistic regression as a user would write it for a parametric classifier."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def softmax(X: Array, theta: Array) -> Array:
    """The first class scores 0, the others have weights and an intercept."""
    W = theta.reshape(-1, X.shape[1] + 1)
    scores = np.column_stack([np.zeros(len(X)), X @ W[:, :-1].T + W[:, -1]])
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def softmax_start(n_features: int, n_classes: int) -> Array:
    return np.zeros((n_classes - 1) * (n_features + 1))


class Softmax:
    """The functions above under names that are the same in every process: test names hold them."""

    def __call__(self, X: Array, theta: Array) -> Array:
        return softmax(X, theta)

    def __repr__(self) -> str:
        return "softmax"


class Start:
    def __call__(self, n_features: int, n_classes: int) -> Array:
        return softmax_start(n_features, n_classes)

    def __repr__(self) -> str:
        return "start"
