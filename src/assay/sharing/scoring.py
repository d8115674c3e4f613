"""One pass over the rows that scores solved models and hands the scores to a reduction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.notes import Note
from assay.sharing.dataset import Block
from assay.sharing.forms import STACKED_BYTES, ModelPairs, Posteriors, ScoreForm, Together, normalize
from assay.sharing.part import Part
from assay.sharing.reductions import Accumulator, Kept, Reduction
from assay.sharing.splits import Splits
from assay.sharing.study import Study
from assay.statistics import Filling
from assay.statistics.checks import explain_rows
from assay.types import Array, CellCodes, Codes, ColumnNames, Index, Mask

LABEL = "Scores"
ROOM = 1 << 26  # bytes of scores that are made at a time where a reduction does not keep them


class Job(NamedTuple):
    """The models of one setting, to be scored."""

    setting: int
    form: ScoreForm  # of all models, or of some of them: see `score`
    posterior: bool
    priors: Array  # (T, K)
    winners: Callable[[Array], NDArray[np.intp]] | None = None
    gaps: bool = False  # whether missing values may reach the model


def score(
    study: Study,
    jobs: Sequence[Job],
    keep: Reduction[Kept, object],
    only: Mask | None = None,
    models: Codes | None = None,
    filling: Filling | None = None,
) -> Kept | None:
    """What the reduction keeps, unfinished, of the scores of all jobs.

    Parameters
    ----------
    only : (S, T), optional
        Tests that are asked for, by the jobs' numbers of settings.
    models : optional
        Numbers of the models that the forms hold; tests of others are left out.
    """
    splits = study.splits
    place = None
    if models is not None and len(models) < splits.n_models:
        place = np.full(splits.n_models, -1, dtype=np.int32)
        place[models] = np.arange(len(models), dtype=np.int32)
    groups: dict[tuple[bytes, bool], tuple[Mask | None, list[Job]]] = {}
    for job in jobs:
        mask = None if only is None else only[job.setting]
        if place is not None:
            mask = place[splits.model] >= 0 if mask is None else mask & (place[splits.model] >= 0)
        key = b"" if mask is None else mask.tobytes()
        groups.setdefault((key, job.posterior), (mask, []))[1].append(job)
    data = study.dataset
    in_turn = keep.takes_turns
    batches = [
        _Batch.of(splits, mask, alike, place, splits.in_turn(mask) if in_turn else None)
        for mask, alike in groups.values()
    ]
    work = _ScorePass(splits.scheme, place, batches, filling, data.names, data.engine.threads, keep)
    return study.reduce(work, Accumulator(keep).merge, LABEL, _row_bytes(study, batches, keep))


class _Batch(NamedTuple):
    """Jobs that score the same pairs.

    turns : where every row has as many tests, the kind of each cell and the tests of each kind (`Splits.in_turn`); then
        `forms` are those of the first test of the first job, of its second test, and so on: a row is read once for all
    """

    mask: Mask | None
    jobs: list[Job]
    forms: Together
    turns: tuple[Codes, Codes] | None

    @classmethod
    def of(
        cls,
        splits: Splits,
        mask: Mask | None,
        jobs: list[Job],
        place: Codes | None,
        turns: tuple[Codes, Codes] | None,
    ) -> _Batch:
        if turns is not None:
            models = splits.model[turns[1]]
            places = models if place is None else place[models]
            if sum(job.form.nbytes / len(job.form.bias) for job in jobs) * places.size <= STACKED_BYTES:
                forms = [job.form.take(in_form) for job in jobs for in_form in places.T]
                return cls(mask, jobs, Together(forms), turns)
        return cls(mask, jobs, Together([job.form for job in jobs]), None)


def _row_bytes(study: Study, batches: Sequence[_Batch], keep: Reduction[Kept, object]) -> int:
    """Bytes for each row, such that blocks are as large as there is room for."""
    data = study.dataset
    need = sum(
        most_pairs(study.splits, batch.mask) * (32 + len(batch.jobs) * (8 * data.n_classes + 12))
        for batch in batches
    )
    room = data.engine.memory if keep.keeps_scores else ROOM
    return int(3 * need * max(1.0, data.engine.memory / room)) + 1


def most_pairs(splits: Splits, only: Mask | None) -> int:
    """How many tests a row may be in."""
    if splits.row_by_row:
        return 1
    tests = np.arange(splits.n_tests) if only is None else np.flatnonzero(only)
    count = np.zeros((splits.n_layers, splits.n_cells), dtype=np.int64)
    np.add.at(count, splits.layer[splits.model[tests]], splits.tested[tests])
    return int(count.max(axis=1).sum())


@dataclass(frozen=True)
class _ScorePass(Generic[Kept]):
    """The pass over one block."""

    scheme: Splits
    place: Codes | None
    batches: list[_Batch]
    filling: Filling | None
    names: ColumnNames
    threads: int
    keep: Reduction[Kept, object]

    def __call__(self, block: Block) -> Kept | None:
        accumulator = Accumulator(self.keep)
        for batch in self.batches:
            rows, tests, pairs = self._pairs(batch, block)
            if not tests or not len(tests[0]):
                continue
            jobs = [(job, test) for job in batch.jobs for test in tests]
            scored = self._posteriors(batch.forms, [job for job, _ in jobs], block, pairs)
            row, codes, weight = taken(block, rows)
            for (job, test), (scores, best, unusable) in zip(jobs, scored, strict=True):
                if unusable:
                    raise unusable_rows(block, self.names, unusable, job.gaps or self.filling is not None)
                part = Part(job.setting, row, test, scores, best, codes, weight, job.priors, job.posterior)
                accumulator.add(part)
        return accumulator.total

    def _pairs(self, batch: _Batch, block: Block) -> tuple[Index | None, list[Codes], ModelPairs]:
        """Rows to score (None: all), by which tests, and by which models of the forms."""
        if batch.turns is None:
            rows, test = self.scheme.pairs(self._cells(block), batch.mask, self.threads)
            model = self.scheme.models_of(test)
            return rows, [test], ModelPairs(rows, model if self.place is None else self.place[model])
        kinds, tests = batch.turns
        cells = block.cells[0]
        kind = kinds[cells] if not (cells < 0).any() else np.where(cells >= 0, kinds[cells], -1)
        rows = None if (kind >= 0).all() else np.flatnonzero(kind >= 0)
        kind_of_row = np.ascontiguousarray(kind if rows is None else kind[rows], dtype=np.int32)
        return rows, [by_kind[kind_of_row] for by_kind in tests.T], ModelPairs(rows, kind_of_row)

    def _cells(self, block: Block) -> CellCodes:
        """Cells of the rows, -1 of rows that the reduction does not look at."""
        wanted = self.keep.only_rows
        if wanted is None:
            return block.cells
        return np.where(wanted[block.rows], block.cells, -1).astype(block.cells.dtype)

    def _posteriors(
        self, forms: Together, jobs: Sequence[Job], block: Block, pairs: ModelPairs
    ) -> list[Posteriors]:
        if jobs[0].posterior:  # all are, or none
            return forms.log_posteriors(block.X, pairs, self.filling, self.threads)
        of_jobs = forms.scores(block.X, pairs, self.filling, self.threads)
        return [
            settled(scores, job.posterior, job.winners, self.threads)
            for scores, job in zip(of_jobs, jobs, strict=True)
        ]


def settled(
    scores: Array, posterior: bool, winners: Callable[[Array], NDArray[np.intp]] | None, threads: int
) -> Posteriors:
    """Joint log likelihoods normalised in place, or margins as they are; winners, and how many rows have no score."""
    if posterior:
        return Posteriors(scores, *normalize(scores, threads))
    best = scores.argmax(axis=1) if winners is None else winners(scores)
    top = np.take_along_axis(scores, best[:, None], axis=1)[:, 0]
    unusable = np.isnan(scores).any(axis=1) | ~np.isfinite(top)
    return Posteriors(scores, best.astype(np.int32), int(unusable.sum()))


def taken(block: Block, rows: Index | None) -> tuple[Index, Codes, Array | None]:
    """Numbers, classes and weights of some rows of a block; None: of all."""
    if rows is None:
        return block.rows, block.codes, block.weight
    number = block.start + rows if block.start else rows
    return number, block.codes[rows], None if block.weight is None else block.weight[rows]


def unusable_rows(block: Block, names: ColumnNames, count: int, missing_allowed: bool) -> ValueError:
    """Why rows of a block have no score."""
    error = explain_rows(names, block.X, missing_allowed=missing_allowed, first=block.start)
    return error or ValueError(Note("S136", count=count))
