"""Models of inner products: every training set and every penalty from one Gram matrix.

Settings that differ by their penalty alone share the matrix, and so do the training sets: rows that one of them leaves
out have weight 0. Behind steps, and where the kernel itself learns from the training rows, every training set has a
matrix of its own, of the rows that it trains on or tests, which all penalties share.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock, Semaphore
from typing import NamedTuple, TypeVar

import numpy as np

from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.numerics.value_key import value_key
from assay.sharing.dataset import stacked
from assay.sharing.fit_pipeline import fit_steps
from assay.sharing.fold_warnings import FoldWarnings, collect_warnings
from assay.sharing.part import Part
from assay.sharing.protocols import GramProblem, Sharer, offered
from assay.sharing.reductions import Kept, Reduction, reduced
from assay.sharing.refit import take_rows
from assay.sharing.settings import Settings, model_of, steps_of
from assay.sharing.splits import ROOT
from assay.sharing.study import Study
from assay.statistics.solve_diagnostics import check_classes, in_splits
from assay.statistics.weights import subset_weight
from assay.types import Array, Codes, Estimator, Index, Mask, MatrixLike

Result = TypeVar("Result")


def _note(name: str, estimator: Estimator, study: Study) -> Note | None:
    """Models that are solved from a matrix which fits into memory."""
    model, data = model_of(estimator), study.dataset
    if offered(model, "solve_gram") is None:
        return Note("S000", type(model).__name__)
    if data.sparse:
        return Note("S002")
    rows = max(data.n_rows, int(study.splits.trained.max(initial=0)))
    note: Note | None = model.gram_note(rows, data.width, data.engine.memory)
    size = 8 * data.n_rows**2
    if note is None and (size > data.engine.memory or not data.fits()):
        return Note("S010", type(model).__name__, {"rows": data.n_rows, "gibibytes": size / 2**30})
    return note


class _GramScores(NamedTuple):
    """What one training set gives for a setting: scores (P, K), whether it is solved, and what was heard on the way."""

    scores: Array
    solved: bool
    warned: FoldWarnings


class _ScoreCache:
    """Scores by setting, training set and tests, as far as there is room: comparisons ask for many of them again."""

    def __init__(self, of: tuple[object, ...], most: int) -> None:
        self.of, self.most, self.size = of, most, 0  # held, so that no other arrays take their addresses
        self.scores: dict[Hashable, _GramScores] = {}

    def add(self, key: Hashable, scored: _GramScores) -> None:
        if key not in self.scores and self.size + scored.scores.nbytes <= self.most:
            self.size += scored.scores.nbytes
            self.scores[key] = scored


@dataclass(frozen=True, eq=False)
class SolvedGram:
    """Models that are solved when their scores are asked for."""

    settings: Settings
    study: Study
    unsolved: dict[int, set[int]] = field(default_factory=dict)  # by setting, models that stopped early
    warned: dict[int, FoldWarnings] = field(default_factory=dict)

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T)."""
        with single_threaded():
            return keep.finish(reduced(self._parts(only), keep))

    def _parts(self, only: Mask | None) -> Iterator[Part]:
        """The scores of every training set, setting by setting."""
        splits, engine, cache = self.study.splits, self.study.dataset.engine, self._cache()
        tasks = []
        for which in self.settings.families(lambda model: model.gram_parameters):
            family = _Family(self.settings, which, self.study)
            for m, tests in splits.tasks(
                None if only is None else np.asarray(only[family.which].any(axis=0))
            ):
                keys = self._keys_of(family, m, tests) if cache.most else []
                left = [i for i in range(len(family.which)) if not keys or keys[i] not in cache.scores]
                family.left += bool(left)
                tasks.append((family, m, tests, left, keys))
        results = engine.each(tasks, lambda task: task[0].scores(*task[1:4]), self.settings.names[0])
        for (family, m, tests, left, keys), fresh in zip(tasks, results, strict=True):
            new = dict(zip(left, fresh, strict=True))
            for place, s in enumerate(family.which):
                scored = new[place] if place in new else cache.scores[keys[place]]
                if keys:
                    cache.add(keys[place], scored)
                yield from self._part(family, s, m, tests, scored, only)

    def _part(
        self, family: _Family, s: int, m: int, tests: Codes, scored: _GramScores, only: Mask | None
    ) -> Iterator[Part]:
        row, test = self.study.splits.rows_of(tests)
        if not scored.solved:
            self.unsolved.setdefault(s, set()).add(m)
        self.warned.setdefault(s, FoldWarnings()).also(scored.warned)
        part = self.study.part(s, row, test, scored.scores, None, family.priors, False)
        part = part if only is None else part.take(only[s][test])
        if len(part.row):
            yield part

    def _cache(self) -> _ScoreCache:
        """Where scores are kept, as soon as tests inside training sets are asked for."""
        splits, codes = self.study.splits, self.study.dataset.codes
        key = "gram scores", id(codes), id(splits.cell)
        inside = (splits.parent != ROOT) & (splits.parent != splits.model)
        if key not in self.study.store and not inside.any():
            return _ScoreCache((), 0)
        return self.study.once(
            key, lambda: _ScoreCache((codes, splits.cell), self.study.dataset.engine.memory // 8)
        )

    def _keys_of(self, family: _Family, m: int, tests: Codes) -> list[Hashable]:
        where = self.study.splits.key_of(m, tests)
        return [(self._values[s], where) for s in family.which]

    @cached_property
    def _values(self) -> list[Hashable]:
        return [value_key(estimator) for estimator in self.settings.estimators]

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, solvers that stopped early, and what steps warned about."""
        outer = self.study.reported
        early = len(self.unsolved.get(s, set()).intersection(outer.tolist()))
        stopped = (Note("S210", values=in_splits(early, len(outer))),) if early else ()
        return (*stopped, *self.study.warnings(self.settings.estimators[s], self.warned.get(s)))


class _Family:
    """Settings that share a matrix, or one for every training set."""

    def __init__(self, settings: Settings, which: list[int], study: Study) -> None:
        self.which, self.study = which, study
        self.estimator = settings.estimators[which[0]]
        self.models = [model_of(settings.estimators[s]) for s in which]
        self._steps = bool(steps_of(self.estimator))
        self._shares = not self._steps and not self.models[0].learns_kernel()
        self.left = 0  # training sets that still need the shared matrix
        self._lock = Lock()
        self._shared: Array | None = None
        data = study.dataset
        self._room = Semaphore(max(1, data.engine.memory // (8 * data.n_rows**2)))
        self._factor = study.class_factor(offered(self.models[0], "class_weight"))
        counts = study.training_weight() if self._factor is None else study.training_weight() * self._factor
        check_classes(counts, data.classes)
        self._absent = counts == 0
        self.priors = study.priors("ml", self._factor)

    def scores(self, m: int, tests: Codes, places: list[int]) -> list[_GramScores]:
        """Some of the settings on the tested rows of one training set."""
        if not places:
            return []
        row, _ = self.study.splits.rows_of(tests)
        with collect_warnings() as warned, nullcontext() if self._shares else self._room:
            problem = self._problem(m, row)
            scores, solved = self.models[0].solve_gram(problem, [self.models[place] for place in places])
        with self._lock:
            self.left -= 1
            if not self.left:
                self._shared = None  # the next family needs the room
        scores[:, :, self._absent[m]] = -np.inf
        return [_GramScores(values, bool(done), warned) for values, done in zip(scores, solved, strict=True)]

    def _problem(self, m: int, row: Index) -> GramProblem:
        """A training set and the rows that it tests, in the matrix that they share or in one of their own."""
        train = self.study.splits.train_rows(m)
        if self._steps:
            return self._behind_steps(m, train, row)
        data = self.study.dataset
        rows = np.arange(data.n_rows) if self._shares else np.union1d(train, row)
        gram = self._together() if self._shares else self._gram(data.source(), train, data.weight, rows)
        place, test = np.searchsorted(rows, train), np.searchsorted(rows, row)
        return self._weighted(m, gram, data.codes[rows], train, place, test)

    def _together(self) -> Array:
        """The matrix of all rows, made by the first who needs it."""
        data = self.study.dataset
        with self._lock:
            if self._shared is None:
                self._shared = self._gram(data.source(), np.arange(data.n_rows), data.weight, None)
            return self._shared

    def _behind_steps(self, m: int, train: Index, row: Index) -> GramProblem:
        """In a matrix of the rows in use, as the steps make them that learn from the training rows."""
        data, weight = self.study.dataset, subset_weight(self.study.dataset.weight, train)
        X, tested = data.source(), np.unique(row)
        steps, rows = fit_steps(self.estimator, take_rows(X, train), data.classes[data.codes[train]], weight)
        learned = data.numbers(rows)
        distinct, first, place = np.unique(train, return_index=True, return_inverse=True)
        if len(distinct) < len(train) and (learned != learned[first][place]).any():
            distinct, first, place = (
                train,
                np.arange(len(train)),
                np.arange(len(train)),
            )  # copies came out unequal
        both = stacked([learned[first], data.numbers(steps.transform(take_rows(X, tested)))])
        row_weight = None if weight is None else np.append(weight[first], np.zeros(len(tested)))
        gram = self._gram(both, place, row_weight, None)
        codes = data.codes[np.concatenate([distinct, tested])]
        return self._weighted(m, gram, codes, train, place, len(distinct) + np.searchsorted(tested, row))

    def _gram(self, X: MatrixLike, train: Index, weight: Array | None, some: Index | None) -> Array:
        matrix: Array = self.models[0].gram(X, train, weight, some, self.study.dataset.engine.threads)
        return matrix

    def _weighted(
        self, m: int, gram: Array, codes: Codes, train: Index, place: Index, test: Index
    ) -> GramProblem:
        """place : of every row trained on, in the matrix"""
        data = self.study.dataset
        given = subset_weight(data.weight, train)
        weight = np.ones(len(train)) if given is None else given
        if self._factor is not None:
            weight = weight * self._factor[m][data.codes[train]]
        counted = np.bincount(place, weight, len(codes)).astype(np.float64, copy=False)
        return GramProblem(gram, codes, data.n_classes, counted, test, data.engine.threads)


GRAM = Sharer("gram", _note, SolvedGram)
