"""Passes over rows for the solvers that need every row again and again.

Rows are visited fold by fold in small blocks, by our own threads. A pass computes, for a stack of linear models at
once, scores Z Bᵀ, and from residuals R the sums R Z: two matrix products a block. Sums are kept per chunk of blocks
and added in the order of the rows, so their bits do not depend on the number of threads.

Steps on the way need fewer digits than their end: a pass that is not asked to be exact may compute in single precision.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from assay import _core
from assay.numerics.interrupt import check_interrupt, stop_events, stop_with
from assay.solvers.compiled import CompiledPasses, Sums
from assay.solvers.rows import DenseRows, RowBlock, SolverRows
from assay.types import Array

Item = TypeVar("Item")
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class _Chunk:
    fold: int
    rows: NDArray[np.int64]


class Passes:
    """Rows cut into folds, and threads that go through them; use it in a `with` block.

    fold : (N,)
        Fold of each row; rows of negative folds are not visited.
    """

    def __init__(
        self,
        rows: SolverRows,
        codes: NDArray[np.int32],
        weight: Array | None,
        fold: NDArray[np.int32],
        n_folds: int,
        threads: int,
    ) -> None:
        self.rows, self.codes, self.weight = rows, codes, weight
        self.n_folds = n_folds
        self.count = 0  # passes made, in reads of all rows
        self.block = rows.rows_a_block
        self._chunks = list(_chunks(fold, n_folds, rows.rows_a_chunk))
        self.threads, self._ended = threads, threading.Event()
        self._pool = ThreadPoolExecutor(
            threads, initializer=stop_with, initargs=(*stop_events(), self._ended)
        )

    def __enter__(self) -> Passes:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._pool.shutdown(cancel_futures=True)

    def through(self, choose: Callable[[SolverRows], SolverRows]) -> Passes:
        """The same rows and threads with other columns; its passes are counted by themselves."""
        other, rows = copy(self), choose(self.rows)
        other.__dict__.pop("_compiled", None)
        other.rows, other.block, other.count = rows, rows.rows_a_block, 0
        return other

    @cached_property
    def _compiled(self) -> CompiledPasses | None:
        """The passes made without Python, for tables of numbers."""
        if not isinstance(self.rows, DenseRows):
            return None
        return _compiled(self._chunks, self.rows, self.codes, self.weight, self.threads)

    @property
    def coarse(self) -> bool:
        """Whether a pass that need not be exact is quicker."""
        return self._compiled is not None and self._compiled.coarse

    @property
    def sums(self) -> Sums:
        """What compiled solvers ask for sums."""
        return _PythonSums(self) if self._compiled is None else self._compiled.sums

    def map(self, work: Callable[[Item], Kept], items: Iterable[Item]) -> list[Kept]:
        """Work done by the threads, results in order."""
        return list(self._pool.map(work, items))

    def visit(self, work: Callable[[Item], Kept], items: Iterable[Item]) -> list[Kept]:
        """The same of work that asks for rows by their numbers."""
        return self.map(work, items)

    def fold_rows(self) -> list[NDArray[np.int64]]:
        """Row numbers of each fold."""
        nothing = [np.zeros(0, dtype=np.int64)]
        return [
            np.concatenate(nothing + [chunk.rows for chunk in self._chunks if chunk.fold == f])
            for f in range(self.n_folds)
        ]

    def class_weights(self, n_classes: int) -> Array:
        """Total weight of each class in each fold, (F, K)."""
        out = np.zeros((self.n_folds, n_classes))
        for chunk in self._chunks:
            weight = None if self.weight is None else self.weight[chunk.rows]
            out[chunk.fold] += np.bincount(self.codes[chunk.rows], weight, n_classes)
        return out

    def over(self, folds: NDArray[np.bool_], work: Callable[[_Chunk], Kept]) -> Iterator[tuple[int, Kept]]:
        """(fold, what `work` makes of it) of every chunk of these folds, in order."""
        check_interrupt()
        chunks = [chunk for chunk in self._chunks if folds[chunk.fold]]
        self.count += 1
        for chunk, result in zip(chunks, self._pool.map(work, chunks), strict=True):
            yield chunk.fold, result

    def blocks(self, chunk: _Chunk) -> Iterator[tuple[RowBlock, NDArray[np.int32], Array | None]]:
        """The blocks of a chunk with the classes and weights of their rows."""
        for start in range(0, len(chunk.rows), self.block):
            which = chunk.rows[start : start + self.block]
            weight = None if self.weight is None else self.weight[which]
            yield self.rows.block(which), self.codes[which], weight

    def gradients(self, B: Array, share: Array, *, exact: bool = True) -> tuple[Array, Array]:
        """Sums of gradients (G, C, P+1) and of losses (G,) of G models, each over the folds it is trained on.

        B : (G, C, P+1)
            One row a class, or a single one for two classes.
        share : (G, F)
            What a fold's rows count in each model.
        """
        gradient, loss = np.zeros(B.shape), np.zeros(len(B))
        models = [np.flatnonzero(share[:, f]) for f in range(self.n_folds)]
        for f, (part, lost) in self._stacked([np.ascontiguousarray(B[groups]) for groups in models], exact):
            gradient[models[f]] += share[models[f], f, None, None] * part
            loss[models[f]] += share[models[f], f] * lost
        return gradient, loss

    def fold_gradients(self, B: Array, *, exact: bool = True) -> tuple[Array, Array]:
        """The same of a single model (C, P+1), fold by fold: (F, C, P+1) and (F,)."""
        gradient, loss = np.zeros((self.n_folds, *B.shape)), np.zeros(self.n_folds)
        for f, (part, lost) in self._stacked([B[None]] * self.n_folds, exact):
            gradient[f] += part[0]
            loss[f] += lost[0]
        return gradient, loss

    def _stacked(self, models: list[Array], exact: bool) -> Iterator[tuple[int, tuple[Array, Array]]]:
        """(fold, sums of gradients and losses of its models), some of a fold's rows at a time, in order."""
        if self._compiled is not None:
            self.count += 1
            return enumerate(self._compiled.gradients(models, exact))
        nonempty = np.array([len(fold_models) > 0 for fold_models in models])
        return self.over(nonempty, lambda chunk: self._gradient_of(chunk, models[chunk.fold]))

    def _gradient_of(self, chunk: _Chunk, B: Array) -> tuple[Array, Array]:
        groups, classes, width = B.shape
        flat = B.reshape(groups * classes, width)
        gradient, loss = np.zeros(flat.shape), np.zeros(groups)
        for block, codes, weight in self.blocks(chunk):
            scores = block.scores(flat)
            _core.logistic.softmax_residuals(scores.reshape(groups, classes, -1), codes, weight, loss)
            gradient += block.products(scores)
        return gradient.reshape(B.shape), loss

    def posteriors(self, B: Array, share: Array) -> list[Array]:
        """Posteriors (G_f, C, rows) of every chunk under the models trained on its fold, in order of the chunks."""
        stacked = self._by_fold(B, share)

        def work(chunk: _Chunk) -> Array:
            models = stacked[chunk.fold]
            out = np.empty((*models.shape[:2], len(chunk.rows)))
            if len(models) == 0:  # none of them is trained on this fold
                return out
            for start, (block, _, _) in zip(
                range(0, out.shape[2], self.block), self.blocks(chunk), strict=True
            ):
                scores = block.scores(models.reshape(-1, models.shape[2])).reshape(*models.shape[:2], -1)
                for g in range(len(models)):
                    _core.logistic.softmax_posteriors(scores[g])
                out[:, :, start : start + self.block] = scores
            return out

        return [posterior for _, posterior in self.over(np.ones(self.n_folds, dtype=bool), work)]

    def curvatures(self, V: Array, share: Array, posteriors: list[Array]) -> Array:
        """Sums of second derivatives at the kept posteriors times directions V (G, C, P+1)."""
        stacked, place = self._by_fold(V, share), {id(chunk): at for at, chunk in enumerate(self._chunks)}

        def work(chunk: _Chunk) -> Array:
            models, p = stacked[chunk.fold], posteriors[place[id(chunk)]]
            flat = models.reshape(-1, models.shape[2])
            total = np.zeros(flat.shape)
            for start, (block, _, weight) in zip(
                range(0, len(chunk.rows), self.block), self.blocks(chunk), strict=True
            ):
                block_posteriors = p[:, :, start : start + self.block]
                r = _curved(block_posteriors, block.scores(flat).reshape(block_posteriors.shape), weight)
                total += block.products(r.reshape(len(flat), -1))
            return total.reshape(models.shape)

        return self._summed(V.shape, share, work)

    def curvature_diagonals(self, share: Array, posteriors: list[Array]) -> Array:
        """Diagonals of the summed second derivatives, (G, C, P+1)."""
        place = {id(chunk): at for at, chunk in enumerate(self._chunks)}

        def work(chunk: _Chunk) -> Array:
            p = posteriors[place[id(chunk)]]
            total = np.zeros((p.shape[0] * p.shape[1], self.rows.width + 1))
            for start, (block, _, weight) in zip(
                range(0, len(chunk.rows), self.block), self.blocks(chunk), strict=True
            ):
                block_posteriors = p[:, :, start : start + self.block]
                r = (
                    block_posteriors * (1.0 - block_posteriors)
                    if weight is None
                    else block_posteriors * (1.0 - block_posteriors) * weight
                )
                total += block.square_products(r.reshape(len(total), -1))
            return total.reshape(*p.shape[:2], -1)

        classes = posteriors[0].shape[1] if posteriors else 1
        return self._summed((len(share), classes, self.rows.width + 1), share, work)

    def _by_fold(self, B: Array, share: Array) -> list[Array]:
        """The models that are trained on each fold."""
        return [np.ascontiguousarray(B[share[:, f] > 0.0]) for f in range(self.n_folds)]

    def _summed(self, shape: tuple[int, ...], share: Array, work: Callable[[_Chunk], Array]) -> Array:
        """Sums over the chunks of each model's folds."""
        out, trained = np.zeros(shape), share > 0.0
        for f, part in self.over(np.asarray(trained.any(axis=0)), work):
            out[trained[:, f]] += share[trained[:, f], f, None, None] * part
        return out

    def margins(self, B: Array, folds: NDArray[np.bool_]) -> tuple[float, float]:
        """Least margin of a row that counts (its class's score less the best other one), and the largest in size."""
        chunk_extremes = [(np.inf, 0.0)]

        def work(chunk: _Chunk) -> tuple[float, float]:
            block_extremes = [(np.inf, 0.0)]
            for block, codes, weight in self.blocks(chunk):
                margin = margins_of(block.scores(B), codes)
                margin = margin if weight is None else margin[weight > 0]
                if len(margin):
                    block_extremes.append((float(margin.min()), float(np.abs(margin).max())))
            return min(low for low, _ in block_extremes), max(high for _, high in block_extremes)

        chunk_extremes += [part for _, part in self.over(folds, work)]
        return min(low for low, _ in chunk_extremes), max(high for _, high in chunk_extremes)

    def fold_grams(self, B: Array, folds: NDArray[np.bool_] | None = None, *, exact: bool = True) -> Array:
        """Second derivatives of a single model (C, P+1), fold by fold: (F, pairs, P+1, P+1).

        Pair (k, l) holds Σ w p_k p_l z zᵀ, k < l; a single class holds Σ w p (1 - p) z zᵀ.
        """
        classes, width = B.shape
        pairs = list(combinations(range(classes), 2)) or [(0, 0)]
        folds = np.ones(self.n_folds, dtype=bool) if folds is None else folds
        if self._compiled is not None:
            self.count += 1
            return self._compiled.grams(B, folds, len(pairs), exact)
        out = np.zeros((self.n_folds, len(pairs), width, width))

        def work(chunk: _Chunk) -> Array:
            total = np.zeros(out.shape[1:])
            for block, _, weight in self.blocks(chunk):
                p = block.scores(B)
                _core.logistic.softmax_posteriors(p)
                for at, (k, other) in enumerate(pairs):
                    r = p[k] * (1.0 - p[k] if classes == 1 else p[other])
                    total[at] += block.gram(r if weight is None else r * weight)
            return total

        for f, part in self.over(folds, work):
            out[f] += part
        return out


