"""Calibration inside a study: maps from scores that the study has anyway.

The model trained without fold f scores the rows of f; its map is learned from the scores of every other fold g by the
model trained without f and g. So the inner tests of a model are what its map is learned from. A row that is tested
inside a training set, for a choice under a loss, goes through the map of the other inner tests of the same set; for a
choice by error the map of the set itself will do, which is learned anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from assay.decision.isotonic import IsotonicMap, fit_isotonic
from assay.decision.sigmoid import SigmoidMap, fit_sigmoid
from assay.models.combine.inside import AllPairs
from assay.notes import Note
from assay.numerics.blas import single_threaded
from assay.plans import UNUSED, Partition
from assay.sharing.dispatch import Dispatched
from assay.sharing.part import Part
from assay.sharing.reductions import Kept, Reduction, reduced
from assay.sharing.settings import Settings, model_of
from assay.sharing.splits import ROOT, Splits, drawn_inside
from assay.sharing.splits.restriction import test_sizes
from assay.sharing.study import Study
from assay.types import Array, Codes, Index, Integers, Mask

Result = TypeVar("Result")
Map = SigmoidMap | IsotonicMap
FITS: dict[str, Callable[..., Map]] = {"sigmoid": fit_sigmoid, "isotonic": fit_isotonic}
HALF = float(np.log(2.0))


@dataclass(frozen=True, eq=False)
class Calibration:
    """A learned map, and what stands for scores that are not finite.

    Attributes
    ----------
    floor : float
        What stands for -inf: half of the smallest probability seen, or just below the smallest margin. Models that
        count, such as trees and neighbours, say exactly 0 for "less than I can tell".
    bounded : bool
        Whether nothing may lie below it.
    """

    map: Map
    floor: float
    bounded: bool

    @classmethod
    def learned(
        cls,
        method: str,
        scores: Array,
        codes: Codes,
        weight: Array | None,
        posterior: bool,
        name: str,
        row: Index | None,
    ) -> Calibration:
        """From scores (N, K) of rows by models that did not see them.

        posterior : whether these are log posteriors
        name, row : of the model and of the rows, for messages
        """
        seen = np.isfinite(scores)
        floor, bounded = float(scores[seen].min()) - HALF, posterior and not bool(seen.all())
        with single_threaded():
            score_map = FITS[method](level(scores, floor, bounded, name, row), codes, weight)
        return cls(score_map, floor, bounded)


def level(scores: Array, floor: float, bounded: bool, name: str, row: Index | None = None) -> Array:
    """Finite scores; of two classes only the difference counts."""
    bad = np.flatnonzero(np.isnan(scores).any(axis=1) | (scores == np.inf).any(axis=1))
    if len(bad):
        number = bad[0] if row is None else row[bad[0]]
        raise ValueError(Note("M056", name=name, row=number))
    finite = np.where(np.isneginf(scores), floor, scores)
    if bounded:
        finite = np.maximum(finite, floor)
    if finite.shape[1] == 2:
        half = 0.5 * (finite[:, 1] - finite[:, 0])
        return np.stack([-half, half], axis=1)
    return finite


def without(logs: Array, gone: Mask) -> Array:
    """Log posteriors of classes of which no row counted are -inf; the others add up to 1."""
    if not gone.any():
        return logs
    logs = np.where(gone, -np.inf, logs)
    return np.asarray(logs - np.logaddexp.reduce(logs, axis=1, keepdims=True))


def _inner(splits: Splits) -> Mask:
    """Tests inside the training set of another model, (T,)."""
    other = (splits.parent != ROOT) & (splits.parent != splits.model)
    return np.asarray(other & (splits.series == splits.inside))


def inner_tests(splits: Splits) -> dict[int, Index]:
    """The tests inside the training set of every model that has some."""
    inner = _inner(splits)
    return {int(p): np.flatnonzero(inner & (splits.parent == p)) for p in np.unique(splits.parent[inner])}


def with_inner_tests(study: Study) -> Study | None:
    """The study itself, or the next deeper one, whose inner tests serve the maps of all tests of the study.

    None where there are none, or training sets inside would hold a single class.
    """
    if _serves(study.splits, study.splits):
        return study
    if study.splits.deeper is None:
        return None
    try:
        deep = study.deeper()
    except ValueError:  # too few rows to divide
        return None
    return deep if _serves(deep.splits, study.splits) and _two_classes(deep) else None


def _serves(deep: Splits, splits: Splits) -> bool:
    """Whether every owner has inner tests; those of inner tests come from others of the same owner."""
    inner, owners = inner_tests(deep), np.where(_inner(splits), splits.parent, splits.model)
    count = np.array([len(inner.get(owner, ())) for owner in owners.tolist()])
    return bool((count > _inner(splits)).all())


def _two_classes(study: Study) -> bool:
    return bool(((study.class_weight() > 0).sum(axis=1) > 1).all())


def drawn(study: Study, draw: Callable[[Codes], list[Partition]]) -> Study | None:
    """The study with folds inside every training set, drawn from the classes of its rows that count, as a fit would.

    None where a fit would see copies of a row as rows of their own, or a training set inside would hold one class.
    """
    data, splits = study.dataset, study.splits
    if splits.row_by_row or splits.copies.max(initial=0) > 1:
        return None

    def parts(rows: Index) -> list[Partition]:
        counted = rows if data.weight is None else rows[data.weight[rows] > 0]
        partitions = draw(np.unique(data.codes[counted], return_inverse=True)[1].astype(np.int32))
        return [_among(partition, np.isin(rows, counted)) for partition in partitions]

    deep = Study(data, drawn_inside(splits, parts))
    return deep if _two_classes(deep) else None


def _among(partition: Partition, counted: Mask) -> Partition:
    """The partition of some rows as one of all, of which the others are not used."""
    fold = np.full(len(counted), UNUSED, dtype=np.int32)
    fold[counted] = partition.fold
    untrained = None
    if partition.untrained is not None:
        untrained = np.zeros(len(counted), dtype=bool)
        untrained[counted] = partition.untrained
    return Partition(fold, partition.n_folds, untrained)


@dataclass(frozen=True, eq=False)
class CalibratedScores:
    """Calibrated models of a study.

    Attributes
    ----------
    deep : Study
        The same models and tests, followed by those that the maps are learned from.
    base : Dispatched
        What is calibrated, under these.
    """

    settings: Settings
    study: Study
    deep: Study
    base: Dispatched

    def reduce(self, keep: Reduction[Kept, Result], only: Mask | None = None) -> Result:
        """What the reduction keeps of all scores, or of those asked for: only (S, T).

        A choice inside training sets by error, not by a loss, takes the map of the training set for all of its inner
        tests: the maps of the plan's own tests then serve the choice, too.
        """
        crossed = not keep.decides_inside
        return keep.finish(reduced(self._parts(only, crossed), keep))

    def _parts(self, only: Mask | None, crossed: bool) -> Iterator[Part]:
        """Owner after owner, so that only the scores inside some training sets are held."""
        splits, owners = self.study.splits, self._owner
        requested = np.ones((len(self.settings), splits.n_tests), dtype=bool) if only is None else only
        for batch in self._batches(requested):
            batch_mask = requested & np.isin(owners, batch)
            deep_mask = np.zeros((len(self.settings), self.deep.splits.n_tests), dtype=bool)
            deep_mask[:, : splits.n_tests] = batch_mask
            for owner in batch:
                wanted = batch_mask[:, owners == owner].any(axis=1)
                deep_mask[np.ix_(wanted, self._inner[owner])] = True
            for s, pairs in enumerate(self.base.reduce(AllPairs(len(self.settings)), deep_mask)):
                if pairs is not None:
                    yield from self._calibrated(s, pairs, batch_mask[s], crossed)

    @cached_property
    def _owner(self) -> Codes:
        """Whose inner tests the map of each test comes from, (T,): its model, or whose inner test it is itself.

        Where folds were drawn inside every training set, as a fit draws them, it is the model itself.
        """
        splits = self.study.splits
        return np.where(_inner(self.deep.splits)[: splits.n_tests], splits.parent, splits.model)

    @cached_property
    def _priors(self) -> Array:
        amount = self.study.class_weight()
        return np.asarray((amount / amount.sum(axis=1, keepdims=True))[self.study.splits.model])

    @cached_property
    def _inner(self) -> dict[int, Index]:
        return inner_tests(self.deep.splits)

    def _batches(self, requested: Mask) -> Iterator[list[int]]:
        """Owners whose scores have room together."""
        data, owners = self.study.dataset, self._owner
        size = test_sizes(self.deep.splits)
        total, batch = 0, list[int]()
        for owner in np.unique(owners[requested.any(axis=0)]).tolist():
            rows = int(size[self._inner[owner]].sum() + size[: len(owners)][owners == owner].sum())
            cost = 16 * (data.n_classes + 2) * rows * len(self.settings)
            if batch and total + cost > data.engine.memory:
                yield batch
                total, batch = 0, []
            batch.append(owner)
            total += cost
        if batch:
            yield batch

    def _calibrated(self, s: int, pairs: Part, requested: Mask, crossed: bool) -> Iterator[Part]:
        """The tests of one setting that are asked for, each through its map.

        crossed : whether the map of an inner test is learned from the other inner tests alone
        """
        splits, owners = self.study.splits, self._owner
        first = np.searchsorted(pairs.test, np.arange(self.deep.splits.n_tests + 1))

        def places(tests: Sequence[int] | Integers) -> Index:
            return np.concatenate([np.arange(first[t], first[t + 1]) for t in tests])

        for owner in np.unique(owners[requested]).tolist():
            inner = self._inner[owner]
            owner_tests = np.flatnonzero(requested & (owners == owner))
            apart = (splits.model[owner_tests] != owner) & crossed  # inner tests, which learn from each other
            whole = owner_tests[~apart]
            if len(whole):
                yield self._part(s, owner, pairs, places(inner), places(whole))
            for t in owner_tests[apart]:
                others = inner[inner != t]
                yield self._part(s, owner, pairs, places(others), places([t]))

    def _part(self, s: int, owner: int, pairs: Part, learned: Index, mapped: Index) -> Part:
        data, wrapper = self.study.dataset, model_of(self.settings.estimators[s])
        name, method = type(wrapper.estimator).__name__, wrapper.method
        if data.weight is not None:
            learned = learned[data.weight[pairs.row[learned]] > 0]
        rows, classes = pairs.row[learned], self._classes(owner)
        codes = np.searchsorted(classes, data.codes[rows]).astype(np.int32)
        weight = None if data.weight is None else data.weight[rows]
        calibration = Calibration.learned(
            method, pairs.scores[np.ix_(learned, classes)], codes, weight, pairs.posterior, name, rows
        )
        row, test = pairs.row[mapped], pairs.test[mapped]
        scores = level(
            pairs.scores[np.ix_(mapped, classes)], calibration.floor, calibration.bounded, name, row
        )
        out = np.full((len(mapped), data.n_classes), -np.inf)
        trained = self._priors[test][:, classes]
        out[:, classes] = without(calibration.map.log_posterior(scores), trained == 0)
        row_weight = None if data.weight is None else data.weight[row]
        return Part(s, row, test, out, None, data.codes[row], row_weight, self._priors, True)

    def _classes(self, owner: int) -> Index:
        """Classes that have rows in a training set, whatever these weigh."""
        return np.unique(self.study.dataset.codes[self.study.splits.train_rows(owner)])

    def difficulties(self, s: int) -> tuple[str, ...]:
        """Classes that training sets lack, and what was difficult in the models that are calibrated."""
        dispatcher_notes = (
            *self.deep.absences(),
            *map(str, self.base.notes[s]),
        )  # which the dispatcher tells, too
        notes = [note for note in self.base.difficulties(s) if note not in dispatcher_notes]
        return (*self.study.absences(), *notes)
