"""Every row under the model of all others: closed form where the family has one, else moments less the row.

The row leaves the moments in the block that scores it. Where that would cost too many digits, as with a row that
carries a class or a direction by itself, the others are summed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple

import numpy as np

from assay.notes import Note
from assay.sharing.dataset import Block
from assay.sharing.forms import ModelPairs
from assay.sharing.moments.moment_pipeline import MomentPipeline, solve_pipeline
from assay.sharing.moments.training import whole
from assay.sharing.part import Part
from assay.sharing.protocols import has_posterior, offered
from assay.sharing.reductions import Accumulator, Kept, Reduction
from assay.sharing.scoring import settled, taken, unusable_rows
from assay.sharing.steps import TrainingStatistics
from assay.sharing.study import Study
from assay.statistics import Filling, Moments, collect
from assay.statistics.checks import check_finite
from assay.statistics.solve_diagnostics import SolveDiagnostics, joined, repeated
from assay.types import Array, ColumnNames, Index, Mask

LABEL = "Scores"
BATCH_NUMBERS = 1 << 22  # numbers in the moments of one batch of left-out rows
# Moments less one row are trusted to this relative error; beyond it the other rows are summed again.
DOWNDATE_LIMIT = 1e-10


class Fragile(NamedTuple):
    """A row that the moments cannot lose, for a setting."""

    pipeline: int
    rows: Block  # the one row


@dataclass
class SettingNotes:
    """What a pass leaves behind of one setting beside scores."""

    covered: int = 0
    troubles: list[SolveDiagnostics] = field(default_factory=list)


@dataclass
class LeftOut(Generic[Kept]):
    """What a block, or several, leave behind."""

    total: Kept | None
    notes: list[SettingNotes]
    fragile: list[Fragile]

    def merge(self, other: LeftOut[Kept], keep: Reduction[Kept, object]) -> LeftOut[Kept]:
        total = Accumulator(keep).merge(self.total, other.total)
        notes = [
            SettingNotes(a.covered + b.covered, a.troubles + b.troubles)
            for a, b in zip(self.notes, other.notes, strict=True)
        ]
        return LeftOut(total, notes, self.fragile + other.fragile)


def score_rows(
    study: Study,
    pipelines: Sequence[MomentPipeline],
    priors: Sequence[Array],
    keep: Reduction[Kept, object],
    only: Mask | None,
) -> tuple[Kept | None, list[tuple[SolveDiagnostics | None, tuple[str, ...]]]]:
    """What the reduction keeps, unfinished; and of every setting what was difficult."""
    data = study.dataset
    everyone = whole(study, pipelines[0].reading)
    work = _LeftOutPass(
        tuple(pipelines), tuple(priors), everyone, only, data.names, data.engine.threads, keep
    )
    width = everyone.scatter.size // max(1, everyone.n_classes)
    result = study.reduce(work, lambda a, b: a.merge(b, keep), LABEL, 8 * (width + 8 * data.n_classes))
    result = _again(study, result, work)
    return result.total, [work.difficulties(number, notes) for number, notes in enumerate(result.notes)]


def _again(study: Study, result: LeftOut[Kept], work: _LeftOutPass[Kept]) -> LeftOut[Kept]:
    """The rows that moments could not lose, each by moments of all others."""
    for number, block in result.fragile:
        pipeline, data = work.pipelines[number], study.dataset
        others = _Others(block.start, pipeline, data.n_classes, data.names, data.engine.threads)
        left = study.reduce(others, lambda a, b: a.merge(b), LABEL)
        left = replace(left[None], importance=data.importance)
        result = result.merge(work.solved(number, block, left, np.zeros(1, dtype=np.intp)), work.keep)
    return replace(result, fragile=[])


@dataclass(frozen=True)
class _Others:
    """Moments of a block without one row."""

    row: int
    pipeline: MomentPipeline
    n_classes: int
    names: ColumnNames
    threads: int

    def __call__(self, block: Block) -> Moments:
        rows = block if not block.start <= self.row < block.start + block.n_rows else self._without(block)
        form, filling, missing = self.pipeline.reading
        moments = collect(
            rows.X, rows.codes, self.n_classes, form=self.pipeline.form, weight=rows.weight,
            missing=missing and self.pipeline.form == "diagonal", filling=filling, threads=self.threads,
        )  # fmt: skip
        check_finite(moments, rows.X, self.names, missing_allowed=missing or filling is not None)
        return moments

    def _without(self, block: Block) -> Block:
        rest = np.arange(block.n_rows) != self.row - block.start
        return _part(block, np.flatnonzero(rest))


def _part(block: Block, rows: Index) -> Block:
    """Some rows of a block; they keep no numbers but that of the first."""
    weight = None if block.weight is None else block.weight[rows]
    first = block.start + int(rows[0]) if len(rows) else block.start
    return Block(first, block.X[rows], block.codes[rows], weight, block.cells[:, rows])


@dataclass(frozen=True)
class _LeftOutPass(Generic[Kept]):
    """The pass over one block."""

    pipelines: tuple[MomentPipeline, ...]
    priors: tuple[Array, ...]
    everyone: Moments
    only: Mask | None
    names: ColumnNames
    threads: int
    keep: Reduction[Kept, object]

    def __call__(self, block: Block) -> LeftOut[Kept]:
        total: LeftOut[Kept] = LeftOut(None, [SettingNotes() for _ in self.pipelines], [])
        for number, pipeline in enumerate(self.pipelines):
            moments = self._own(pipeline)
            rows = np.arange(block.n_rows)
            if self.only is not None:
                rows = np.flatnonzero(self.only[pipeline.setting][block.cells[0]])
            scores = self._closed_form(pipeline, moments, block, rows)
            left_open = np.isnan(scores).any(axis=1)
            total = total.merge(self._closed(number, block, rows[~left_open], scores[~left_open]), self.keep)
            size = moments.scatter.size + 3 * moments.center.size
            batch = max(1, BATCH_NUMBERS // max(1, size))
            rest = rows[left_open]
            for start in range(0, len(rest), batch):
                total = total.merge(
                    self._downdated(number, moments, block, rest[start : start + batch]), self.keep
                )
        return total

    def _own(self, pipeline: MomentPipeline) -> Moments:
        return self.everyone.converted(pipeline.form)

    def _closed_form(self, pipeline: MomentPipeline, moments: Moments, block: Block, rows: Index) -> Array:
        """The family's closed form, NaN in the rows it does not cover."""
        solve = offered(pipeline.model, "loo_moments")
        plain = not pipeline.steps and block.weight is None and moments.present is None
        if solve is not None and plain and len(rows):
            scores: Array | None = solve(moments, block if len(rows) == block.n_rows else _part(block, rows))
            if scores is not None:
                return scores
        return np.full((len(rows), moments.n_classes), np.nan)

    def _closed(self, number: int, block: Block, rows: Index, scores: Array) -> LeftOut[Kept]:
        notes = [SettingNotes() for _ in self.pipelines]
        notes[number].covered = len(rows)
        return LeftOut(self._added(number, block, rows, scores), notes, [])

    def _added(self, number: int, block: Block, rows: Index, scores: Array) -> Kept | None:
        if not len(rows):
            return None
        pipeline = self.pipelines[number]
        posterior = has_posterior(pipeline.model)
        posteriors = settled(
            np.ascontiguousarray(scores), posterior, offered(pipeline.model, "winners"), self.threads
        )
        if posteriors.unusable:
            gaps = pipeline.reading.missing or pipeline.reading.filling is not None
            raise unusable_rows(block, self.names, posteriors.unusable, gaps)
        row, codes, weight = taken(block, rows)
        test = block.cells[0][rows].astype(np.int32)
        return self.keep.add(
            Part(
                pipeline.setting,
                row,
                test,
                posteriors.scores,
                posteriors.best,
                codes,
                weight,
                self.priors[number],
                posterior,
            )
        )

    def _downdated(self, number: int, moments: Moments, block: Block, rows: Index) -> LeftOut[Kept]:
        """The model of each left-out row from the moments of the others."""
        filling = self.pipelines[number].reading.filling
        left, error = moments[None].without(single_rows(block, moments, rows, filling))
        sure = error.max(axis=-1) <= DOWNDATE_LIMIT
        result = self.solved(number, block, left[sure], rows[sure])
        fragile = [Fragile(number, _part(block, rows[i : i + 1])) for i in np.flatnonzero(~sure)]
        return replace(result, fragile=fragile)

    def solved(self, number: int, block: Block, left: Moments, rows: Index) -> LeftOut[Kept]:
        """Rows of a block by models of these moments, one for each."""
        notes = [SettingNotes() for _ in self.pipelines]
        if not len(rows):
            return LeftOut(None, notes, [])
        pipeline = self.pipelines[number]
        form, trouble = solve_pipeline(
            pipeline.steps, pipeline.model, TrainingStatistics(left.in_rows(), None, pipeline.reading.filling)
        )
        if trouble is not None:
            notes[number].troubles.append(trouble)
        pairs = ModelPairs(rows.astype(np.int64), np.arange(len(rows), dtype=np.int32))
        scores = form.scores(block.X, pairs, pipeline.reading.filling, threads=self.threads)
        return LeftOut(self._added(number, block, rows, scores), notes, [])

    def difficulties(
        self, number: int, setting_notes: SettingNotes
    ) -> tuple[SolveDiagnostics | None, tuple[str, ...]]:
        """What was difficult in a setting; rows in closed form met what the model of all rows meets."""
        pipeline, troubles = self.pipelines[number], list(setting_notes.troubles)
        one_by_one = sum(len(trouble.unseen) for trouble in troubles)
        if setting_notes.covered:
            trained = TrainingStatistics(self._own(pipeline).in_rows()[None], None, pipeline.reading.filling)
            trouble = solve_pipeline(pipeline.steps, pipeline.model, trained)[1]
            troubles = [] if trouble is None else [repeated(trouble, setting_notes.covered), *troubles]
        alone = one_by_one > 0 and setting_notes.covered > 0
        notes = (Note("P700", rows=one_by_one),) if alone else ()
        return joined(troubles) if troubles else None, notes


def single_rows(block: Block, moments: Moments, rows: Index, filling: Filling | None) -> Moments:
    """Each row as moments of its own."""
    index, codes = np.arange(len(rows)), block.codes[rows]
    values = block.X[rows].astype(np.float64) if filling is None else filling.read(block.X[rows])
    weight = np.zeros((len(rows), moments.n_classes))
    weight[index, codes] = 1.0 if block.weight is None else block.weight[rows]
    center = np.zeros((len(rows), *moments.center.shape))
    center[index, codes] = np.nan_to_num(values) if moments.present is not None else values
    present = None
    if moments.present is not None:
        present = np.zeros(center.shape)
        present[index, codes] = weight[index, codes][:, None] * ~np.isnan(values)
    scatter = np.zeros((len(rows), *moments.scatter.shape))
    return Moments(
        moments.form,
        weight,
        (weight > 0).astype(np.float64),
        center,
        np.zeros(center.shape),
        scatter,
        present,
    )