class _PythonSums:
    """Passes made here for a compiled solver, which writes down where their sums shall go."""

    def __init__(self, passes: Passes) -> None:
        self.passes, self.n_rows = passes, len(passes.codes)

    def gradients(
        self, models: Array, first: NDArray[np.int64], exact: bool, _: int, gradient: Array, loss: Array
    ) -> None:
        gradient[:], loss[:] = 0.0, 0.0
        places = [slice(a, b) for a, b in zip(first, first[1:], strict=False)]
        for f, (part, lost) in self.passes._stacked([models[place] for place in places], exact):
            gradient[places[f]] += part
            loss[places[f]] += lost

    def grams(self, model: Array, wanted: NDArray[np.bool_], exact: bool, _: int, out: Array) -> None:
        out[:] = self.passes.fold_grams(model, wanted, exact=exact)


def compiled_passes(
    rows: DenseRows,
    codes: NDArray[np.int32],
    weight: Array | None,
    fold: NDArray[np.int32],
    n_folds: int,
    threads: int,
) -> CompiledPasses | None:
    """Passes made without Python over a table of numbers; None where no row lies in a fold."""
    return _compiled(list(_chunks(fold, n_folds, rows.rows_a_chunk)), rows, codes, weight, threads)


def _compiled(
    chunks: list[_Chunk], rows: DenseRows, codes: NDArray[np.int32], weight: Array | None, threads: int
) -> CompiledPasses | None:
    if not chunks:
        return None
    places = [chunk.rows for chunk in chunks]
    start = np.cumsum([0, *map(len, places)]).astype(np.int64)
    fold = np.array([chunk.fold for chunk in chunks], dtype=np.int32)
    return CompiledPasses.of(rows, np.concatenate(places), start, fold, codes, weight, threads)


