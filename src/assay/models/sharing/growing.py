"""Training parts of growing size from one pass: each fold's rows lie in pieces, and size s holds the first s of them.

Moments are collected per (fold, piece, class). The pieces of a fold merge one after the other, the folds but one merge
as always: every model of every size rests on the cells of that one pass.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.forms import Linear, Pairs, ScoreForm, Together
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
        solved = solve_all(some, background, data, pieces, member, n_jobs)
        scorer, pairs = Scorer(some, solved, data, background), Pairs(rows, fold)
        found = []
        for chain, (scoring, trouble) in zip(some, solved, strict=True):
            # A row is tested in the same fold at every size: it is read once for the models of all sizes.
            sizes = Together(_by_size(scoring, partition.n_folds, n_sizes))
            tested = [
                scorer.made_of(chain, scores, trouble, rows, pairs, n_jobs)
                for scores in sizes.scores(data.X, pairs, filling, n_jobs)
            ]
            found.append([_of_size(each, s, partition.n_folds) for s, each in enumerate(tested)])
        return found

    return in_batches(chains, run, gaps is not None)


def _by_size(form: ScoreForm, n_folds: int, n_sizes: int) -> list[ScoreForm]:
    """The models of each size, one a fold; linear ones about the same centres."""
    arrays = {key: value for key, value in vars(form).items() if isinstance(value, np.ndarray)}
    found: list[ScoreForm] = []
    for s in range(n_sizes):
        own: dict[str, Any] = {key: value[s * n_folds : (s + 1) * n_folds] for key, value in arrays.items()}
        found.append(replace(form, **own))
    lines = [part for part in found if isinstance(part, Linear)]
    return [part.about(lines[0].center) for part in lines] if lines else found


def _of_size(tested: Tested, s: int, n_folds: int) -> Tested:
    """With the priors of the size's own folds."""
    return replace(tested, priors=tested.priors[s * n_folds : (s + 1) * n_folds])


def _groups(partition: Partition) -> tuple[NDArray[np.int32], int]:
    """Rows that are always trained on are one more group."""
    always = partition.fold == ALWAYS_TRAIN
    group = np.where(always, np.int32(partition.n_folds), partition.fold)
    return group, partition.n_folds + int(always.any())


def _grown(cells: Moments, groups: int, n_folds: int, n_sizes: int) -> Moments:
    """Training moments of every (size, fold), the sizes one after the other; folds are merged for all sizes at once."""
    so_far = [cells[np.arange(groups) * n_sizes]]
    for s in range(1, n_sizes):
        so_far.append(so_far[-1].merge(cells[np.arange(groups) * n_sizes + s]))
    parts = stack(so_far, axis=1).complement(n_folds)
    return stack([parts[:, s] for s in range(n_sizes)]).flat()


def _trained_on(groups: int, n_folds: int, n_sizes: int) -> NDArray[np.bool_]:
    """Pieces that each model is trained on, (sizes * folds, groups * pieces)."""
    size, fold = np.divmod(np.arange(n_sizes * n_folds), n_folds)
    group, piece = np.divmod(np.arange(groups * n_sizes), n_sizes)
    return np.asarray((group != fold[:, None]) & (piece <= size[:, None]))
