r"""Errors of a grid of settings, on the folds and inside them, from counts of mistakes alone.

With weights w_i of the tested rows (times prior / share of their class under other priors) and W = Σ w_i,

    error = Σ_wrong w_i / W,    variance = ((1 - error)² Σ_wrong w_i² + error² Σ_right w_i²) / W² · n / (n - 1),

n = W² / Σ w_i²: the mean of ones and zeros and its standard error, as `Evaluation` has them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import memory_limit
from assay.models.sharing import Chain, FoldCells, can_judge, fold_mistakes
from assay.models.validation import TrainingData
from assay.numerics.blas import single_threaded
from assay.plans import Partition
from assay.statistics import cells_bytes

Array = NDArray[np.float64]


class GridFigures(NamedTuple):
    """Errors and their standard errors: of each setting on the folds, (S,), and inside each fold, (F, S)."""

    losses: Array
    standard_errors: Array
    inner: Array
    inner_errors: Array


def grid_figures(chains: list[Chain], cells: FoldCells, priors: Array | None) -> GridFigures | None:
    """Figures of all settings; None where they need scores, or more memory than there may be."""
    data, partition = cells.data, cells.partition
    folds = partition.n_folds
    if not can_judge(chains, data, partition):
        return None
    models = folds * (folds + 1) // 2 if cells.inner is None else folds * (cells.inner.n_folds + 1)
    gaps = any(chain.imputes for chain in chains) and bool(np.isnan(data.X).any())
    width = data.X.shape[1]
    need = max(cells_bytes(chain.form(gaps), 3 * models, data.n_classes, width) for chain in chains)
    if need > memory_limit():
        return None
    tested = _tested(data, partition)
    if not _counts(tested, priors):
        return None
    with single_threaded():
        sums = fold_mistakes(chains, cells, priors)
    if sums is None:
        return None
    mean, error = _figures(sums, tested, priors)
    return GridFigures(mean[-1], error[-1], mean[:-1], error[:-1])


def _tested(data: TrainingData, partition: Partition) -> Array:
    """Sums of w and of w² over the rows tested inside each fold, and over all, by class, (F + 1, K, 2)."""
    folds, classes = partition.n_folds, data.n_classes
    rows = np.flatnonzero(partition.fold >= 0)
    cell = partition.fold[rows] * classes + data.codes[rows]
    weight = None if data.weight is None else data.weight[rows]
    powers = [None, None] if weight is None else [weight, weight**2]
    each = np.stack([np.bincount(cell, w, folds * classes).reshape(folds, classes) for w in powers], axis=-1)
    others = np.concatenate([1.0 - np.eye(folds), np.ones((1, folds))])
    return np.asarray(np.einsum("hf,fkp->hkp", others, each))


def _counts(tested: Array, priors: Array | None) -> bool:
    """Whether every mean is over rows that count."""
    amount = tested[..., 0] if priors is None else tested[..., 0] * (priors > 0)
    return bool((amount.sum(axis=-1) > 0).all())


def _figures(sums: Array, tested: Array, priors: Array | None) -> tuple[Array, Array]:
    """Mean and standard error, (F + 1, S) each, from sums (F + 1, K, S, 2) and tested (F + 1, K, 2)."""
    if priors is not None:
        amount = tested[..., 0]
        total = priors * amount.sum(axis=-1, keepdims=True)
        ratio = np.divide(total, amount, out=np.zeros(amount.shape), where=amount > 0)
        powers = np.stack([ratio, ratio**2], axis=-1)
        sums, tested = sums * powers[:, :, None], tested * powers
    wrong, whole = sums.sum(axis=1), tested.sum(axis=1)[:, None]
    mean = wrong[..., 0] / whole[..., 0]
    n = whole[..., 0] ** 2 / whole[..., 1]
    spread = (1.0 - mean) ** 2 * wrong[..., 1] + mean**2 * np.maximum(whole[..., 1] - wrong[..., 1], 0.0)
    factor = np.divide(n, n - 1.0, out=np.full(n.shape, np.nan), where=n > 1.0)
    return mean, np.sqrt(spread / whole[..., 0] ** 2 * factor)
