"""Passes over rows that are read block by block, again for every pass: only sums are kept."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.numerics.interrupt import stop_events, stop_with
from assay.sharing.dataset import Block
from assay.sharing.path.standard import ColumnScaling
from assay.sharing.study import Study
from assay.solvers.compiled import CompiledPasses
from assay.solvers.passes import Passes, compiled_passes, margins_of
from assay.solvers.rows import DenseRows
from assay.statistics import Filling
from assay.types import Codes, Floats, Mask

LABEL = "Passes over the rows"


@dataclass(frozen=True)
class Folds:
    """Folds of rows that the models of a layer see alike: cells, or cells and classes where models weigh these.

    Attributes
    ----------
    layer : int
    number : (C,)
        Fold of each cell; -1: no model sees it.
    count : int
    by_class : int
        Classes that a cell is divided into; 0: it is not.
    scale : (K,), optional
        What the weights of each class's rows are multiplied by, for all models alike.
    pair : (2,), optional
        The two classes that the models of a larger table know: their problem is one of two classes.
    """

    layer: int
    number: Codes
    count: int
    by_class: int = 0
    scale: Floats | None = None
    pair: Codes | None = None

    def classes(self, codes: Codes) -> Codes:
        """Classes of rows in the problem of these models; they see no row of a class that they do not know."""
        return codes if self.pair is None else (codes == self.pair[1]).astype(np.int32)

    def of(self, cells: Any, codes: Codes) -> Codes:
        """The fold of each row, by its cells (L, rows) and its class; -1: none."""
        cell = cells[self.layer]
        fold = self.number[cell] if not (cell < 0).any() else np.where(cell < 0, -1, self.number[cell])
        if self.by_class:
            fold = np.where(fold < 0, -1, fold * self.by_class + codes)
        return fold.astype(np.int32, copy=False)

    def weight(self, weight: Floats | None, codes: Codes) -> Floats | None:
        """The weights of rows, times those of their classes."""
        if self.scale is None:
            return weight
        return self.scale[codes] if weight is None else weight * self.scale[codes]


@dataclass(frozen=True)
class _FoldReader:
    """How the rows of a block become standardised rows in folds."""

    folds: Folds
    standard: ColumnScaling
    filling: Filling | None
    threads: int

    def compiled(self, block: Block) -> CompiledPasses | None:
        """Passes over the block; None: it has no row of a fold."""
        fold, weight = (
            self.folds.of(block.cells, block.codes),
            self.folds.weight(block.weight, block.codes),
        )
        codes = self.folds.classes(block.codes)
        return compiled_passes(self.rows(block), codes, weight, fold, self.folds.count, self.threads)

    def rows(self, block: Block) -> DenseRows:
        rows = self.standard.rows(block.X, self.threads, self.filling)
        assert isinstance(rows, DenseRows)
        return rows


@dataclass(frozen=True)
class _Gradients:
    read: _FoldReader
    models: Floats
    first: Any

    def __call__(self, block: Block) -> list[Floats]:
        gradient, loss = np.zeros(self.models.shape), np.zeros(len(self.models))
        passes = self.read.compiled(block)
        if passes is not None:
            passes.sums.gradients(self.models, self.first, True, self.read.threads, gradient, loss)
        return [gradient, loss]


@dataclass(frozen=True)
class _Grams:
    read: _FoldReader
    model: Floats
    wanted: Mask
    shape: tuple[int, ...]

    def __call__(self, block: Block) -> list[Floats]:
        out = np.zeros(self.shape)
        passes = self.read.compiled(block)
        if passes is not None:
            passes.sums.grams(self.model, self.wanted, True, self.read.threads, out)
        return [out]


@dataclass(frozen=True)
class _Margins:
    read: _FoldReader
    B: Floats
    folds: Mask

    def __call__(self, block: Block) -> tuple[float, float]:
        fold, weight = (
            self.read.folds.of(block.cells, block.codes),
            self.read.folds.weight(block.weight, block.codes),
        )
        counts = (fold >= 0) & self.folds[fold]
        which = np.flatnonzero(counts if weight is None else counts & (weight > 0))
        rows = self.read.rows(block).block(which)
        margin = margins_of(rows.scores(self.B), self.read.folds.classes(block.codes[which]))
        return float(margin.min(initial=np.inf)), float(np.abs(margin).max(initial=0.0))


def _added(a: list[Floats], b: list[Floats]) -> list[Floats]:
    return [x + y for x, y in zip(a, b, strict=True)]


class _PassSums:
    """What solvers ask for sums: one reduction for each pass."""

    def __init__(self, study: Study, read: _FoldReader) -> None:
        self.study, self.read, self.n_rows = study, read, study.dataset.n_rows

    def gradients(
        self, models: Floats, first: Any, exact: bool, _: int, gradient: Floats, loss: Floats
    ) -> None:
        work = _Gradients(self.read, np.array(models), np.array(first))
        gradient[:], loss[:] = self.study.reduce(work, _added, LABEL)

    def grams(self, model: Floats, wanted: Mask, exact: bool, _: int, out: Floats) -> None:
        work = _Grams(self.read, np.array(model), np.array(wanted), out.shape)
        (out[:],) = self.study.reduce(work, _added, LABEL)


class BlockPasses(Passes):
    """Passes by reductions of a study, for solvers that ask for sums alone."""

    def __init__(self, study: Study, folds: Folds, standard: ColumnScaling, filling: Filling | None) -> None:
        data, self.threads = study.dataset, study.dataset.engine.threads
        self.study, self.read = study, _FoldReader(folds, standard, filling, self.threads)
        self.codes, self.n_folds, self.count = folds.classes(data.codes), folds.count, 0
        self.weight = folds.weight(data.weight, data.codes)
        self.rows = DenseRows(np.empty((0, 0)), standard.center, standard.unit)
        self._ended = threading.Event()
        self._pool = ThreadPoolExecutor(
            self.threads, initializer=stop_with, initargs=(*stop_events(), self._ended)
        )
        self.__dict__["_compiled"] = CompiledPasses(_PassSums(study, self.read), self.threads)

    def class_weights(self, n_classes: int) -> Floats:
        """Total weight of each class in each fold, (F, K)."""
        fold = self.read.folds.of(self.study.splits.cell, self.study.dataset.codes)
        used = fold >= 0
        at = fold[used].astype(np.int64) * n_classes + self.codes[used]
        weight = None if self.weight is None else self.weight[used]
        sums = np.bincount(at, weight, self.n_folds * n_classes)
        return sums.reshape(self.n_folds, n_classes).astype(np.float64)

    def margins(self, B: Floats, folds: Mask) -> tuple[float, float]:
        """Least margin of a row that counts, and the largest in size."""
        return self.study.reduce(
            _Margins(self.read, B, folds), lambda a, b: (min(a[0], b[0]), max(a[1], b[1])), LABEL
        )
