"""Logistic regression on sparse counts of words, against the best of scikit-learn's solvers.

The counts are drawn: words are the rarer the higher their rank, as in text, every class prefers some, and documents
are of unequal length. Newton's method with all second derivatives (newton-cholesky) would need 20 GB here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from benchmarks.data import Labels
from benchmarks.harness import Settings
from benchmarks.objectives import start_gradient
from benchmarks.rivals import sklearn_iterative as sklearn
from benchmarks.rivals.sklearn import BLAS_THREADS
from benchmarks.rows import Row
from benchmarks.workloads.logistic import TOLERANCE
from benchmarks.workloads.logistic_single import against

ROWS, WORDS, LENGTH = 20_000, 50_000, 120
CLASSES = 2
SOLVERS = ("lbfgs", "newton-cg")


def rows(settings: Settings) -> Iterator[Row]:
    yield measure(settings, *counts(settings.rows(ROWS), WORDS, CLASSES))


def measure(settings: Settings, X: Any, y: Labels) -> Row:
    """One matrix of counts, C = 1."""
    tolerances = dict.fromkeys(SOLVERS, TOLERANCE * start_gradient(X, y))
    if y.max() == 1:
        tolerances["liblinear"] = sklearn.liblinear_tol(y, TOLERANCE)
    part = sklearn.logistic_fit(X, y, tolerances, threads=BLAS_THREADS[1:])  # sparse products have no BLAS
    shape = f"{X.shape[0]}x{X.shape[1]}, {X.nnz / X.shape[0]:.0f} words a row, {y.max() + 1} classes"
    return against(
        settings, f"logistic on sparse counts, C=1, {shape}", X, y, part, f"best solver of {part.name}"
    )


def counts(n_rows: int, n_words: int, n_classes: int) -> tuple[Any, Labels]:
    """Documents as rows of word counts, in compressed rows."""
    rng = np.random.default_rng(21)
    y = rng.integers(n_classes, size=n_rows)
    lengths = np.maximum(1, rng.lognormal(np.log(LENGTH), 0.6, size=n_rows)).astype(np.int64)
    common = 1.0 / (np.arange(n_words) + 3.0)
    taste = np.exp(0.35 * rng.standard_normal((n_classes, n_words)))  # how much a class likes each word
    row = np.repeat(np.arange(n_rows, dtype=np.int32), lengths)
    word = np.empty(len(row), dtype=np.int32)  # liblinear takes no wider index
    of_class = y[row]
    for k in range(n_classes):
        shares = np.cumsum(common * taste[k])
        word[of_class == k] = np.searchsorted(shares, rng.random(int(np.sum(of_class == k))) * shares[-1])
    X = csr_array((np.ones(len(row)), (row, word)), shape=(n_rows, n_words))
    X.sum_duplicates()
    return X, y.astype(np.int64)
