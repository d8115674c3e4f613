"""Folds inside folds from one pass: the model that saw neither fold f nor fold g tests g inside f, and f inside g.

The inner folds of fold f are the other folds. F folds then need F(F-1)/2 models instead of F(F-1), and the moments of
the F folds are all that is ever read from the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.engines.local import spread
from assay.models.sharing.chain import Background, Chain, find_filling, in_batches
from assay.models.sharing.folds import Scorer, cells_of
from assay.models.sharing.paths import solve_all
from assay.models.sharing.tested import Tested
from assay.models.validation import TrainingData
from assay.plans import ALWAYS_TRAIN, Partition
from assay.sharing.forms import Pairs
from assay.statistics import Form, Moments
from assay.statistics.moments import stack
from assay.statistics.solve_diagnostics import check_classes

Kept = TypeVar("Kept")


def can_pair(chains: list[Chain], partition: Partition) -> bool:
    """Whether pairs of folds serve: three folds or more that are all of the data, and no step that needs extremes."""
    everything = not (partition.fold == ALWAYS_TRAIN).any()
    return partition.n_folds >= 3 and everything and not any(chain.needs_extremes for chain in chains)


def pair_scores(
    chains: list[Chain],
    data: TrainingData,
    partition: Partition,
    keep: Callable[[Chain, Tested], Kept],
    n_jobs: int | None = None,
) -> list[list[Kept]]:
    """What `keep` makes of the inner scores of each chain in each outer fold.

    Scores are handed over fold by fold, by the threads that made them, and not kept: all of them at once would be F
    times the data's rows.
    """
    gaps = find_filling(data) if any(chain.imputes for chain in chains) else None

    def run(some: list[Chain], form: Form) -> list[list[Kept]]:
        filling = gaps if some[0].imputes else None
        cells = cells_of(some, data, partition, form, filling, n_jobs)
        number, moments = without_two(cells)
        background = Background(moments, None, filling)
        check_classes(background.full.weight, data.classes)
        member = _trained_on(number)
        scorer = Scorer(some, solve_all(some, background, data, partition, member, n_jobs), data, background)

        def inside(f: int, threads: int) -> list[Kept]:
            rows, pairs = _inner(partition, f, number)
            found = scorer.tested(rows, pairs, threads)
            return [keep(chain, tested) for chain, tested in zip(some, found, strict=True)]

        by_fold = spread(inside, range(partition.n_folds), n_jobs)
        return [list(kept) for kept in zip(*by_fold, strict=True)]

    return in_batches(chains, run, gaps is not None)


def without_two(cells: Moments) -> tuple[NDArray[np.int32], Moments]:
    """Number of the model without folds f and g, (F, F), and the moments of each such training part."""
    folds = len(cells.weight)
    number = np.zeros((folds, folds), dtype=np.int32)
    parts: list[Moments] = []
    for f in range(folds - 1):
        others = cells[np.array([g for g in range(folds) if g != f])].complement()
        for g in range(f + 1, folds):
            number[f, g] = number[g, f] = len(parts)
            parts.append(others[g - 1])  # fold g is one place earlier once f is gone
    return number, stack(parts)


def _trained_on(number: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Folds that each model is trained on: all but the two it is named by, (models, F)."""
    folds = len(number)
    first, second = np.triu_indices(folds, 1)
    member = np.ones((len(first), folds), dtype=bool)
    member[number[first, second], first] = member[number[first, second], second] = False
    return member


def _inner(partition: Partition, f: int, number: NDArray[np.int32]) -> tuple[NDArray[np.int64], Pairs]:
    """The rows inside fold f's training part, each with the model that saw neither its fold nor f."""
    rows = np.flatnonzero((partition.fold >= 0) & (partition.fold != f))
    return rows, Pairs(rows, np.ascontiguousarray(number[f, partition.fold[rows]]))
