"""Mistakes of a grid of settings on the folds and inside them: decisions alone, no scores are kept.

Every fold f is tested by the model that did not see it, and by the models that saw neither it nor fold h, for every
other h: the first are the outer tests, the others are tests inside h. Where the rows are divided once more into inner
folds, a row of inner fold s is tested inside h by the model that saw neither s nor h.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.engines.local import spread, thread_count
from assay.models.normal import deviations
from assay.models.sharing.chain import Background, Chain, find_filling, in_batches
from assay.models.sharing.folds import FoldCells
from assay.models.sharing.pairs import can_pair, without_two
from assay.models.sharing.wide import row_chains
from assay.models.statistical import StatisticsClassifier
from assay.models.validation import TrainingData
from assay.plans import Partition
from assay.sharing.moments.bases import Bases
from assay.sharing.value_key import value_key
from assay.statistics import Filling, Form, Moments
from assay.statistics.moments import stack
from assay.statistics.solve_diagnostics import check_classes

Array = NDArray[np.float64]
TOGETHER = 8  # models that are solved together
BYTES = 1 << 26  # of the bases of a pass over the rows


def can_judge(chains: list[Chain], data: TrainingData, partition: Partition) -> bool:
    """Whether all chains differ in ways that bases can serve, of features that are not too many for the rows."""
    models = [chain.model for chain in chains]
    ready = all(isinstance(model, StatisticsClassifier) and model.has_basis() for model in models)
    alike = len({type(model) for model in models}) == 1
    return ready and alike and can_pair(chains, partition) and not row_chains(chains, data)


def fold_mistakes(chains: list[Chain], moments: FoldCells, priors: Array | None = None) -> Array | None:
    """Sums of w and of w² over the rows that each chain gets wrong, (F + 1, K, chains, 2), by their class.

    Line h < F counts the tests inside fold h, the last line the outer ones. `priors` are those to decide under. None
    where a row has no score at all.
    """
    data, n_jobs = moments.data, moments.n_jobs
    gaps = find_filling(data) if any(chain.imputes for chain in chains) else None
    cells = _Cells.of(data, moments.cells)

    def run(some: list[Chain], form: Form) -> list[Array]:
        filling = gaps if some[0].imputes else None
        outer = moments.of(some, form, filling).complement()
        number, inside = _inside(moments, some, form, filling)
        full = stack([*_each(outer), *_each(inside)])
        check_classes(full.weight, data.classes)
        folds = moments.partition.n_folds
        tests = _Tests(folds, number + folds, Background(full, None, filling), priors)
        return tests.run(some, data, cells, n_jobs)

    found = in_batches(chains, run, gaps is not None)
    sums = np.stack(found, axis=2)
    return None if np.isnan(sums).any() else sums


def _inside(
    moments: FoldCells, chains: list[Chain], form: Form, filling: Filling | None
) -> tuple[NDArray[np.int32], Moments]:
    """Number of the model that tests a cell inside each fold, (cells, F), and moments of what they are trained on."""
    if moments.inner is None:
        return without_two(moments.of(chains, form, filling))
    folds, inner = moments.partition.n_folds, moments.inner.n_folds
    cells = moments.of_cells(chains, form, filling).table(inner)
    trained = (
        cells.complement().turned().complement()
    )  # without an inner fold, then without a fold: (F, inner)
    number = np.arange(folds) * inner + np.repeat(np.arange(inner), folds)[:, None]
    return number.astype(np.int32), trained.flat()


@dataclass(frozen=True)
class _Cells:
    """Tested rows sorted by cell of the folds and class."""

    first: NDArray[np.int64]
    source: NDArray[np.int64]
    fold: NDArray[np.int32]
    own: NDArray[np.int32]

    @classmethod
    def of(cls, data: TrainingData, partition: Partition) -> _Cells:
        folds, classes = partition.n_folds, data.n_classes
        cell = np.where(partition.fold >= 0, partition.fold * classes + data.codes, folds * classes)
        small = cell.astype(
            np.uint16 if folds * classes < 2**16 else np.int64
        )  # few values are sorted by counting
        counts = np.bincount(cell, minlength=folds * classes + 1)[:-1]
        first = np.append(0, np.cumsum(counts)).astype(np.int64)
        source = np.argsort(small, kind="stable")[: first[-1]].astype(np.int64)
        fold, own = np.divmod(np.arange(folds * classes, dtype=np.int32), np.int32(classes))
        return cls(first, source, fold, own)


@dataclass(frozen=True)
class _Tests:
    """Models of the folds, then of folds inside them (`number`, (cells, F)), and what they test."""

    folds: int
    number: NDArray[np.int32]
    background: Background
    priors: Array | None

    def run(self, chains: list[Chain], data: TrainingData, cells: _Cells, n_jobs: int | None) -> list[Array]:
        """Sums of each chain, (F + 1, K, 2); NaN where a row has no score."""
        sums = np.zeros((self.folds + 1, data.n_classes, len(chains), 2))
        groups: dict[Hashable, list[int]] = {}
        for i, chain in enumerate(chains):
            groups.setdefault(value_key(chain.steps), []).append(i)
        for numbers in groups.values():
            some = [chains[i] for i in numbers]
            most = self._most(some)
            parts = self._parts(min(most, TOGETHER))
            solved = spread(partial(self._solve, some), parts, n_jobs)
            for part, bases in _joined(parts, solved, most):
                sums[:, :, numbers] += self._count(bases, part, len(some), data, cells, n_jobs)
        return list(np.moveaxis(sums, 2, 0))

    def _most(self, chains: list[Chain]) -> int:
        """How many models may test the rows together."""
        m = self.background.full
        return max(1, BYTES // max(1, 8 * len(chains) * m.n_classes * m.n_features**2))

    def _parts(self, size: int) -> list[NDArray[np.intp]]:
        """Models in parts that are solved together."""
        models = len(self.background.full.center)
        return [np.arange(start, min(models, start + size)) for start in range(0, models, size)]

    def _solve(self, chains: list[Chain], part: NDArray[np.intp], _: int) -> Bases:
        """Bases of some of the models, as functions of the raw rows."""
        background = Background(self.background.full[part], None, self.background.filling)
        forms = [chain.form(background.filling is not None) for chain in chains]
        mapped = chains[forms.index("full") if "full" in forms else 0].mapped(background)
        models = [chain.model for chain in chains]
        assert isinstance(models[0], StatisticsClassifier)
        bases = models[0].solve_grid(models, mapped.moments, self.priors)
        if mapped.path is not None:
            bases = bases.behind(mapped.path, mapped.original.mean)
        return bases

    def _count(
        self,
        bases: Bases,
        part: NDArray[np.intp],
        settings: int,
        data: TrainingData,
        cells: _Cells,
        n_jobs: int | None,
    ) -> Array:
        """Sums of some models, (F + 1, K, settings, 2)."""
        tests, slot = self._tested_by(part)
        center, unit = _frame(self.background.full)
        start = ((center - bases.mean)[:, None, :, None, :] @ bases.turn)[..., 0, :]
        slope, level = _lines(bases, center)
        slots = bases.slots
        sums = np.empty((*tests.shape, data.n_classes, len(slots), 2))
        filling = self.background.filling
        fill, flags = (None, None) if filling is None else (filling.values, filling.indicators)
        count = np.array([len(each) for each in bases.served], dtype=np.int32)
        unusable = _core.grid_mistakes(
            data.X, fill, flags, cells.first, cells.source, cells.fold, cells.own, data.weight, tests, center, unit,
            (count, *map(np.ascontiguousarray, (bases.turn, start, bases.share, bases.bias)), *bases.near()),
            slope, level, thread_count(n_jobs), sums,
        )  # fmt: skip
        out = np.zeros((self.folds + 1, data.n_classes, settings, 2))
        used = [place for place, number in enumerate(slots) if number >= 0]
        numbers = [slots[place] for place in used]
        for f, t in np.argwhere(tests >= 0):
            out[slot[f, t]][:, numbers] += sums[f, t][:, used]
        return out if unusable == 0 else np.full(out.shape, np.nan)

    def _tested_by(self, part: NDArray[np.intp]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
        """Models of the part that test each cell, (cells, tests), -1: none; and the line each test counts for."""
        folds = self.folds
        fold = np.arange(len(self.number)) % folds
        model = np.concatenate([fold[:, None], self.number], axis=1)
        line = np.broadcast_to(np.append(folds, np.arange(folds)), model.shape)
        there = np.isin(model, part)
        there[:, 1:] &= fold[:, None] != np.arange(folds)
        each = max(1, int(there.sum(axis=1).max()))
        order = np.argsort(~there, axis=1, kind="stable")[:, :each]
        placed = np.where(
            np.take_along_axis(there, order, 1), np.take_along_axis(model, order, 1) - part[0], -1
        )
        return np.ascontiguousarray(placed, dtype=np.int32), np.take_along_axis(line, order, 1)


def _joined(
    parts: list[NDArray[np.intp]], solved: list[Bases], most: int
) -> list[tuple[NDArray[np.intp], Bases]]:
    """Parts that follow each other as one of at most so many models, if their bases serve alike: rows are read once."""
    out: list[tuple[NDArray[np.intp], Bases]] = []
    for part, bases in zip(parts, solved, strict=True):
        if out and out[-1][1].serves_like(bases) and len(out[-1][0]) + len(part) <= most:
            out[-1] = np.concatenate([out[-1][0], part]), out[-1][1].followed_by(bases)
        else:
            out.append((part, bases))
    return out


def _each(m: Moments) -> list[Moments]:
    return [m[g] for g in range(len(m.weight))]


def _frame(m: Moments) -> tuple[Array, Array]:
    """A point near all rows, and for each column the power of two nearest to 1 / deviation."""
    center, offset, _ = m.overall()
    scale = deviations(m)[0]
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
    return np.ascontiguousarray(line.weights).reshape(*shape, width), np.ascontiguousarray(level).reshape(
        shape
    )
