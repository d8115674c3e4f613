"""Training parts of growing size from one pass: each fold's rows lie in pieces, and size s holds the first s of them.

Moments are collected per (fold, piece, class). The pieces of a fold merge one after the other, the folds but one merge
as always: every model of every size rests on the cells of that one pass.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.models.forms import Pairs
from assay.models.sharing.chain import Background, Chain, find_filling, in_batches
from assay.models.sharing.folds import Scorer, cells_of, check_classes
from assay.models.sharing.paths import solve_all
from assay.models.sharing.tested import Tested
from assay.models.validation import TrainingData
from assay.plans import ALWAYS_TRAIN, Partition
from assay.statistics import Form, Moments
from assay.statistics.moments import stack


def growing_scores(
    chains: list[Chain],
    data: TrainingData,
    partition: Partition,
    piece: NDArray[np.int32],
    n_sizes: int,
    n_jobs: int | None = None,
) -> list[list[Tested]]:
    """Scores of every chain (outer list) at every size: fold f is tested in whole, trained on the others' first pieces.

    Parameters
    ----------
    piece : int32 (N,)
        Smallest size that a row is trained on in; `n_sizes` or more: in none.
    """
    gaps = find_filling(data) if any(chain.imputes for chain in chains) else None
    group, groups = _groups(partition)
    fine = np.where((group < 0) | (piece >= n_sizes), -2, group * n_sizes + piece)
    pieces = Partition(fine, groups * n_sizes)
    rows = None if (partition.fold >= 0).all() else np.flatnonzero(partition.fold >= 0)
    fold = partition.fold if rows is None else np.ascontiguousarray(partition.fold[rows])

    def run(some: list[Chain], form: Form) -> list[list[Tested]]:
        filling = gaps if some[0].imputes else None
        cells = cells_of(some, data, pieces, form, filling, n_jobs)
        background = Background(_grown(cells, groups, partition.n_folds, n_sizes), None, filling)
        check_classes(background.full.weight, data.classes)
        member = _trained_on(groups, partition.n_folds, n_sizes)
        scorer = Scorer(some, solve_all(some, background, data, pieces, member, n_jobs), data, background)
        by_size = []
        for s in range(n_sizes):
            first = s * partition.n_folds
            tested = scorer.tested(rows, Pairs(rows, fold + np.int32(first)), n_jobs)
            own = slice(first, first + partition.n_folds)
            by_size.append([replace(each, split=fold, priors=each.priors[own]) for each in tested])
        return [list(sizes) for sizes in zip(*by_size, strict=True)]

    return in_batches(chains, run, gaps is not None)


def _groups(partition: Partition) -> tuple[NDArray[np.int32], int]:
    """Rows that are always trained on are one more group."""
    always = partition.fold == ALWAYS_TRAIN
    group = np.where(always, np.int32(partition.n_folds), partition.fold)
    return group, partition.n_folds + int(always.any())


def _grown(cells: Moments, groups: int, n_folds: int, n_sizes: int) -> Moments:
    """Training moments of every (size, fold), the sizes one after the other."""
    found: list[Moments] = []
    so_far = cells[np.arange(groups) * n_sizes]
    for s in range(n_sizes):
        so_far = so_far if s == 0 else so_far.merge(cells[np.arange(groups) * n_sizes + s])
        parts = so_far.complement(n_folds)
        found += [parts[f] for f in range(n_folds)]
    return stack(found)


def _trained_on(groups: int, n_folds: int, n_sizes: int) -> NDArray[np.bool_]:
    """Pieces that each model is trained on, (sizes * folds, groups * pieces)."""
    size, fold = np.divmod(np.arange(n_sizes * n_folds), n_folds)
    group, piece = np.divmod(np.arange(groups * n_sizes), n_sizes)
    return np.asarray((group != fold[:, None]) & (piece <= size[:, None]))
