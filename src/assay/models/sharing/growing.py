"""Training parts of growing size from one pass: each fold's rows lie in pieces, and size s holds the first s of them.

Moments are collected per (fold, piece, class). The pieces of a fold merge one after the other, the folds but one merge
as always: every model of every size, the last of which is the whole, rests on the cells of that one pass.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.models.sharing.chain import Background, Chain, find_filling, in_batches
from assay.models.sharing.folds import Scorer, cells_of, check_classes
from assay.models.sharing.paths import solve_all
from assay.models.sharing.tested import Tested, posteriors_or_margins
from assay.models.sharing.wide import row_chains, row_scores
from assay.models.validation import TrainingData
from assay.plans import ALWAYS_TRAIN, UNUSED, Partition
from assay.sharing.forms import Linear, Pairs, ScoreForm, Together
from assay.statistics import Extremes, Form, Moments
from assay.statistics.moments import stack

Array = NDArray[np.float64]


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
    task = _Growing(data, Pieces.of(partition, piece, n_sizes), n_jobs)
    solved = task.among_rows(chains)
    others = [chain for place, chain in enumerate(chains) if place not in solved]
    rest = iter(task.from_moments(others) if others else ())
    return [solved[place] if place in solved else next(rest) for place in range(len(chains))]


@dataclass(frozen=True)
class Pieces:
    """The rows of every fold, and those that are always trained on as one more, cut into pieces."""

    partition: Partition
    piece: NDArray[np.int32]
    cells: Partition  # each piece of each group as a fold of its own
    groups: int
    n_sizes: int

    @classmethod
    def of(cls, partition: Partition, piece: NDArray[np.int32], n_sizes: int) -> Pieces:
        always = partition.fold == ALWAYS_TRAIN
        group = (
            np.where(always, np.int32(partition.n_folds), partition.fold) if always.any() else partition.fold
        )
        groups = partition.n_folds + int(always.any())
        fine = np.where((group < 0) | (piece >= n_sizes), np.int32(UNUSED), group * np.int32(n_sizes) + piece)
        return cls(partition, piece, Partition(fine, groups * n_sizes), groups, n_sizes)

    @property
    def n_folds(self) -> int:
        return self.partition.n_folds

    def of_size(self, s: int) -> slice:
        """The models of a size, one a fold."""
        return slice(s * self.n_folds, (s + 1) * self.n_folds)

    def grown(self, cells: Moments) -> Moments:
        """Training moments of every (size, fold), the sizes one after the other; folds merge for all sizes at once."""
        so_far = [cells[np.arange(self.groups) * self.n_sizes]]
        for s in range(1, self.n_sizes):
            so_far.append(so_far[-1].merge(cells[np.arange(self.groups) * self.n_sizes + s]))
        parts = stack(so_far, axis=1).complement(self.n_folds)
        return stack([parts[:, s] for s in range(self.n_sizes)]).flat()

    def extremes(self, data: TrainingData) -> Extremes:
        """Least and largest values of every training part; rows of weight 0 do not count."""
        used = self.cells.fold >= 0 if data.weight is None else (self.cells.fold >= 0) & (data.weight > 0)
        rows = np.flatnonzero(used)
        rows = rows[np.argsort(self.cells.fold[rows], kind="stable")]
        return Extremes(self._ends(data.X, rows, np.fmin), self._ends(data.X, rows, np.fmax))

    def _ends(self, X: NDArray[np.floating], rows: NDArray[np.intp], end: np.ufunc) -> Array:
        """The extreme of each feature in every training part, (sizes * folds, D); NaN where it has no value."""
        there, first = np.unique(self.cells.fold[rows], return_index=True)
        cells = np.full((self.groups * self.n_sizes, X.shape[1]), np.nan)
        cells[there] = end.reduceat(X[rows], first, axis=0) if len(rows) else 0.0
        grown = end.accumulate(cells.reshape(self.groups, self.n_sizes, -1), axis=1)
        others = [end.reduce(np.delete(grown, f, axis=0), axis=0) for f in range(self.n_folds)]
        return np.stack(others, axis=1).reshape(self.n_sizes * self.n_folds, -1)

    def trained_on(self) -> NDArray[np.bool_]:
        """Pieces that each model is trained on, (sizes * folds, groups * pieces)."""
        size, fold = np.divmod(np.arange(self.n_sizes * self.n_folds), self.n_folds)
        group, piece = np.divmod(np.arange(self.groups * self.n_sizes), self.n_sizes)
        return np.asarray((group != fold[:, None]) & (piece <= size[:, None]))


@dataclass(frozen=True)
class _Growing:
    """The data of one call."""

    data: TrainingData
    pieces: Pieces
    n_jobs: int | None

    def among_rows(self, chains: list[Chain]) -> dict[int, list[Tested]]:
        """By place, the chains for which the table is so wide that its rows are the smaller problem."""
        places, cut = row_chains(chains, self.data), self.pieces
        if not places:
            return {}
        some = [chains[place] for place in places]
        train = cut.grown(cells_of(some, self.data, cut.cells, "diagonal", None, self.n_jobs))
        check_classes(train.weight, self.data.classes)
        sizes = [Partition(cut.partition.fold, cut.n_folds, cut.piece > s) for s in range(cut.n_sizes)]
        found = row_scores(some, self.data, sizes, [train[cut.of_size(s)] for s in range(cut.n_sizes)])
        return {} if found is None else dict(zip(places, found, strict=True))

    def from_moments(self, chains: list[Chain]) -> list[list[Tested]]:
        data, cut = self.data, self.pieces
        gaps = find_filling(data) if any(chain.imputes for chain in chains) else None

        def run(some: list[Chain], form: Form) -> list[list[Tested]]:
            filling = gaps if some[0].imputes else None
            cells = cells_of(some, data, cut.cells, form, filling, self.n_jobs)
            extremes = cut.extremes(data) if any(chain.needs_extremes for chain in some) else None
            background = Background(cut.grown(cells), extremes, filling)
            check_classes(background.full.weight, data.classes)
            solved = solve_all(some, background, data, cut.cells, cut.trained_on(), self.n_jobs)
            scorer = Scorer(some, solved, data, background)
            return [self._scored(scorer, place) for place in range(len(some))]

        return in_batches(chains, run, gaps is not None)

    def _scored(self, scorer: Scorer, place: int) -> list[Tested]:
        """Scores of one chain at every size: a row is tested in the same fold throughout, so it is read once."""
        chain, (form, trouble), fold = scorer.chains[place], scorer.solved[place], self.pieces.partition.fold
        rows = None if (fold >= 0).all() else np.flatnonzero(fold >= 0)
        pairs = Pairs(rows, fold if rows is None else np.ascontiguousarray(fold[rows]))
        models = [chain.model] * self.pieces.n_sizes
        filling = scorer.background.filling
        sizes = Together(_by_size(form, self.pieces))
        found = posteriors_or_margins(sizes, models, self.data.X, pairs, filling, self.n_jobs)
        own = [self.pieces.of_size(s) for s in range(self.pieces.n_sizes)]
        tested = [
            scorer.made_of(chain, scored, trouble.part(size), rows, pairs)
            for scored, size in zip(found, own, strict=True)
        ]
        return [replace(each, priors=each.priors[size]) for each, size in zip(tested, own, strict=True)]


def _by_size(form: ScoreForm, pieces: Pieces) -> list[ScoreForm]:
    """The models of each size, one a fold; linear ones about the same centres."""
    arrays = {key: value for key, value in vars(form).items() if isinstance(value, np.ndarray)}
    found: list[ScoreForm] = []
    for s in range(pieces.n_sizes):
        own: dict[str, Any] = {key: value[pieces.of_size(s)] for key, value in arrays.items()}
        found.append(replace(form, **own))
    lines = [part for part in found if isinstance(part, Linear)]
    return [part.about(lines[0].center) for part in lines] if lines else found
