"""Weights of a linear model in every fold: how far they move when rows are left out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import LocalEngine
from assay.models.base import clone, fit_weighted
from assay.models.sharing.chain import Background, chain_of
from assay.models.sharing.folds import cells_of, trained_on
from assay.models.sharing.paths import solve_all
from assay.models.validation import TrainingData, read_numbers
from assay.plans import Partition
from assay.sharing.dataset import InMemory
from assay.sharing.forms import Linear
from assay.sharing.moments import MOMENTS
from assay.sharing.settings import Settings
from assay.sharing.splits import folds
from assay.sharing.study import Study
from assay.statistics.weights import subset_weight

Array = NDArray[np.float64]


def fold_weights(
    model: Any,
    X: NDArray[np.floating],
    codes: NDArray[np.int32],
    classes: NDArray[Any],
    partition: Partition,
    n_jobs: int | None = None,
    weight: Array | None = None,
) -> Array | None:
    """Weights (folds, classes, columns) of a bare linear model trained without each fold, from one pass where it can.

    None where a training part lacks a class.
    """
    chain = chain_of(model)
    counts = np.bincount(
        partition.fold.astype(np.int64) * len(classes) + codes, minlength=partition.n_folds * len(classes)
    ).reshape(partition.n_folds, len(classes))
    if not (counts.sum(axis=0) - counts > 0).all():
        return None
    if chain is None:
        return _refitted(model, X, classes[codes], partition, weight)
    if chain.strategy == "statistics":
        rows = InMemory(X, codes, classes, weight, None, LocalEngine(n_jobs), read_numbers)
        solved = MOMENTS.solve(Settings.of([model]), Study(rows, folds(partition))).forms(0)
        return solved.weights if isinstance(solved, Linear) else None
    data = TrainingData(X, codes, classes, weight)
    cells = cells_of([chain], data, partition, chain.form(False), None, n_jobs)
    background = Background(cells.complement(partition.n_folds))
    (form, _), *_ = solve_all([chain], background, data, partition, trained_on(cells, partition), n_jobs)
    return form.weights if isinstance(form, Linear) else None


def _refitted(
    model: Any, X: NDArray[np.floating], labels: NDArray[Any], partition: Partition, weight: Array | None
) -> Array:
    """The same by fitting each training part; the one line of two classes is shared out among both."""
    found = []
    for f in range(partition.n_folds):
        train = partition.train_rows(f)
        own = subset_weight(weight, train)
        coef = np.atleast_2d(fit_weighted(clone(model), X[train], labels[train], own).coef_)
        found.append(np.concatenate([-0.5 * coef, 0.5 * coef]) if len(coef) == 1 else coef)
    return np.stack(found)


def jackknife_errors(leaving: Array) -> Array:
    """Standard errors of figures from their values when each of G parts (first axis) is left out.

    √((G-1)/G Σ_g (θ_g - mean)²): the spread is that small because the fits share most of their rows.
    """
    size = len(leaving)
    return np.asarray(np.sqrt((size - 1) * ((leaving - leaving.mean(axis=0)) ** 2).mean(axis=0)))
