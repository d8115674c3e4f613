"""Passes over rows that are read block by block, again for every pass: only sums are kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.numerics.interrupt import stop_events, stop_with
from assay.sharing.dataset import Block
from assay.sharing.path.joined_reads import JoinedReads, ReadRows
from assay.sharing.path.standard import ColumnScaling
from assay.sharing.study import Study
from assay.solvers.compiled import CompiledPasses
from assay.solvers.passes import Passes
from assay.solvers.rows import SolverRows
from assay.statistics import Filling
from assay.types import Array, CellCodes, Codes, Floats, Mask

Sum = TypeVar("Sum")
Outcome = TypeVar("Outcome")
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
    scale: Array | None = None
    pair: Codes | None = None

    def classes(self, codes: Codes) -> Codes:
        """Classes of rows in the problem of these models; they see no row of a class that they do not know."""
        return codes if self.pair is None else (codes == self.pair[1]).astype(np.int32)

    def of(self, cells: CellCodes, codes: Codes) -> Codes:
        """The fold of each row, by its cells (L, rows) and its class; -1: none."""
        cell = cells[self.layer]
        fold = self.number[cell] if not (cell < 0).any() else np.where(cell < 0, -1, self.number[cell])
        if self.by_class:
            fold = np.where(fold < 0, -1, fold * self.by_class + codes)
        return fold.astype(np.int32, copy=False)

    def weight(self, weight: Array | None, codes: Codes) -> Array | None:
        """The weights of rows, times those of their classes."""
        if self.scale is None:
            return weight
        return self.scale[codes] if weight is None else weight * self.scale[codes]


@dataclass(frozen=True)
class FoldReader:
    """How the rows of a block become standardised rows in folds; `choose`: of these some columns."""

    folds: Folds
    standard: ColumnScaling
    filling: Filling | None
    threads: int
    choose: Callable[[SolverRows], SolverRows] | None = None

    def rows(self, X: Floats) -> SolverRows:
        rows = self.standard.rows(X, self.threads, self.filling)
        return rows if self.choose is None else self.choose(rows)

    def passes(self, X: Floats, codes: Codes, weight: Array | None, cells: CellCodes) -> Passes:
        """Passes over rows that lie in memory."""
        folds = self.folds
        weight, fold = folds.weight(weight, codes), folds.of(cells, codes)
        return Passes(self.rows(X), folds.classes(codes), weight, fold, folds.count, self.threads)


@dataclass(frozen=True)
class _Pass(Generic[Sum]):
    """What becomes of a block."""

    read: FoldReader
    work: Callable[[Passes], Sum]

    def __call__(self, block: Block) -> Sum:
        with self.read.passes(block.X, block.codes, block.weight, block.cells) as passes:
            return self.work(passes)


def _added(a: list[Array], b: list[Array]) -> list[Array]:
    return [x + y for x, y in zip(a, b, strict=True)]


class _PassSums:
    """What solvers ask for sums: one reduction for each pass."""

    def __init__(self, study: Study, read: FoldReader) -> None:
        self.study, self.read, self.n_rows = study, read, study.dataset.n_rows

    def gradients(
        self, models: Array, first: NDArray[np.int64], exact: bool, _: int, gradient: Array, loss: Array
    ) -> None:
        models, first, threads = np.array(models), np.array(first), self.read.threads

        def work(passes: Passes) -> list[Array]:
            sums = np.zeros(models.shape), np.zeros(len(models))
            passes.sums.gradients(models, first, True, threads, *sums)
            return list(sums)

        gradient[:], loss[:] = self.study.reduce(_Pass(self.read, work), _added, LABEL)

    def grams(self, model: Array, wanted: Mask, exact: bool, _: int, out: Array) -> None:
        model, wanted, shape, threads = np.array(model), np.array(wanted), out.shape, self.read.threads

        def work(passes: Passes) -> list[Array]:
            sums = np.zeros(shape)
            passes.sums.grams(model, wanted, True, threads, sums)
            return [sums]

        (out[:],) = self.study.reduce(_Pass(self.read, work), _added, LABEL)


class BlockPasses(Passes):
    """Passes by reductions of a study; rows that are asked for by number are read for all who wait for some."""

    def __init__(self, study: Study, read: FoldReader) -> None:
        data = study.dataset
        self.study, self.read, self.threads = study, read, read.threads
        self.codes, self.n_folds, self.count = read.folds.classes(data.codes), read.folds.count, 0
        self.weight = read.folds.weight(data.weight, data.codes)
        self._reads = JoinedReads(data, read.rows, len(read.standard.center))
        self.rows = ReadRows(self._reads)
        self._ended = threading.Event()
        self._pool = ThreadPoolExecutor(
            self.threads, initializer=stop_with, initargs=(*stop_events(), self._ended)
        )
        self.__dict__["_compiled"] = CompiledPasses(_PassSums(study, read), self.threads)

    def through(self, choose: Callable[[SolverRows], SolverRows]) -> Passes:
        other = copy(self)
        other.read, other.rows, other.count = replace(self.read, choose=choose), choose(self.rows), 0
        other.__dict__["_compiled"] = CompiledPasses(_PassSums(self.study, other.read), self.threads)
        return other

    def visit(self, work: Callable[[Any], Outcome], items: Any) -> list[Outcome]:
        return self._reads.together(work, items)

    def _fold(self) -> Codes:
        return self.read.folds.of(self.study.splits.cell, self.study.dataset.codes)

    def fold_rows(self) -> list[NDArray[np.int64]]:
        fold = self._fold()
        return [np.flatnonzero(fold == f) for f in range(self.n_folds)]

    def class_weights(self, n_classes: int) -> Array:
        fold = self._fold()
        used = fold >= 0
        at = fold[used].astype(np.int64) * n_classes + self.codes[used]
        weight = None if self.weight is None else self.weight[used]
        sums = np.bincount(at, weight, self.n_folds * n_classes)
        return sums.reshape(self.n_folds, n_classes).astype(np.float64)

    def posteriors(self, B: Array, share: Array) -> list[Array]:
        """The models: one number per row and model has no room, so every pass computes posteriors again."""
        return [B]

    def curvatures(self, V: Array, share: Array, posteriors: list[Array]) -> Array:
        (B,) = posteriors
        return self._sum(lambda passes: passes.curvatures(V, share, passes.posteriors(B, share)))

    def curvature_diagonals(self, share: Array, posteriors: list[Array]) -> Array:
        (B,) = posteriors
        return self._sum(lambda passes: passes.curvature_diagonals(share, passes.posteriors(B, share)))

    def margins(self, B: Array, folds: Mask) -> tuple[float, float]:
        return self.study.reduce(
            _Pass(self.read, lambda passes: passes.margins(B, folds)),
            lambda a, b: (min(a[0], b[0]), max(a[1], b[1])),
            LABEL,
        )

    def _sum(self, work: Callable[[Passes], Array]) -> Array:
        self.count += 1
        return self.study.reduce(_Pass(self.read, work), lambda a, b: a + b, LABEL)
