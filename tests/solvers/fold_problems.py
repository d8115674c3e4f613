"""Logistic regressions of several training parts, and the gradients that vanish at their solutions."""

from __future__ import annotations

import numpy as np
from scipy.special import log_softmax

from assay.numerics.blas import single_threaded
from assay.solvers.fold_newton import FoldNewton
from assay.solvers.parts import Parts
from assay.solvers.passes import Passes
from assay.solvers.result import PathSolution
from assay.solvers.rows import DenseRows

FOLDS = 5


def problem(n: int, width: int, classes: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, width))
    scores = X @ rng.normal(size=(width, classes)) + rng.gumbel(size=(n, classes))
    return X, scores.argmax(axis=1).astype(np.int32), (np.arange(n) % FOLDS).astype(np.int32)


def solve(X, codes, fold, parts: Parts, classes: int, l2, weight=None, threads=2, tol=1e-8) -> PathSolution:
    rows = DenseRows(X, np.zeros(X.shape[1]), np.ones(X.shape[1]))
    with single_threaded(), Passes(rows, codes, weight, fold, parts.copies.shape[1], threads) as passes:
        return FoldNewton(passes, parts, classes, tol).path(np.asarray(l2, dtype=float))


def leaving_one_out(width: int) -> Parts:
    return Parts(~np.eye(FOLDS, dtype=bool), np.ones((FOLDS, width)), np.ones((FOLDS, width), dtype=bool))


def gradient(X, codes, B, l2: float, weight=None) -> np.ndarray:
    """By hand, of the mean loss and the penalty."""
    weight = np.ones(len(X)) if weight is None else weight
    Z = np.column_stack([X, np.ones(len(X))])
    scores = Z @ B.T
    full = np.column_stack([np.zeros(len(X)), scores]) if len(B) == 1 else scores
    residual = np.exp(log_softmax(full, axis=1)) - (np.arange(full.shape[1]) == codes[:, None])
    residual = residual[:, 1:] if len(B) == 1 else residual
    out = (residual * weight[:, None]).T @ Z / weight.sum()
    out[:, :-1] += l2 * B[:, :-1]
    return out
