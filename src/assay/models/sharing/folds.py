"""Every fold of a partition from one pass: moments per (fold, class), training parts by merging the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.decision.priors import class_priors
from assay.models.sharing.chain import Background, Chain, find_filling, in_batches
from assay.models.sharing.paths import solve_all
from assay.models.sharing.tested import Tested, posteriors_or_margins
from assay.models.sharing.wide import row_chains, row_scores
from assay.models.validation import TrainingData, check_moments, explain_rows
from assay.plans import ALWAYS_TRAIN, Partition
from assay.sharing.forms import Pairs, Posteriors, ScoreForm, Together
from assay.statistics import Extremes, Filling, Form, Moments, collect
from assay.statistics.solve_diagnostics import Trouble, check_classes


def fold_scores(
    chains: list[Chain], data: TrainingData, partition: Partition, n_jobs: int | None = None
) -> list[Tested]:
    """Out-of-fold scores of every chain; equal to refitting each fold, to rounding."""
    solved = dict(_among_rows(chains, data, partition, n_jobs))
    others = [chain for place, chain in enumerate(chains) if place not in solved]
    rest = iter(_from_moments(others, data, partition, n_jobs) if others else ())
    return [solved[place] if place in solved else next(rest) for place in range(len(chains))]


def _among_rows(
    chains: list[Chain], data: TrainingData, partition: Partition, n_jobs: int | None
) -> list[tuple[int, Tested]]:
    """Places and scores of the chains for which the table is so wide that its rows are the smaller problem."""
    places = row_chains(chains, data)
    if not places:
        return []
    some = [chains[place] for place in places]
    train = cells_of(some, data, partition, "diagonal", None, n_jobs).complement(partition.n_folds)
    check_classes(train.weight, data.classes)
    found = row_scores(some, data, [partition], [train])
    return [] if found is None else [(place, each[0]) for place, each in zip(places, found, strict=True)]


def _from_moments(
    chains: list[Chain], data: TrainingData, partition: Partition, n_jobs: int | None
) -> list[Tested]:
    gaps = find_filling(data) if any(chain.imputes for chain in chains) else None

    def run(some: list[Chain], form: Form) -> list[Tested]:
        filling = gaps if some[0].imputes else None
        cells = cells_of(some, data, partition, form, filling, n_jobs)
        extremes = _extremes(data, partition) if any(chain.needs_extremes for chain in some) else None
        background = Background(cells.complement(partition.n_folds), extremes, filling)
        check_classes(background.full.weight, data.classes)
        tested, pairs = pairs_of(partition)
        solved = solve_all(some, background, data, partition, trained_on(cells, partition), n_jobs)
        return Scorer(some, solved, data, background).tested(tested, pairs, n_jobs)

    return in_batches(chains, run, gaps is not None)


@dataclass(frozen=True, eq=False)
class FoldCells:
    """Moments of every (fold, class), collected once and kept for all who ask.

    `inner` divides the rows once more, alike inside all folds; moments are then kept of each (inner fold, fold, class).
    """

    data: TrainingData
    partition: Partition
    n_jobs: int | None = None
    inner: Partition | None = None
    _kept: dict[tuple[Form, bool], Moments] = field(default_factory=dict)

    @cached_property
    def cells(self) -> Partition:
        """The folds, or fold f of inner fold s as number s F + f of F."""
        fold, folds = self.partition.fold, self.partition.n_folds
        if self.inner is None:
            return self.partition
        return Partition(
            np.where(fold >= 0, self.inner.fold * folds + fold, fold), self.inner.n_folds * folds
        )

    def of(self, chains: list[Chain], form: Form, filling: Filling | None) -> Moments:
        """Moments of the folds that hold the form."""
        cells = self.of_cells(chains, form, filling)
        return cells if self.inner is None else cells.table(self.inner.n_folds).together()

    def of_cells(self, chains: list[Chain], form: Form, filling: Filling | None) -> Moments:
        """Moments of the cells that hold the form."""
        gaps = filling is not None
        key: tuple[Form, bool] = ("full" if ("full", gaps) in self._kept else form, gaps)
        if key not in self._kept:
            self._kept[key] = cells_of(chains, self.data, self.cells, form, filling, self.n_jobs)
        return self._kept[key]


def trained_on(cells: Moments, partition: Partition) -> NDArray[np.bool_]:
    """Groups of rows that each fold's model is trained on: all but the fold itself, (F, groups)."""
    groups = len(cells.weight)
    return np.asarray(np.arange(partition.n_folds)[:, None] != np.arange(groups))


