"""Mistakes of a grid of settings: where decisions are all that is asked for, no scores are kept.

Settings that share bases are counted together, and every row is read once for all of them and all models that test it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from assay import _core
from assay.numerics.value_key import value_key
from assay.sharing.dataset import Block
from assay.sharing.moments.bases import Bases
from assay.sharing.moments.moment_pipeline import MomentPipeline
from assay.sharing.reductions import CountsMistakes, Kept
from assay.sharing.splits import Splits
from assay.sharing.steps import TrainingStatistics, mapped
from assay.sharing.study import Study
from assay.statistics import Filling, Moments
from assay.types import Array, Codes, Index

TOGETHER = 8  # models that are solved together
BYTES = 1 << 26  # of the bases of a pass over the rows
LABEL = "Mistakes"


def count_mistakes(
    study: Study, pipelines: list[MomentPipeline], trained: TrainingStatistics, keep: CountsMistakes[Kept]
) -> dict[int, Array] | None:
    """Of every pipeline sums (G, K, 5) as `Losses` has them; None where a row has no score at all.

    keep : groups `of` tests, and `priors` to decide under
    """
    data = study.dataset
    powers = [None, None] if data.weight is None else [data.weight, data.weight**2]
    of_cells = [study.splits.sums_of_cells(data.codes, data.n_classes, weight)[0] for weight in powers]
    wrong = _wrong(study, pipelines, trained, keep)
    if wrong is None:
        return None
    group = np.zeros((keep.n_groups, study.splits.n_cells))
    counted = keep.of >= 0
    np.add.at(group, keep.of[counted], study.splits.tested[counted])
    amount, squares = np.moveaxis(np.einsum("gc,ckp->gkp", group, np.stack(of_cells, axis=-1)), -1, 0)
    return {
        pipeline.setting: np.stack([amount, lost, squares, lost2, lost2], axis=-1)
        for pipeline, (lost, lost2) in zip(pipelines, np.moveaxis(wrong, (2, 3), (0, 1)), strict=True)
    }


def _wrong(
    study: Study, pipelines: list[MomentPipeline], trained: TrainingStatistics, keep: CountsMistakes[Kept]
) -> Array | None:
    """Sums of w and of w² over the rows that each pipeline gets wrong, (G, K, pipelines, 2)."""
    data, moments = study.dataset, trained.moments
    tests = _Tests.of(study.splits, keep.of)
    center, unit = _frame(moments)
    sums = np.zeros((keep.n_groups, data.n_classes, len(pipelines), 2))
    groups: dict[Hashable, list[int]] = {}
    for i, pipeline in enumerate(pipelines):
        groups.setdefault(value_key(pipeline.steps), []).append(i)
    for numbers in groups.values():
        alike = [pipelines[i] for i in numbers]
        most = max(1, BYTES // max(1, 8 * len(alike) * moments.n_classes * moments.n_features**2))
        size, models = min(most, TOGETHER), len(moments.weight)
        parts = [np.arange(at, min(models, at + size)) for at in range(0, models, size)]
        solve = partial(_bases, alike, trained, keep.priors)
        solved = list(data.engine.each(parts, solve, ""))
        for part, bases in _joined(parts, solved, most):
            table, line = tests.made_by(part)
            count = _Count(bases, table, center, unit, trained.filling, data.n_classes, data.engine.threads)
            counts = study.reduce(count, lambda a, b: a + b, LABEL)
            used = [place for place, number in enumerate(bases.slots) if number >= 0]
            tested = table >= 0
            of_pipelines = np.zeros((*sums.shape[:2], len(alike), 2))
            of_slots = np.zeros((keep.n_groups, data.n_classes, len(used), 2))
            np.add.at(of_slots, line[tested], counts[tested][:, :, used])
            of_pipelines[:, :, [bases.slots[place] for place in used]] = of_slots
            sums[:, :, numbers] += of_pipelines
    return None if np.isnan(sums).any() else sums


def _bases(
    pipelines: list[MomentPipeline], trained: TrainingStatistics, priors: Array | None, part: Index
) -> Bases:
    """Bases of some of the models, as functions of the raw rows."""
    way = mapped(pipelines[0].steps, TrainingStatistics(trained.moments[part], None, trained.filling))
    models = [pipeline.model for pipeline in pipelines]
    bases: Bases = models[0].solve_grid(models, way.moments, priors)
    return bases if way.path is None else bases.behind(way.path, way.original.mean)


class _Tests(NamedTuple):
    """All (cell, test) that are counted, by cell: the model of the test and its group."""

    cell: Index
    model: Codes
    group: Codes
    n_cells: int

    @classmethod
    def of(cls, splits: Splits, group: Codes) -> _Tests:
        counted = np.flatnonzero(group >= 0)
        cell, place = np.nonzero(splits.tested[counted].T)
        test = counted[place]
        return cls(cell, splits.model[test], group[test], splits.n_cells)

    def made_by(self, part: Index) -> tuple[Codes, Codes]:
        """Models of the part that test each cell, by their place in it, (cells, tests), -1: none; and their groups."""
        inside = np.isin(self.model, part)
        cell = self.cell[inside]
        per_cell = np.bincount(cell, minlength=self.n_cells)
        rank = np.arange(len(cell)) - (np.cumsum(per_cell) - per_cell)[cell]
        table = np.full((self.n_cells, max(1, int(per_cell.max(initial=0)))), -1, dtype=np.int32)
        group = np.zeros_like(table)
        table[cell, rank], group[cell, rank] = self.model[inside] - part[0], self.group[inside]
        return table, group


@dataclass(frozen=True)
class _Count:
    """Mistakes on the rows of a block, (cells, tests, K, slots, 2); NaN where a row has no score."""

    bases: Bases
    tests: Codes
    center: Array
    unit: Array
    filling: Filling | None
    n_classes: int
    threads: int

    def __call__(self, block: Block) -> Array:
        bases, filling = self.bases, self.filling
        first, source, cell, code = self._sorted(block)
        start = ((self.center - bases.mean)[:, None, :, None, :] @ bases.turn)[..., 0, :]
        slope, level = _lines(bases, self.center)
        sums = np.empty((*self.tests.shape, self.n_classes, len(bases.slots), 2))
        fill, flags = (None, None) if filling is None else (filling.values, filling.indicators)
        count = np.array([len(settings) for settings in bases.served], dtype=np.int32)
        shared = _core.scores.GridBases(count, bases.turn, start, bases.share, bases.bias)
        unusable = _core.scores.grid_mistakes(
            block.X, fill, flags, first, source, cell, code, block.weight, self.tests, self.center, self.unit,
            shared, slope, level, self.threads, sums,
        )  # fmt: skip
        return sums if unusable == 0 else np.full(sums.shape, np.nan)

    def _sorted(self, block: Block) -> tuple[Index, Index, Codes, Codes]:
        """Rows sorted by cell and class: where each begins, which rows, and of what cell and class they are."""
        cells, K = len(self.tests), self.n_classes
        at = np.where(block.cells[0] >= 0, block.cells[0].astype(np.int64) * K + block.codes, cells * K)
        small = at.astype(np.uint16 if cells * K < 2**16 else np.int64)  # few values are sorted by counting
        counts = np.bincount(at, minlength=cells * K + 1)[:-1]
        first = np.append(0, np.cumsum(counts)).astype(np.int64)
        source = np.argsort(small, kind="stable")[: first[-1]].astype(np.int64)
        return first, source, *np.divmod(np.arange(cells * K, dtype=np.int32), np.int32(K))


def _joined(parts: list[Index], solved: list[Bases], most: int) -> list[tuple[Index, Bases]]:
    """Parts that follow each other as one of at most so many models, if their bases serve alike: rows are read once."""
    out: list[tuple[Index, Bases]] = []
    for part, bases in zip(parts, solved, strict=True):
        if out and out[-1][1].serves_like(bases) and len(out[-1][0]) + len(part) <= most:
            out[-1] = np.concatenate([out[-1][0], part]), out[-1][1].followed_by(bases)
        else:
            out.append((part, bases))
    return out


def _frame(m: Moments) -> tuple[Array, Array]:
    """A point near all rows, and for each column the power of two nearest to 1 / deviation."""
    center, offset, _ = m.overall()
    scale = m.deviations()[0]
    exponent = np.round(np.log2(np.where(scale > 0, scale, 1.0)))
    return np.asarray(center[0] + offset[0]), np.exp2(-np.clip(exponent, -1000, 1000))


def _lines(bases: Bases, center: Array) -> tuple[Array, Array]:
    """Slopes (G, L, K, D) and levels (G, L, K) about the centre."""
    groups, classes, width = bases.mean.shape
    if bases.line is None:
        return np.zeros((groups, 0, classes, width)), np.zeros((groups, 0, classes))
    line = bases.line
    level = line.bias + (line.weights @ (center - line.center)[..., None])[..., 0]
    shape = (groups, len(bases.lines), classes)
    return (
        np.ascontiguousarray(line.weights).reshape(*shape, width),
        np.ascontiguousarray(level).reshape(shape),
    )
