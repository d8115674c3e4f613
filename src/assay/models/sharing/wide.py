"""Folds of tables wider than long: ridge models solved among the rows, from one matrix of inner products.

With more features than rows the moments of each fold are larger than the table. The inner products of the rows serve
every fold and every penalty instead; the scores are those of moments, to rounding.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.decision.priors import class_priors
from assay.engines.local import memory_limit
from assay.models.normal import deviations
from assay.models.sharing.chain import Chain
from assay.models.sharing.tested import Tested, posterior_or_margin
from assay.models.statistical import StatisticsClassifier
from assay.models.validation import TrainingData
from assay.numerics.blas import single_threaded
from assay.plans import Partition
from assay.solvers.dual import dual_scores, inner_products, usable
from assay.statistics import Moments
from assay.statistics.solve_diagnostics import no_trouble

Array = NDArray[np.float64]
WIDER = 2  # features for each row from which on equations among the rows are cheaper, with all that surrounds them


def row_chains(chains: list[Chain], data: TrainingData) -> list[int]:
    """Positions of the chains that may be solved among the rows."""
    rows, width = data.X.shape
    if width < WIDER * rows or 32 * rows**2 > memory_limit():
        return []
    return [
        place
        for place, chain in enumerate(chains)
        if not chain.steps
        and isinstance(chain.model, StatisticsClassifier)
        and chain.model._ridge_penalty() is not None
    ]


def row_scores(
    chains: list[Chain], data: TrainingData, partitions: list[Partition], train: list[Moments]
) -> list[list[Tested]] | None:
    """Out-of-fold scores of every chain (outer list) and partition; None where a penalty is too small for it.

    train : diagonal moments of the training part of each fold of each partition, for priors and difficulties
    """
    penalties = np.array(
        [chain.model._ridge_penalty() for chain in chains if isinstance(chain.model, StatisticsClassifier)]
    )
    with single_threaded():
        gram = inner_products(data.X.astype(np.float64, copy=False), data.weight)
        if not usable(gram, float(penalties.min())):
            return None
        found = [
            _tested(gram, penalties, data, partition, moments)
            for partition, moments in zip(partitions, train, strict=True)
        ]
    return [list(each) for each in zip(*found, strict=True)]


def _tested(
    gram: Array, penalties: Array, data: TrainingData, partition: Partition, train: Moments
) -> list[Tested]:
    """What is kept of the scores with each penalty."""
    rows, split, scores = _scores(gram, penalties, data, partition, train)
    clean = no_trouble(*train.center.shape)
    trouble = replace(clean, unseen=train.weight == 0, constant=deviations(train) == 0)
    notes = trouble.summary(data.classes, "folds")
    priors = class_priors("ml", train.weight)
    found = []
    for each in scores:
        predicted, _ = posterior_or_margin(each, False, None)
        found.append(Tested(rows, split, each, predicted, priors, notes))
    return found


def _scores(
    gram: Array, penalties: Array, data: TrainingData, partition: Partition, train: Moments
) -> tuple[NDArray[np.int64] | None, NDArray[np.int32], Array]:
    """Tested rows (None: all), their folds, and scores (chains, rows, K)."""
    targets = np.eye(data.n_classes)[data.codes]
    out = np.zeros((len(penalties), *targets.shape))
    for fold in range(partition.n_folds):
        test = partition.test_rows(fold)
        out[:, test] = dual_scores(gram, targets, data.weight, partition.train_rows(fold), test, penalties)
        out[:, test[:, None], np.flatnonzero(train.weight[fold] == 0)] = -np.inf
    tested = np.flatnonzero(partition.fold >= 0)
    if len(tested) == len(targets):
        return None, partition.fold, out
    return tested, np.ascontiguousarray(partition.fold[tested]), np.ascontiguousarray(out[:, tested])