def cells_of(
    chains: list[Chain],
    data: TrainingData,
    partition: Partition,
    form: Form,
    filling: Filling | None,
    n_jobs: int | None,
) -> Moments:
    """Moments of every (fold, class); rows that are always trained on form a last group."""
    group = partition.fold
    if (group < 0).any():
        group = np.where(group == ALWAYS_TRAIN, np.int32(partition.n_folds), group)
    groups = partition.n_folds + int((partition.fold == ALWAYS_TRAIN).any())
    arguments: dict[str, Any] = {
        "group": group, "n_groups": groups, "weight": data.weight, "filling": filling, "n_jobs": n_jobs
    }  # fmt: skip
    cells = collect(data.X, data.codes, data.n_classes, form=form, **arguments)
    finite = np.isfinite(cells.scatter).all() and np.isfinite(cells.offset).all()
    if not finite and form == "diagonal" and all(chain.passes_gaps for chain in chains):
        cells = collect(data.X, data.codes, data.n_classes, form=form, missing=True, **arguments)
    gaps = filling is not None or cells.present is not None
    check_moments(cells, data.X, data.names, missing_allowed=gaps)
    return cells


def _extremes(data: TrainingData, partition: Partition) -> Extremes:
    """Least and largest values of each training part: those of the other folds; rows of weight 0 do not count."""
    low, high = [], []
    for f in range(partition.n_folds):
        train = partition.train_rows(f)
        rows = data.X[train if data.weight is None else train[data.weight[train] > 0]]
        low.append(np.nanmin(rows, axis=0))
        high.append(np.nanmax(rows, axis=0))
    return Extremes(np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64))


def pairs_of(partition: Partition) -> tuple[NDArray[np.int64] | None, Pairs]:
    """Every tested row with its fold, in row order."""
    if (partition.fold >= 0).all():
        return None, Pairs(None, partition.fold)
    rows = np.flatnonzero(partition.fold >= 0)
    return rows, Pairs(rows, np.ascontiguousarray(partition.fold[rows]))


class Scorer:
    """Models of several chains that were solved from one background, and the rows that they score."""

    def __init__(
        self,
        chains: list[Chain],
        solved: list[tuple[ScoreForm, Trouble]],
        data: TrainingData,
        background: Background,
    ) -> None:
        self.chains, self.solved, self.data, self.background = chains, solved, data, background
        self._forms = Together([form for form, _ in solved])

    def tested(self, rows: NDArray[np.int64] | None, pairs: Pairs, n_jobs: int | None) -> list[Tested]:
        """Scores of the pairs by the models of every chain."""
        models = [chain.model for chain in self.chains]
        read = (self.data.X, pairs, self.background.filling, n_jobs)
        found = posteriors_or_margins(self._forms, models, *read)
        return [
            self.made_of(chain, scored, trouble, rows, pairs)
            for chain, scored, (_, trouble) in zip(self.chains, found, self.solved, strict=True)
        ]

    def made_of(
        self,
        chain: Chain,
        scored: Posteriors,
        trouble: Trouble,
        rows: NDArray[np.int64] | None,
        pairs: Pairs,
    ) -> Tested:
        """What is kept of a chain's scores of the pairs."""
        scores, predicted, unusable = scored
        data, filling = self.data, self.background.filling
        if unusable:
            error = explain_rows(
                data.names, data.X, missing_allowed=chain.model.missing_ok or filling is not None
            )
            raise error or ValueError(f"The scores of {unusable} rows overflow; rescale the columns.")
        assert pairs.models is not None
        notes = trouble.summary(data.classes, "folds")
        priors = class_priors(getattr(chain.model, "priors", "ml"), self.background.full.weight)
        return Tested(rows, pairs.models, scores, predicted, priors, notes)