def margins_of(scores: Array, codes: NDArray[np.int32]) -> Array:
    """Score of each row's class less the best of the others; scores (C, rows), a single one for two classes."""
    if len(scores) == 1:
        return np.asarray(np.where(codes == 1, scores[0], -scores[0]))
    rows = np.arange(scores.shape[1])
    class_scores = scores[codes, rows]
    others = scores.copy()
    others[codes, rows] = -np.inf
    return np.asarray(class_scores - others.max(axis=0))


def _curved(p: Array, scores: Array, weight: Array | None) -> Array:
    """w p_k (s_k - Σ_j p_j s_j), or w p (1 - p) s for two classes; (G, C, rows)."""
    mean = p * scores if p.shape[1] == 1 else (p * scores).sum(axis=1, keepdims=True)
    out = p * (scores - mean)
    return out if weight is None else out * weight


def _chunks(fold: NDArray[np.int32], n_folds: int, size: int) -> Iterator[_Chunk]:
    order = np.argsort(fold, kind="stable").astype(np.int64)
    fold_ends = np.searchsorted(fold[order], np.arange(n_folds + 1))
    for f in range(n_folds):
        for start in range(fold_ends[f], fold_ends[f + 1], size):
            yield _Chunk(f, order[start : min(start + size, fold_ends[f + 1])])
